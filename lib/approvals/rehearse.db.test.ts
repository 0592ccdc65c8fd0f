import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as Facts from '#lib/movements/policy-facts.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import type { Given } from '#lib/movements/testing/stored.ts';
import { judgePolicy } from '#lib/policy/rules.ts';
import type { Condition } from '#lib/policy/rules.ts';
import type * as Rehearse from './rehearse.ts';
import { anIban, aRule, openDesk, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** The look at the last 30 days asks of a payment what the rules ask of it when it is made. */

let desk: Desk;
let verbs: typeof Facts & typeof Rehearse;
beforeAll(async () => {
  desk = await openDesk(async () => {
    verbs = {
      ...(await import('#lib/movements/policy-facts.ts')),
      ...(await import('./rehearse.ts')),
    };
  });
});
afterAll(() => desk.close());

const NAME = 'Deniz Nakliyat';
/** Completed 40 days ago: it makes a payee known and is not counted itself. */
async function paidLongAgo(given: Given, columns = ''): Promise<void> {
  const id = await storedMovement(desk.merchant, 'COMPLETED', {}, { name: NAME, ...given });
  const ago = "now() - interval '40 days'";
  await unguarded(
    desk,
    `UPDATE movements SET created_at = ${ago}, ended_at = ${ago} ${columns} WHERE id = '${id}'`,
  );
}
/** How many approvals the rule asks for, of a payment made now and in the look at 30 days. */
async function asked(when: Condition, given: Given): Promise<[number, number]> {
  const { merchant, web } = desk;
  await merchant.owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
  await merchant.owner.query(
    `UPDATE movements SET created_at = now() - interval '35 days' WHERE created_at > now() - interval '1 day'`,
  );
  await merchant.owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
  const rules = [aRule({ when, classes: ['payout', 'transfer'], fromMinor: 1n })];
  const id = await storedMovement(merchant, 'APPROVED', {}, { name: NAME, ...given });
  const toWallet = given.toWallet ?? null;
  const movement = {
    id,
    kind: given.kind ?? 'payout',
    makerId: merchant.person('clerk').personId,
    content: {
      wallet: '1000000001',
      iban: given.iban ?? '',
      toWallet,
      name: NAME,
      amountMinor: 12_345n,
      currency: 'TRY',
    },
  };
  const facts = await web.db.inTransaction(merchant.merchantId, (tx) =>
    verbs.readPolicyFacts(tx, movement),
  );
  const rehearsed = await verbs.rehearsePolicy(merchant.person('owner'), rules);
  expect(rehearsed.payments).toBe(1);
  return [judgePolicy(rules, facts).needed, rehearsed.one];
}

it('a payee that was paid long ago, and one whose money came back', async () => {
  const [iban, back] = [anIban(), anIban()];
  await paidLongAgo({ iban });
  await paidLongAgo({ iban: back }, ", returned = 'CONFIRMED', returned_at = now()");
  expect(await asked('first_payment', { iban })).toEqual([0, 0]);
  expect(await asked('first_payment', { iban: back })).toEqual([1, 1]);
  expect(await asked('payee_changed', { iban: anIban() }), 'another account').toEqual([1, 1]);
});

it('a name that was paid on a bank account has not changed when its wallet is paid', async () => {
  await paidLongAgo({ iban: anIban() });
  const wallet = { kind: 'transfer_business', toWallet: '2000000007' };
  expect(await asked('payee_changed', wallet)).toEqual([0, 0]);
  expect(await asked('first_payment', wallet)).toEqual([1, 1]);
});
