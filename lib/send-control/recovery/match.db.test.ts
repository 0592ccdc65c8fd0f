import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import type * as Match from './match.ts';
import type { ProviderRecord } from './record.ts';

/**
 * How a record that the provider lists changes a restored row. A record with other content proves
 * nothing about the row.
 */

let merchant: TestMerchant;
let matchRecord: typeof Match.matchRecord;
let recovery: string;

beforeAll(async () => {
  const product = await openProduct(1);
  ({ merchant } = product);
  ({ matchRecord } = await import('./match.ts'));
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
      VALUES ($1, 'asked', clock_timestamp(), now() - interval '1 day', now()) RETURNING id`,
    [merchant.merchantId],
  );
  recovery = rows[0]!.id;
  return product.close;
});

async function matched(id: string, more: Partial<ProviderRecord> = {}) {
  const row = await rowOf(merchant, id);
  const found: ProviderRecord = {
    source: 'withdrawal',
    reference: `9${randomUUID().replaceAll(/\D/g, '').slice(0, 9)}`,
    extId: String(row.ext_id),
    level: 'completed',
    amountMinor: BigInt(String(row.amount_minor)),
    currency: String(row.currency),
    wallet: null,
    toWallet: null,
    iban: String(row.iban),
    name: null,
    reason: null,
    madeAt: null,
    ...more,
  };
  return matchRecord(fakePorts(merchant.merchantId, fakeProvider()), recovery, found);
}

it.each([
  [
    'the same content, its IBAN written otherwise',
    (iban: string): Partial<ProviderRecord> => ({
      iban: iban.toLowerCase().replaceAll(/(.{4})/g, '$1 '),
    }),
    'brought_forward',
    { state: 'COMPLETED', alert: null },
  ],
  ['no IBAN', () => ({ iban: null }), 'brought_forward', { state: 'COMPLETED', alert: null }],
  [
    'another currency',
    () => ({ currency: 'USD' }),
    'contradiction',
    { state: 'UNKNOWN', alert: 'mismatch' },
  ],
  [
    'another IBAN',
    () => ({ iban: 'TR330006100519786457841326' }),
    'contradiction',
    { state: 'UNKNOWN', alert: 'mismatch' },
  ],
  [
    'another amount',
    () => ({ amountMinor: 1n }),
    'contradiction',
    { state: 'UNKNOWN', alert: 'mismatch' },
  ],
] as const)('a listed record of an unknown payout with %s', async (_what, more, finding, after) => {
  const id = await storedMovement(merchant, 'UNKNOWN');
  expect(await matched(id, more(String((await rowOf(merchant, id)).iban)))).toBe(finding);
  expect(await rowOf(merchant, id)).toMatchObject(after);
});

it('a listed record in another currency makes a row that waits unknown and flagged, never paid', async () => {
  const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
  expect(await matched(id, { currency: 'EUR' })).toBe('contradiction');
  expect(await rowOf(merchant, id)).toMatchObject({
    state: 'UNKNOWN',
    sends: 1,
    alert: 'mismatch',
  });
});

it('a transfer from somebody else’s wallet to an own one is nothing that left unknown to us', async () => {
  const [own, branch, theirs] = ['4410270001', '4410270002', '4488810801'];
  for (const number of [own, branch])
    await merchant.owner.query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
        VALUES ($1, $2, '{}', now())`,
      [merchant.merchantId, number],
    );
  const between = async (wallet: string | null, toWallet: string | null) => {
    const reference = `8${randomUUID().replaceAll(/\D/g, '').slice(0, 9)}`;
    const line = {
      source: 'ledger',
      reference,
      extId: null,
      iban: null,
      wallet,
      toWallet,
    } as const;
    const { rows } = await merchant.owner.query<{ id: string }>(
      'SELECT id FROM movements WHERE merchant_id = $1 LIMIT 1',
      [merchant.merchantId],
    );
    const finding = await matched(rows[0]!.id, line);
    const kept = await merchant.owner.query(
      'SELECT 1 FROM recovered_records WHERE reference = $1',
      [reference],
    );
    return [finding, kept.rowCount];
  };
  expect(await between(theirs, own)).toEqual(['incoming', 0]);
  for (const [from, to] of [
    [own, theirs],
    [own, branch],
    [theirs, '4488810802'],
    [null, own],
    [own, null],
  ] as const)
    expect(await between(from, to), `${from} to ${to}`).toEqual(['foreign', 1]);
});

it('a record that nobody here knows is kept whatever its texts hold: the scan goes on after it', async () => {
  const id = await storedMovement(merchant, 'UNKNOWN');
  const reference = `9${randomUUID().replaceAll(/\D/g, '').slice(0, 9)}`;
  const odd = { extId: null, reference, name: 'Ayşe\u0000', iban: 'TR33 \ud83d' };
  expect(await matched(id, odd)).toBe('foreign');
  const { rows } = await merchant.owner.query<{ name: string; iban: string }>(
    'SELECT name, iban FROM recovered_records WHERE reference = $1',
    [reference],
  );
  expect(rows).toEqual([{ name: 'Ayşe', iban: 'TR33 \ufffd' }]);
});
