import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as KeepTotals from '#lib/movements/keep-totals.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { addDays } from '#lib/values/dates.ts';
import { NO_FILTER, PAYOUT_PARTS, PAYOUT_VIEWS } from './filter.ts';
import type { PayoutFilter } from './filter.ts';
import type * as Conditions from './conditions.ts';
import type * as List from './list.ts';
import type * as Totals from './totals.ts';

/**
 * The totals that the database keeps as movements change: equal to a recount whatever happens to
 * the movements, however often the worker adds the changes to them, and read from few blocks.
 */

const WALLETS = ['4410270001', '4410270002'];
const KINDS = ['payout', 'transfer_own', 'cashout'];
const FIRST_DAY = '2026-01-20';
const DAYS = 75;
const WAYS: Record<string, string[]> = {
  DRAFT: ['AWAITING_APPROVAL'],
  AWAITING_APPROVAL: ['APPROVED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['SUBMITTING', 'CANCELLED'],
  SUBMITTING: ['PENDING', 'REJECTED', 'UNKNOWN'],
  UNKNOWN: ['COMPLETED', 'FAILED'],
  PENDING: ['MANUAL_REVIEW', 'COMPLETED', 'FAILED'],
  MANUAL_REVIEW: ['COMPLETED'],
};

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let list: typeof List;
let conditions: typeof Conditions;
let totals: typeof Totals;
let keep: typeof KeepTotals;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
  conditions = await import('./conditions.ts');
  totals = await import('./totals.ts');
  worker = await openProcess('dashboard_worker');
  keep = await import('#lib/movements/keep-totals.ts');
});
afterAll(() => Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]));

const known = new Map<string, string>();

