import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import { rowOf, setColumns, storedMovement, testWallet } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { PersonFound } from './person.ts';
import type { TransferForm } from './schema.ts';
import type * as Submit from './submit.ts';

/**
 * One click makes one transfer, to the wallet that the provider returns at that moment, even when
 * submits are repeated or concurrent.
 */

let merchant: TestMerchant;
let web: Process;
let submitting: typeof Submit;
/** What the provider answers at the moment. */
const provider: { silent: boolean; person: PersonFound; names: Map<string, string> } = {
  silent: false,
  person: { kind: 'nobody' },
  names: new Map(),
};

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) =>
      provider.silent
        ? null
        : {
            number,
            name: provider.names.get(number) ?? 'Kasa',
            currency: 'TRY',
            access: 'active',
            availableMinor: 100_000_000n,
            limits: { walletToWalletMinor: null },
          },
    paymentTypes: async () => [{ code: '06', name: 'Commercial', descriptionMin: 3 }],
  }));
  vi.doMock('./check-person.ts', () => ({
    askPerson: async () => (provider.silent ? { kind: 'unchecked' } : provider.person),
  }));
  web = await openProcess('dashboard_web');
  submitting = await import('./submit.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});
beforeEach(() => Object.assign(provider, { silent: false, person: { kind: 'nobody' } }));

let serial = 0;

/**
 * A form as the browser sends it. By default the wallet that was shown for a person is the one that
 * the provider finds.
 */
function aForm(
  kind: TransferKindName,
  content: Partial<TransferForm['content']> = {},
): TransferForm {
  const toWallet = content.toWallet ?? testWallet();
  serial += 1;
  if (kind === 'transfer_person')
    provider.person = { kind: 'found', wallet: toWallet, name: 'El** Şa***' };
  return {
    content: {
      id: randomUUID(),
      kind,
      wallet: '1000000001',
      key: kind === 'transfer_person' ? { by: 'phone', country: '90', phone: '5330000201' } : null,
      toWallet,
      name: kind === 'transfer_own' ? '' : 'Elif Şahin',
      amountMinor: 12_345n as never,
      paymentType: kind === 'transfer_own' ? '' : '06',
      description: `aktarım ${serial}`,
      ...content,
    },
    writtenCurrency: null,
    // All payees of this file have one name: the findings from that are ticked.
    overrides: ['payee_other_iban', 'duplicate_other_iban'],
    overrideReason: 'advance',
  };
}

const submit = (form: TransferForm, retryOf: string | null = null) =>
  submitting.submitTransfer(merchant.person('clerk'), form, { locale: 'tr', retryOf });
const codes = async (form: TransferForm): Promise<string[]> => {
  const result = await submit(form);
  return result.kind === 'findings'
    ? result.findings
        .filter(({ level }) => level === 'block' || level === 'warn')
        .map(({ code }) => code)
        .filter((code) => !form.overrides.includes(code))
    : [];
};
const storedTo = async (toWallet: string): Promise<number> =>
  (
    await merchant.owner.query(
      `SELECT count(*)::int AS n FROM movements WHERE merchant_id = $1 AND to_wallet = $2`,
      [merchant.merchantId, toWallet],
    )
  ).rows[0].n;

describe.each(TRANSFER_KINDS)('one form of %s', (kind) => {
  it('submitted eight times at once, and again later, is one movement that is ready to leave', async () => {
    const form = aForm(kind);
    const results = await Promise.all(Array.from({ length: 8 }, () => submit(form)));
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ kind: 'submitted', id: form.content.id })]),
    );
    provider.silent = true;
    expect(await submit(form)).toEqual({ kind: 'submitted', id: form.content.id });
    expect(await storedTo(form.content.toWallet)).toBe(1);
    const row = await rowOf(merchant, form.content.id);
    expect(row).toMatchObject({
      kind,
      state: 'APPROVED',
      iban: '',
      tax_number: '',
      to_wallet: form.content.toWallet,
      sends: 0,
    });
    expect([row.name, row.found_by, row.found_name]).toEqual(
      {
        transfer_person: ['Elif Şahin', 'phone:90:5330000201', 'El** Şa***'],
        transfer_business: ['Elif Şahin', null, null],
        transfer_own: ['Kasa', null, null],
      }[kind],
    );
  });

  test.each([
    ['amount', { amountMinor: 12_346n as never }],
    ['receiving wallet', { toWallet: '5599999990' }],
    ['words', { description: 'other' }],
    ['paying wallet', { wallet: '1000000002' }],
  ])('with the same id and another %s is refused', async (_name, other) => {
    const form = aForm(kind);
    await submit(form);
    await expect(submit({ ...form, content: { ...form.content, ...other } })).rejects.toMatchObject(
      { code: 'same_id_other_content' },
    );
  });

  it('is not stored while nobody can say what is in the wallet', async () => {
    const form = aForm(kind);
    provider.silent = true;
    await expect(submit(form)).rejects.toMatchObject({ code: 'wallet_unverified' });
    expect(await storedTo(form.content.toWallet)).toBe(0);
  });

  it('from somebody who may only look is refused', async () => {
    const form = aForm(kind);
    for (const role of ['support', 'auditor'] as const) {
      await expect(
        submitting.submitTransfer(merchant.person(role), form, { locale: 'tr', retryOf: null }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    }
    expect(await storedTo(form.content.toWallet)).toBe(0);
  });

  it('to a wallet whose outcome is unknown, by whichever way it went there, is locked for that amount', async () => {
    for (const before of TRANSFER_KINDS) {
      const toWallet = testWallet();
      await storedMovement(
        merchant,
        'UNKNOWN',
        {},
        { kind: before, toWallet, amountMinor: 12_345n },
      );
      expect(await codes(aForm(kind, { toWallet })), `${before}, then ${kind}`).toContain(
        'unknown_same_amount',
      );
      expect(await storedTo(toWallet)).toBe(1);
    }
  });

  it('at once with another for one wallet and amount: one is stored, the other is asked', async () => {
    const toWallet = testWallet();
    const results = await Promise.all([
      submit(aForm(kind, { toWallet })),
      submit(aForm(kind, { toWallet })),
    ]);
    expect(results.map((result) => result.kind).toSorted()).toEqual(['findings', 'submitted']);
  });

  it('stands in only for one of its own kind that provably did not happen', async () => {
    const old = async (of: string, state: 'REJECTED' | 'PENDING') =>
      storedMovement(
        merchant,
        state,
        { last_read_at: new Date() },
        { kind: of, toWallet: testWallet() },
      );
    const parent = await old(kind, 'REJECTED');
    const form = aForm(kind);
    expect(await submit(form, parent)).toEqual({ kind: 'submitted', id: form.content.id });
    expect((await rowOf(merchant, form.content.id)).retry_of).toBe(parent);
    await expect(submit(aForm(kind), parent)).rejects.toMatchObject({ code: 'already_paid_again' });
    await expect(submit(aForm(kind), await old(kind, 'PENDING'))).rejects.toMatchObject({
      code: 'parent_alive',
    });
    const another = TRANSFER_KINDS.find((one) => one !== kind)!;
    await expect(submit(aForm(kind), await old(another, 'REJECTED'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a person', () => {
  it('is paid on the wallet that the provider names now, never on the one that a browser sends', async () => {
    const form = aForm('transfer_person');
    const now = testWallet();
    provider.person = { kind: 'found', wallet: now, name: 'El** Şa***' };
    expect(await codes(form)).toEqual(['person_changed']);
    expect([await storedTo(form.content.toWallet), await storedTo(now)]).toEqual([0, 0]);
  });

  test.each([
    [{ kind: 'nobody' }, 'person_nobody'],
    [{ kind: 'unchecked' }, 'person_unchecked'],
  ] as const)('of whom the provider says %o is not paid', async (person, code) => {
    const form = aForm('transfer_person');
    provider.person = person;
    expect(await codes(form)).toEqual([code]);
    expect(await storedTo(form.content.toWallet)).toBe(0);
  });

  it('under another name is asked about', async () => {
    expect(await codes(aForm('transfer_person', { name: 'Ahmet Kaya' }))).toContain(
      'person_differs',
    );
  });
});

it('a transfer is kept among the recipients, own wallets are not', async () => {
  const kept = async (number: string) =>
    (
      await merchant.owner.query(
        `SELECT 1 FROM recipient_payees WHERE merchant_id = $1 AND number = $2`,
        [merchant.merchantId, number],
      )
    ).rows.length;
  const [business, own] = [aForm('transfer_business'), aForm('transfer_own')];
  await submit(business);
  await submit(own);
  expect([await kept(business.content.toWallet), await kept(own.content.toWallet)]).toEqual([1, 0]);
});

it('a wallet whose payment only the provider knows is locked until a person has looked', async () => {
  const form = aForm('transfer_business');
  await merchant.owner.query(
    `WITH r AS (INSERT INTO recoveries (merchant_id, why, scan_from, listed_by, ended_at)
      VALUES ($1, 'asked', now(), now(), now()) RETURNING id)
     INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, level,
       amount_minor, currency, to_wallet) SELECT $1, id, 'foreign', 'ledger', $2, 'completed',
       12345, 'TRY', $3 FROM r`,
    [merchant.merchantId, randomUUID(), form.content.toWallet],
  );
  expect(await codes(form)).toContain('foreign_same_amount');
});

it('what people see of a transfer is masked for who may not see it whole', async () => {
  const { viewMovement } = await import('#lib/movement-views/view.ts');
  const { listPayouts } = await import('#lib/payouts/list.ts');
  const { NO_FILTER } = await import('#lib/payouts/filter.ts');
  const form = aForm('transfer_person');
  await submit(form);
  await setColumns(merchant, form.content.id, { next_at: null });
  await merchant.owner.query(
    `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, raw, state_before,
      state_after) VALUES ($1, $2, 'read', 'read', '{}', $3, 'PENDING', 'PENDING')`,
    [merchant.merchantId, form.content.id, `{"to_wallet_number":"${form.content.toWallet}"}`],
  );
  const seen = async (role: 'clerk' | 'support') =>
    JSON.stringify([
      await viewMovement(merchant.person(role), form.content.id),
      (
        await listPayouts(
          merchant.person(role),
          { filter: { ...NO_FILTER, text: form.content.toWallet }, place: null },
          { totals: true },
          'transfers',
        )
      ).rows,
    ]);
  expect(await seen('clerk')).toContain(form.content.toWallet);
  expect(await seen('clerk')).toContain('+90 533 000 02 01');
  const support = await seen('support');
  expect([
    support.includes(form.content.toWallet),
    support.includes('5330000201'),
    support.includes('533 000'),
  ]).toEqual([false, false, false]);
  expect(support).toContain(`…${form.content.toWallet.slice(-4)}`);
});
