import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import type { PayoutForm } from '#lib/payouts/schema.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Bring from './bring.ts';
import type * as Known from './known.ts';

/** Payees of the provider's records whom a person saves as recipients. */

const DAY_MS = 86_400_000;
let merchant: TestMerchant;
let web: Process;
let bring: typeof Bring;
let known: typeof Known;
let serial = 0;

beforeAll(async () => {
  merchant = await testMerchant();
  vi.doMock('#lib/wallets/ask.ts', () => ({
    freshWallet: async (number: string) => ({
      number,
      currency: 'TRY',
      access: 'active',
      availableMinor: 100_000_000n,
      limits: { withdrawalMinor: null },
    }),
    paymentTypes: async () => [{ code: '1', name: 'Other', descriptionMin: 3 }],
  }));
  web = await openProcess('dashboard_web');
  bring = await import('./bring.ts');
  known = await import('./known.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});
beforeEach(async () => {
  await merchant.owner.query('DELETE FROM withdraw_records WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});

/** Makes a new valid Turkish IBAN. */
function anIban(): string {
  serial += 1;
  const account = `00062${'0'}${String(Date.now() % 1_000_000).padStart(6, '0')}${String(serial).padStart(10, '0')}`;
  return `TR${String(98n - (BigInt(`${account}292700`) % 97n)).padStart(2, '0')}${account}`;
}

type Paid = {
  iban?: string;
  name?: string | null;
  tax?: string | null;
  daysAgo?: number;
  minor?: number;
  currency?: string;
  level?: string;
};

async function paid(parts: Paid = {}, merchantId = merchant.merchantId): Promise<string> {
  const { iban = anIban(), name = 'Deniz Ltd. Şti.', tax = null } = parts;
  await merchant.owner.query(
    `INSERT INTO withdraw_records (merchant_id, request_id, level, amount_minor, currency, iban,
      name, tax_number, created_at, raw) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '{}')`,
    [
      merchantId,
      randomUUID(),
      parts.level ?? 'completed',
      parts.minor ?? 100,
      parts.currency ?? 'TRY',
      iban,
      name,
      tax,
      new Date(Date.now() - (parts.daysAgo ?? 1) * DAY_MS),
    ],
  );
  return iban;
}

const list = (role: Role = 'clerk') =>
  bring.listPayeesToBring(merchant.person(role), bring.daysToBring());
const save = (ibans: readonly string[], role: Role = 'clerk') =>
  bring.bringRecipients(merchant.person(role), ibans);
const saved = async (iban: string) =>
  (
    await merchant.owner.query(
      `SELECT r.name, r.tax_number, p.changed_at FROM recipients r
        JOIN recipient_payees p ON p.recipient_id = r.id
        WHERE r.merchant_id = $1 AND p.number = $2`,
      [merchant.merchantId, iban],
    )
  ).rows;
const presses = async (): Promise<number[]> =>
  (
    await merchant.owner.query(
      `SELECT (body::jsonb -> 'detail' ->> 'count')::int AS count FROM audit_entries
        WHERE merchant_id = $1 AND action = 'recipient.brought' ORDER BY seq`,
      [merchant.merchantId],
    )
  ).rows.map(({ count }) => count);

describe('the list', () => {
  it('has each account once: the latest full name, how often, when last, and the sum by currency', async () => {
    const iban = await paid({ name: 'Işık Düğme', daysAgo: 20, minor: 1_000 });
    await paid({ iban: iban.replace(/(.{4})/g, '$1 '), name: 'IŞIK DÜĞME SAN.', daysAgo: 5 });
    await paid({ iban: iban.toLowerCase(), name: 'IŞ** DÜ***', daysAgo: 2, minor: 50 });
    await paid({ iban, name: null, daysAgo: 1, currency: 'USD', minor: 700 });
    const { rows, more } = await list();
    expect(rows).toMatchObject([
      {
        iban,
        name: 'IŞIK DÜĞME SAN.',
        hasTaxNumber: false,
        count: 4,
        sums: [
          { amount: '11.50', currency: 'TRY' },
          { amount: '7.00', currency: 'USD' },
        ],
        account: { kind: 'iban', bankName: 'Garanti BBVA' },
      },
    ]);
    expect(Date.parse(rows[0]!.lastAt)).toBeGreaterThan(Date.now() - 1.1 * DAY_MS);
    expect(more).toBe(0);
  });

  it('counts completed requests of 90 days alone, the last paid first', async () => {
    const [first, second] = [await paid({ daysAgo: 3 }), await paid({ daysAgo: 88 })];
    for (const level of ['pending', 'rejected', 'failed', 'unknown']) await paid({ level });
    await paid({ daysAgo: 91 });
    await paid({ iban: first, level: 'rejected', minor: 5_000 });
    const { rows } = await list();
    expect(rows.map(({ iban, count }) => [iban, count])).toEqual([
      [first, 1],
      [second, 1],
    ]);
    const days = bring.daysToBring();
    expect(Date.parse(days.to) - Date.parse(days.from)).toBe(89 * DAY_MS);
  });

  it('leaves out and counts what cannot be saved: IBANs, masked names, archived recipients', async () => {
    const good = await paid();
    const broken = `${good.slice(0, -1)}${(Number(good.at(-1)) + 1) % 10}`;
    for (const iban of [broken, good.slice(0, -1), `${good}0`, 'DE89370400440532013000'])
      await paid({ iban });
    for (const name of ['Ay** Yı****', '', 'X', null, 'Ali\u202eYılmaz']) await paid({ name });
    await merchant.owner.query(
      `INSERT INTO recipients (merchant_id, name, archived_at, archived_by)
        VALUES ($1, 'Arşivlik Işık', now(), $2)`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await paid({ name: 'ARŞİVLİK IŞIK', tax: '10000000146' });
    const { rows, skipped } = await list();
    expect([rows.map(({ iban }) => iban), skipped]).toEqual([
      [good],
      { iban: 4, name: 5, archived: 1 },
    ]);
  });

  it('is for people who prepare payouts, of their own merchant', async () => {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO merchants (id, key_fingerprint, name)
        VALUES (gen_random_uuid(), gen_random_uuid()::text, 'Other') RETURNING id`,
    );
    const theirs = await paid({}, rows[0]!.id);
    const mine = await paid();
    for (const role of ['clerk', 'approver', 'owner'] as const)
      expect((await list(role)).rows.map(({ iban }) => iban)).toEqual([mine]);
    for (const role of ['support', 'auditor'] as const) {
      await expect(list(role)).rejects.toThrow('not_allowed');
      await expect(save([mine], role)).rejects.toThrow('not_allowed');
    }
    expect([await save([theirs]), await saved(theirs)]).toEqual([{ saved: 0 }, []]);
  });
});

describe('one press', () => {
  it('takes the latest tax number that is one: a later one with a typing error hides none', async () => {
    const iban = await paid({ name: 'Sümer Boya', tax: '10000000146', daysAgo: 9 });
    await paid({ iban, name: 'Sümer Boya', tax: '10000000147', daysAgo: 1 });
    expect((await list()).rows).toMatchObject([{ iban, hasTaxNumber: true, count: 2 }]);
    await save([iban]);
    expect(await saved(iban)).toMatchObject([{ name: 'Sümer Boya', tax_number: '10000000146' }]);
  });

  it('saves the ticked ones alone, with a tax number only where that very name has one', async () => {
    const iban = await paid({ name: 'Ege İplik', tax: '10000000146', daysAgo: 9 });
    await paid({ iban, name: 'EGE IPLIK', tax: null, daysAgo: 1 });
    const renamed = await paid({ name: 'Eski Ad', tax: '10000000146', daysAgo: 9 });
    await paid({ iban: renamed, name: 'Yeni Ad', daysAgo: 1 });
    const wrong = await paid({ name: 'Yanlış Numara', tax: '10000000147' });
    const left = await paid({ name: 'Kalan' });
    expect(await save([iban, renamed, wrong])).toEqual({ saved: 3 });
    expect(await Promise.all([iban, renamed, wrong, left].map(saved))).toEqual([
      [{ name: 'EGE IPLIK', tax_number: '10000000146', changed_at: null }],
      [{ name: 'Yeni Ad', tax_number: '', changed_at: null }],
      [{ name: 'Yanlış Numara', tax_number: '', changed_at: null }],
      [],
    ]);
    expect((await list()).rows.map((row) => row.iban)).toEqual([left]);
  });

  it('twice, or by several people at once, saves once, and each press that saved is one entry', async () => {
    const before = await presses();
    const ibans = await Promise.all([1, 2, 3].map(() => paid({ name: `Çift ${randomUUID()}` })));
    // Opens the connections first: otherwise the presses would wait for one and run one after the
    // other.
    await Promise.all(ibans.concat(ibans).map(() => list()));
    const all = await Promise.all(
      (['clerk', 'owner', 'approver', 'clerk', 'owner', 'approver'] as const).map((role) =>
        save(ibans, role),
      ),
    );
    expect(all.map((one) => one.saved).toSorted()).toEqual([0, 0, 0, 0, 0, 3]);
    expect(await save(ibans)).toEqual({ saved: 0 });
    expect(await Promise.all(ibans.map(async (iban) => (await saved(iban)).length))).toEqual([
      1, 1, 1,
    ]);
    expect((await presses()).slice(before.length)).toEqual([3]);
  });

  it('saves nothing that is no payee of a record, and at most 500 at once', async () => {
    const stranger = anIban();
    expect([await save([stranger]), await saved(stranger)]).toEqual([{ saved: 0 }, []]);
    for (const [ibans, code] of [
      [[], 'no_payee_picked'],
      [['', ' '], 'no_payee_picked'],
      [Array.from({ length: 501 }, anIban), 'too_many_payees'],
    ] as const)
      await expect(save(ibans)).rejects.toMatchObject({ code });
  });

  it('leaves an account as it is that a person has saved or archived before', async () => {
    const iban = await paid({ name: 'Kaya Ltd' });
    await save([iban]);
    await merchant.owner.query(
      `UPDATE recipient_payees SET archived_at = now(), archived_by = $3
        WHERE merchant_id = $1 AND number = $2`,
      [merchant.merchantId, iban, merchant.person('owner').personId],
    );
    expect([(await list()).rows, await save([iban])]).toEqual([[], { saved: 0 }]);
  });
});

describe('a first payout to a brought account', () => {
  const form = (iban: string, name: string): PayoutForm => ({
    content: {
      id: randomUUID(),
      source: { kind: 'wallet', number: '1000000001' },
      iban,
      name,
      taxNumber: '10000000146',
      amountMinor: 12_345n,
      paymentType: '1',
      description: 'fatura 1',
    } as PayoutForm['content'],
    writtenCurrency: null,
    overrides: [],
    overrideReason: null,
  });

  it('is checked as a first one: the same name on another account needs a reason', async () => {
    const name = `Şafak Güvenlik ${randomUUID().slice(0, 8)}`;
    await storedMovement(merchant, 'COMPLETED', {}, { iban: anIban(), name });
    const iban = await paid({ name });
    expect(await save([iban])).toEqual({ saved: 1 });
    const [offered] = await known.knownRecipients(merchant.person('clerk'), name);
    expect([offered!.iban, offered!.taxNumber, offered!.last]).toEqual([iban, '', null]);
    const result = await web.submit.submitPayout(merchant.person('clerk'), form(iban, name), {
      locale: 'tr',
      retryOf: null,
    });
    expect(result.kind).toBe('findings');
    expect(
      result.kind === 'findings' && result.findings.map(({ code, level }) => [code, level]),
    ).toEqual(
      expect.arrayContaining([
        ['first_payment', 'info'],
        ['payee_other_iban', 'warn'],
      ]),
    );
  });
});
