import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import type * as ReadDays from '#lib/provider-records/read-days.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as CompareDay from './compare-day.ts';

/**
 * The sandbox as a provider with weeks of payments, which the product's own reader reads. Our
 * records have all of these payments, except for the planted differences.
 */

let sandbox: Sandbox;
let merchant: TestMerchant;
let worker: Process;
let records: typeof ReadDays;
let chore: typeof CompareDay;
/**
 * The first day that is not compared. The compared days ended more than a day ago: what the sandbox
 * did in its last hours may belong to yesterday and still be in progress.
 */
const today = dayIn(new Date(Date.now() - 24 * 3_600_000).toISOString());
const from = addDays(today, -20);

beforeAll(async () => {
  sandbox = await startSandbox();
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  records = await import('#lib/provider-records/read-days.ts');
  chore = await import('./compare-day.ts');
  await merchant.owner.query(`UPDATE merchants SET created_at = $2 WHERE id = $1`, [
    merchant.merchantId,
    dayRange(from).from,
  ]);
  for (const number of [
    '4410270001',
    '4410270002',
    '4410270003',
    '4410270004',
    '4410270005',
    '4410270006',
  ])
    await merchant.owner.query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at) VALUES ($1, $2, '{}', now())`,
      [merchant.merchantId, number],
    );
  for (const list of ['ledger', 'withdrawals'] as const)
    for (const read = records.dayReader(merchant.merchantId, list, sandbox.wallet); await read(););
}, 60_000);
afterAll(async () => {
  await Promise.all([worker.db.disconnect(), merchant.close(), sandbox.stop()]);
});

type Seen = {
  ext_id: string;
  amount_minor: string;
  currency: string;
  wallet: string;
  iban: string;
  at: Date;
  tx_id: string;
  ends: string;
};

/** The payouts of the closed days, from the provider's records. */
async function theirs(): Promise<Seen[]> {
  const { rows } = await merchant.owner.query<Seen>(
    `SELECT w.ext_id, w.amount_minor, w.currency, w.wallet, w.iban, w.created_at AS at,
      w.correlation_id AS tx_id, upper(w.level) AS ends FROM withdraw_records w
      WHERE w.merchant_id = $1 AND w.created_at >= $2 AND w.created_at < $3
     ORDER BY at, ext_id`,
    [merchant.merchantId, dayRange(from).from, dayRange(today).from],
  );
  return rows;
}

/** Creates the same payment in our own records, by permitted steps. */
async function hold({
  ext_id,
  amount_minor,
  currency,
  wallet,
  iban,
  at,
  tx_id,
  ends,
}: Seen): Promise<string> {
  const id = randomUUID();
  const put = (sql: string, values: unknown[]) => merchant.owner.query(sql, values);
  await put(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, approvals_needed)
     VALUES ($1, $2, 'payout', $3, 'DRAFT', $4, $5, 'Ayşe Yılmaz', '10000000146', $6, $7, '06', '',
       'h', $8, 0)`,
    [
      id,
      merchant.merchantId,
      ext_id,
      wallet,
      iban,
      amount_minor,
      currency,
      merchant.person('clerk').personId,
    ],
  );
  for (const state of ['AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'PENDING', ends])
    await put(
      `UPDATE movements SET state = $2, sends = sends + $3, state_since = $4 WHERE id = $1`,
      [id, state, state === 'SUBMITTING' ? 1 : 0, at],
    );
  await put(
    `UPDATE movements SET accepted_at = $2, ended_at = $2, transaction_id = $3 WHERE id = $1`,
    [id, at, tx_id],
  );
  await put(
    `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token, at)
      VALUES ($1, $2, 1, 'h', $3, $4)`,
    [merchant.merchantId, id, randomUUID(), at],
  );
  return id;
}

async function compareAll(): Promise<void> {
  await merchant.owner.query(
    `UPDATE reconciliations SET compared_at = compared_at - interval '7 hours' WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  while (await chore.compareOneDay(merchant.merchantId));
}

/**
 * The open differences, without those of the transfers and sweeps in the sandbox's history, which
 * were made elsewhere and have no reference of ours.
 */
const found = async () =>
  (
    await merchant.owner.query(
      `SELECT kind, reference, day::text FROM differences WHERE merchant_id = $1 AND state = 'OPEN'
        AND day < $2 AND reference NOT LIKE 'line:%' ORDER BY kind, reference`,
      [merchant.merchantId, today],
    )
  ).rows;
const madeElsewhere = async () =>
  new Set(
    (
      await merchant.owner.query<{ at: Date }>(
        `SELECT created_at AS at FROM ledger_records WHERE merchant_id = $1
          AND from_wallet IS NOT NULL AND ext_id IS NULL`,
        [merchant.merchantId],
      )
    ).rows.map(({ at }) => dayIn(at.toISOString())),
  );
const days = async () =>
  (
    await merchant.owner.query<{ day: string; digest: string | null; waiting: number }>(
      `SELECT day::text, digest, waiting FROM reconciliations WHERE merchant_id = $1 AND day < $2
        ORDER BY day`,
      [merchant.merchantId, today],
    )
  ).rows;

describe('weeks of a real listing', () => {
  it('agrees with complete books on every day, and one planted difference of each kind is found', async () => {
    const all = await theirs();
    const paid = all.filter((one) => one.ends === 'COMPLETED');
    expect(paid.length).toBeGreaterThan(10);
    const planted = { elsewhere: paid[1]!, amount: paid[3]!, state: paid[5]! };
    for (const one of all) if (!Object.values(planted).includes(one)) await hold(one);
    await compareAll();
    const day = (at: Date) => dayIn(at.toISOString());
    const touched = new Set([
      ...Object.values(planted).map(({ at }) => day(at)),
      ...(await madeElsewhere()),
    ]);
    expect(touched.size).toBeLessThan(12);
    expect((await days()).length).toBe(20);
    for (const one of await days())
      expect([one.day, one.digest !== null, one.waiting]).toEqual([
        one.day,
        !touched.has(one.day),
        0,
      ]);

    await hold({
      ...planted.amount,
      amount_minor: String(BigInt(planted.amount.amount_minor) + 1n),
    });
    await hold({ ...planted.state, ends: 'FAILED' });
    await hold({ ...planted.elsewhere, ext_id: '0123456789ABCDEFGHJK', tx_id: '1' });
    await compareAll();
    const {
      rows: [number],
    } = await merchant.owner.query(
      `SELECT request_id FROM withdraw_records WHERE merchant_id = $1 AND ext_id = $2`,
      [merchant.merchantId, planted.elsewhere.ext_id],
    );
    expect(await found()).toEqual([
      { kind: 'amount', reference: planted.amount.ext_id, day: day(planted.amount.at) },
      {
        kind: 'made_elsewhere',
        reference: `request:${number.request_id}`,
        day: day(planted.elsewhere.at),
      },
      { kind: 'missing_there', reference: '0123456789ABCDEFGHJK', day: day(planted.elsewhere.at) },
      { kind: 'state', reference: planted.state.ext_id, day: day(planted.state.at) },
    ]);

    await hold({ ...planted.elsewhere, amount_minor: planted.elsewhere.amount_minor });
    await compareAll();
    expect((await found()).map((one) => one.kind)).toEqual(['amount', 'missing_there', 'state']);
  }, 60_000);
});