async function make(kind: string, wallet: string, day: number, amount: number): Promise<void> {
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, created_at,
      to_wallet, phone)
     VALUES ($1, $2, $3, $4, 'DRAFT', $5, $6, 'Ad', $7, $8, $9, $10, '', 'h', $11,
       ($12::date + time '00:00:00') AT TIME ZONE 'Europe/Istanbul', $13, $14)`,
    [
      id,
      merchant.merchantId,
      kind,
      id.replaceAll('-', '').slice(0, 20).toUpperCase(),
      kind === 'cashout' ? '' : wallet,
      kind === 'transfer_own' ? '' : 'TR330006100519786457841326',
      kind === 'transfer_own' ? '' : '1234567890',
      amount,
      amount % 3 === 0 ? 'USD' : 'TRY',
      kind === 'payout' ? '06' : '',
      merchant.person('clerk').personId,
      addDays(FIRST_DAY, day),
      kind === 'transfer_own' ? '4410270009' : null,
      kind === 'cashout' ? '5330000201' : null,
    ],
  );
  known.set(id, 'DRAFT');
}

/** One legal step of a movement, or a change of what else its tab depends on. */
async function change(pick: number): Promise<void> {
  const all = [...known];
  if (all.length === 0) return;
  const [id, state] = all[pick % all.length]!;
  const next = WAYS[state]?.[pick % WAYS[state].length];
  if (next !== undefined) {
    await merchant.owner.query(
      `UPDATE movements SET state = $2, sends = sends + $3 WHERE id = $1`,
      [id, next, next === 'SUBMITTING' ? 1 : 0],
    );
    known.set(id, next);
  } else if (state === 'COMPLETED')
    await merchant.owner.query(
      `UPDATE movements SET returned = CASE returned WHEN 'NONE' THEN 'REPORTED'
        ELSE 'CONFIRMED' END WHERE id = $1`,
      [id],
    );
  else
    await merchant.owner.query(
      `UPDATE movements SET alert = CASE WHEN alert IS NULL THEN 'contradiction' END WHERE id = $1`,
      [id],
    );
}

const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...KINDS),
        fc.constantFrom(...WALLETS),
        fc.nat({ max: DAYS }),
        fc.integer({ min: 1, max: 1e9 }),
      )
      .map((made) => ({ run: () => make(...made) })),
  },
  { weight: 8, arbitrary: fc.nat().map((pick) => ({ run: () => change(pick) })) },
  { weight: 1, arbitrary: fc.constant({ run: () => keep.foldTotals(merchant.merchantId) }) },
);
const day = fc.option(fc.nat({ max: DAYS }).map((n) => addDays(FIRST_DAY, n)));
const asked = fc
  .record({
    view: fc.constantFrom(...PAYOUT_VIEWS),
    part: fc.option(fc.constantFrom(...PAYOUT_PARTS)),
    wallet: fc.option(fc.constantFrom(...WALLETS, 'cards')),
    days: fc.tuple(day, day),
    of: fc.constantFrom('payouts' as const, 'transfers' as const),
  })
  .map(({ days: [from, to], of, ...rest }) => {
    const isTurned = from !== null && to !== null && from > to;
    const filter: PayoutFilter = {
      ...NO_FILTER,
      ...rest,
      ...(isTurned ? { from: to, to: from } : { from, to }),
    };
    return { filter, of };
  });

async function recount(filter: PayoutFilter, of: Conditions.Listed): Promise<Totals.PayoutTotal[]> {
  const [row] = await web.db.inOne<{ totals: Totals.PayoutTotal[] }>(
    merchant.merchantId,
    web.db.sql`SELECT ${totals.totalsOf(
      conditions.payoutConditions(merchant.person('owner'), filter, of),
    )} AS totals`,
  );
  return row!.totals.map((one) => ({
    ...one,
    sum: `${one.sum.padStart(3, '0').slice(0, -2)}.${one.sum.padStart(3, '0').slice(-2)}`,
  }));
}

describe('the totals that are kept', () => {
  test('equal a recount for every filter, after any changes and however they were added up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { maxLength: 25 }),
        fc.array(asked, { minLength: 8, maxLength: 8 }),
        async (acts, filters) => {
          for (const one of acts) await one.run();
          for (const { filter, of } of filters)
            expect(await list.sumPayouts(merchant.person('owner'), filter, of)).toEqual(
              await recount(filter, of),
            );
        },
      ),
      { numRuns: 25 },
    );
    await merchant.owner.query('DELETE FROM movement_total_checks WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect(await keep.checkTotals(merchant.merchantId)).toBe(0);
  }, 120_000);

  test('do not count a change that was rolled back', async () => {
    const before = await list.sumPayouts(merchant.person('owner'), NO_FILTER);
    await expect(
      web.db.inTransaction(merchant.merchantId, async (tx) => {
        await tx.$executeRaw`UPDATE movements SET state = 'CANCELLED'
          WHERE merchant_id = ${merchant.merchantId}::uuid AND state = 'AWAITING_APPROVAL'`;
        throw new Error('the process ends here');
      }),
    ).rejects.toThrow('the process ends here');
    expect(await list.sumPayouts(merchant.person('owner'), NO_FILTER)).toEqual(before);
  });

  test('are added up by two workers at once, each change once', async () => {
    for (let n = 0; n < 40; n += 1) await make('payout', WALLETS[n % 2]!, n, 1_000 + n);
    const waiting = await waitingChanges();
    const other = await openProcess('dashboard_worker');
    const { foldTotals } = await import('#lib/movements/keep-totals.ts');
    const folded = await Promise.all(
      [keep.foldTotals, foldTotals].map((fold) => fold(merchant.merchantId)),
    );
    await other.db.disconnect();
    expect(folded.reduce((sum, one) => sum + one, 0)).toBe(waiting);
    expect(await waitingChanges()).toBe(0);
    expect(await list.sumPayouts(merchant.person('owner'), NO_FILTER)).toEqual(
      await recount(NO_FILTER, 'payouts'),
    );
  });

  test('do not make a change of one movement wait for that of another', async () => {
    await make('payout', WALLETS[0]!, 1, 3_000);
    await make('payout', WALLETS[0]!, 1, 3_001);
    const [one, other] = [...known].slice(-2).map(([id]) => id);
    const open = await merchant.owner.connect();
    try {
      await open.query('BEGIN');
      await open.query(`UPDATE movements SET state = 'AWAITING_APPROVAL' WHERE id = $1`, [one]);
      await merchant.owner.query(`UPDATE movements SET state = 'AWAITING_APPROVAL' WHERE id = $1`, [
        other,
      ]);
      await keep.foldTotals(merchant.merchantId);
      await open.query('COMMIT');
    } finally {
      open.release();
    }
    expect(await list.sumPayouts(merchant.person('owner'), NO_FILTER)).toEqual(
      await recount(NO_FILTER, 'payouts'),
    );
  });

  test('are compared with the movements once a day, and what differs is reported', async () => {
    await keep.foldTotals(merchant.merchantId);
    await merchant.owner.query(
      `UPDATE movement_totals SET sum_minor = sum_minor + 1 WHERE ctid = (SELECT ctid
        FROM movement_totals WHERE merchant_id = $1 AND span = 'month' AND count > 0 LIMIT 1)`,
      [merchant.merchantId],
    );
    const check = () => keep.checkTotals(merchant.merchantId);
    await merchant.owner.query('DELETE FROM movement_total_checks WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect([await check(), await check()]).toEqual([1, null]);
    const { makeNotifications } = await import('#lib/notifications/make.ts');
    await makeNotifications(merchant.merchantId, { mails: false });
    const { rows } = await merchant.owner.query<{ count: number }>(
      `SELECT DISTINCT (detail ->> 'count')::int AS count FROM notifications
        WHERE merchant_id = $1 AND kind = 'totals_differ'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('are compared from the first movement on, also where they are gone', async () => {
    for (const day of [0, DAYS]) await make('payout', WALLETS[0]!, day, 5_000);
    await keep.foldTotals(merchant.merchantId);
    await merchant.owner.query('SELECT recount_movement_totals()');
    const gone = await merchant.owner.query(
      'DELETE FROM movement_totals WHERE merchant_id = $1 AND count > 0',
      [merchant.merchantId],
    );
    expect(await checkAgain()).toBe(gone.rowCount);
    await merchant.owner.query('SELECT recount_movement_totals()');
    expect(await checkAgain()).toBe(0);
  });
});

async function checkAgain(): Promise<number | null> {
  await merchant.owner.query('DELETE FROM movement_total_checks WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  return keep.checkTotals(merchant.merchantId);
}

async function waitingChanges(): Promise<number> {
  const { rows } = await merchant.owner.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM movement_total_changes WHERE merchant_id = $1',
    [merchant.merchantId],
  );
  return rows[0]!.n;
}
