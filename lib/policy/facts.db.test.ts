import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anIban, openDesk, unguarded } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import type { Given } from '#lib/movements/testing/stored.ts';
import type { State } from '#lib/movements/state.ts';
import type * as OwnLimit from '#lib/movements/own-limit.ts';
import type * as PolicyFacts from '#lib/movements/policy-facts.ts';
import { NOTHING_NEEDED } from './rules.ts';

/** The facts that rules and limits are applied to, as they are read from what is stored. */

let desk: Desk;
let read: typeof PolicyFacts & typeof OwnLimit;
beforeAll(async () => {
  desk = await openDesk(async () => {
    read = {
      ...(await import('#lib/movements/policy-facts.ts')),
      ...(await import('#lib/movements/own-limit.ts')),
    };
  });
});
afterAll(() => desk.close());

const stored = (state: State, given: Given = {}, columns: Record<string, unknown> = {}) =>
  storedMovement(desk.merchant, state, columns, given);
const changed = (id: string, set: string) =>
  unguarded(desk, `UPDATE movements SET ${set} WHERE id = '${id}'`);
/** What was stored so far is of another month. */
const nextMonth = () =>
  unguarded(
    desk,
    `UPDATE movements SET created_at = created_at - interval '30 days'
      WHERE merchant_id = '${desk.merchant.merchantId}'`,
  );
const clerk = () => desk.merchant.person('clerk');

function judged(given: { iban?: string; toWallet?: string | null; id?: string } = {}) {
  const { iban = anIban(), toWallet = null, id = randomUUID() } = given;
  const content = { wallet: '1000000001', iban, toWallet, name: 'Ayşe Yılmaz' };
  const kind = toWallet === null ? 'payout' : 'transfer_person';
  const amounts = { amountMinor: 100n, currency: 'TRY' };
  return { id, kind, makerId: clerk().personId, content: { ...content, ...amounts } };
}
const factsOf = (movement: ReturnType<typeof judged>) =>
  desk.web.db.inTransaction(desk.merchant.merchantId, (tx) => read.readPolicyFacts(tx, movement));
async function limited(dayMinor: string): Promise<void> {
  const { owner, merchantId, person } = desk.merchant;
  await unlimited();
  await owner.query(
    `INSERT INTO person_limits (merchant_id, person_id, currency, day_minor, set_by, reason)
      VALUES ($1, $2, 'TRY', $3, $4, 'as agreed')`,
    [merchantId, clerk().personId, dayMinor, person('owner').personId],
  );
}

it('sums are of the movement’s currency and of its payee, a wallet as well as an account', async () => {
  await nextMonth();
  const iban = anIban();
  await stored('APPROVED', { iban, amountMinor: 700n });
  const dollars = await stored('APPROVED', { iban, amountMinor: 50_000n });
  await changed(dollars, "currency = 'USD'");
  const own = { policyClass: 'payout', wallet: '1000000001' } as const;
  expect((await factsOf(judged({ iban }))).prepared).toEqual([
    { ...own, byMakerMinor: 700n, toPayeeMinor: 700n },
  ]);
  expect((await factsOf(judged())).prepared).toEqual([
    { ...own, byMakerMinor: 700n, toPayeeMinor: 0n },
  ]);
  await stored('APPROVED', { kind: 'transfer_person', toWallet: '2000000001', amountMinor: 900n });
  const toPayee = async (toWallet: string) =>
    (await factsOf(judged({ iban: '', toWallet }))).prepared.find(
      ({ policyClass }) => policyClass === 'transfer',
    )?.toPayeeMinor;
  expect([await toPayee('2000000001'), await toPayee('2000000002')]).toEqual([900n, 0n]);
});

it('a payee is not known by a payment that came back', async () => {
  const [iban, back] = [anIban(), anIban()];
  await stored('COMPLETED', { iban, name: 'Deniz Nakliyat' });
  const returned = await stored('COMPLETED', { iban: back, name: 'Geri Gelen' });
  await changed(returned, "returned = 'CONFIRMED', returned_at = now()");
  expect(await factsOf(judged({ iban }))).toMatchObject({ isFirstPayment: false });
  expect(await factsOf(judged({ iban: back }))).toMatchObject({ isFirstPayment: true });
});

it('a day’s limit is used by what may leave in its currency, and not by one’s own wallets', async () => {
  await nextMonth();
  await limited('1000');
  await stored('APPROVED', { amountMinor: 100n });
  await stored('APPROVED', { kind: 'transfer_own', toWallet: '1000000002', amountMinor: 300n });
  for (const state of ['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED']) {
    const id = await stored('APPROVED', { amountMinor: 200n });
    await changed(id, `state = '${state}'`);
  }
  await changed(await stored('APPROVED', { amountMinor: 500n }), "currency = 'USD'");
  const left = await read.ownLimitsLeft(clerk());
  expect(left).toEqual([{ currency: 'TRY', single: null, day: '10.00', left: '9.00' }]);
});

it('a day’s limit is that of a day in the workspace’s zone', async () => {
  await nextMonth();
  const at = async (moment: string) => {
    const id = await stored('APPROVED', { amountMinor: 100n });
    await changed(id, `created_at = '${moment}'`);
    return id;
  };
  await at('2026-03-09T23:30:00+03:00');
  await at('2026-03-10T01:30:00+03:00');
  const id = await at('2026-03-10T12:00:00+03:00');
  const neededWith = async (day: string) => {
    await limited(day);
    const judgement = await desk.web.db.inTransaction(desk.merchant.merchantId, (tx) =>
      read.judgeOwnLimit(tx, judged({ id }), NOTHING_NEEDED),
    );
    return judgement.needed;
  };
  expect(await neededWith('199'), 'the night before counts').toBe(1);
  expect(await neededWith('200'), 'the evening before does not').toBe(0);
});

/** Takes every limit away, as the database's owner without the guard. */
async function unlimited(): Promise<void> {
  const { owner, merchantId } = desk.merchant;
  await owner.query('ALTER TABLE person_limits DISABLE TRIGGER USER');
  await owner.query('DELETE FROM person_limits WHERE merchant_id = $1', [merchantId]);
  await owner.query('ALTER TABLE person_limits ENABLE TRIGGER USER');
}
