import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { storedMovement } from './testing/stored.ts';

/** The table of evidence is divided by month, which nobody who reads or writes it notices. */

const MONTHS_AHEAD = 2;

let merchant: TestMerchant;
let worker: Process;
let id: string;

beforeAll(async () => {
  merchant = await testMerchant();
  // The migration may have made the months of another month.
  await merchant.owner.query('SELECT add_evidence_months($1)', [MONTHS_AHEAD]);
  worker = await openProcess('dashboard_worker');
  id = await storedMovement(merchant, 'PENDING');
});
afterAll(async () => {
  await worker.db.disconnect();
  await merchant.close();
});

const INSERT = `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before,
  state_after, at) VALUES ($1, $2, 'read', 'read', '{}', 'PENDING', 'PENDING', $3)
  RETURNING tableoid::regclass::text AS part`;

const partOf = async (movement: string, at: Date): Promise<string> =>
  (await merchant.owner.query(INSERT, [merchant.merchantId, movement, at])).rows[0].part;

/** The noon of the first day in UTC, this many months from now. */
function firstOf(monthsFromNow: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsFromNow, 1, 12));
}

const nameOf = (at: Date): string =>
  `evidence_${at.getUTCFullYear()}_${String(at.getUTCMonth() + 1).padStart(2, '0')}`;

const partNames = async (): Promise<string[]> =>
  (
    await merchant.owner.query<{ part: string }>(
      `SELECT inhrelid::regclass::text AS part FROM pg_inherits
        WHERE inhparent = 'evidence'::regclass ORDER BY 1`,
    )
  ).rows.map(({ part }) => part);

/** Waits for the lock that `add_evidence_months` waits for, but until an autovacuum gives way. */
const LOCK = 'LOCK TABLE movements IN SHARE ROW EXCLUSIVE MODE';

/** Runs `work` in a transaction that is rolled back. */
async function undone(
  work: (query: (text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const client = await merchant.owner.connect();
  await client.query('BEGIN');
  try {
    await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

it('evidence of any time is stored, and read in the order in which it came', async () => {
  const times = [-60, 0, MONTHS_AHEAD, 240].map(firstOf);
  const parts: string[] = [];
  for (const at of times) parts.push(await partOf(id, at));
  expect(parts[0]).toBe('evidence_first');
  expect(parts.at(-1), 'of a month that nobody has made').toBe('evidence_rest');
  const { rows } = await merchant.owner.query<{ at: Date }>(
    `SELECT at FROM evidence WHERE movement_id = $1 ORDER BY id`,
    [id],
  );
  expect(rows.map(({ at }) => at)).toEqual(times);
});

it('a worker makes the months to come once, and web and worker write into them', async () => {
  const { db } = worker;
  const add = (ahead: number) =>
    db.inOne<{ made: number }>(
      merchant.merchantId,
      db.sql`SELECT add_evidence_months(${ahead}::int) AS made`,
    );
  // A call that does not get its lock in time leaves the rest to the next one.
  await expect
    .poll(async () => {
      await add(MONTHS_AHEAD + 2);
      return partNames();
    })
    .toContain(nameOf(firstOf(MONTHS_AHEAD + 2)));
  const before = await partNames();
  expect(await Promise.all([add(MONTHS_AHEAD + 2), add(1)])).toEqual([
    [{ made: 0 }],
    [{ made: 0 }],
  ]);
  expect(await partNames()).toEqual(before);
  const at = firstOf(MONTHS_AHEAD + 1);
  const [row] = await db.inTransaction(
    merchant.merchantId,
    (tx) => tx.$queryRaw<{ part: string }[]>`
      INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before,
        state_after, at) VALUES (${merchant.merchantId}::uuid, ${id}::uuid, 'read', 'read', '{}',
        'PENDING', 'PENDING', ${at}) RETURNING tableoid::regclass::text AS part`,
  );
  expect(row!.part).toBe(nameOf(at));
});

it('a month of which rows came first keeps them, and later months are made', async () =>
  undone(async (query) => {
    await query(LOCK);
    await query('SELECT add_evidence_months(6)');
    await query(INSERT, [merchant.merchantId, id, firstOf(8)]);
    const [first] = await query('SELECT add_evidence_months(10) AS made');
    expect((first as { made: number }).made).toBeGreaterThan(0);
    const parts = await query(INSERT, [merchant.merchantId, id, firstOf(8)]);
    expect(parts).toEqual([{ part: 'evidence_rest' }]);
    const later = await query(INSERT, [merchant.merchantId, id, firstOf(9)]);
    expect(later).not.toEqual([{ part: 'evidence_rest' }]);
    expect(await query('SELECT add_evidence_months(10) AS made')).toEqual([{ made: 0 }]);
  }));

it('months are made anew after the last one was taken away', async () =>
  undone(async (query) => {
    await query(LOCK);
    for (const part of await partNames())
      if (part !== 'evidence_rest') await query(`DROP TABLE ${part}`);
    const [row] = await query(`SELECT add_evidence_months(${MONTHS_AHEAD}) AS made`);
    expect((row as { made: number }).made).toBe(MONTHS_AHEAD + 1);
    expect(await query(INSERT, [merchant.merchantId, id, firstOf(0)])).not.toEqual([
      { part: 'evidence_rest' },
    ]);
  }));

it('no part lets a row be changed or deleted', async () => {
  for (const part of ['evidence', ...(await partNames())])
    for (const change of [`UPDATE ${part} SET kind = 'x'`, `DELETE FROM ${part}`])
      await undone(async (query) => {
        await query(INSERT, [merchant.merchantId, id, firstOf(MONTHS_AHEAD + 1)]);
        const { count } = (await query(`SELECT count(*)::int FROM ${part}`))[0] as {
          count: number;
        };
        if (count > 0) await expect(query(change)).rejects.toMatchObject({ code: 'MV010' });
      });
});

it('old months are taken away whole, but never one with evidence of an open movement', async () => {
  const done = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() });
  await undone(async (query) => {
    await query('ALTER TABLE evidence DETACH PARTITION evidence_first');
    const [ended, open] = ['evidence_ended', 'evidence_open'];
    for (const [part, movement, month] of [
      [ended, done, -3],
      [open, id, -2],
    ] as const) {
      await query(
        `CREATE TABLE ${part} PARTITION OF evidence FOR VALUES
          FROM ('${firstOf(month).toISOString()}') TO ('${firstOf(month + 1).toISOString()}')`,
      );
      await query(INSERT, [merchant.merchantId, movement, firstOf(month)]);
    }
    const detached = (await query(`SELECT detach_evidence_before($1::date) AS part`, [
      firstOf(0),
    ])) as { part: string }[];
    const names = detached.map(({ part }) => part);
    expect(names).toContain(ended);
    expect(names).not.toContain(open);
    expect(await query(`SELECT FROM evidence WHERE movement_id = $1`, [done])).toEqual([]);
    expect(await query(`SELECT FROM ${ended} WHERE movement_id = $1`, [done])).toHaveLength(1);
  });
});

it('a month is taken away from the day on at which it ends, and not a day before', async () => {
  const done = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() });
  const [begin, end] = [-3, -2].map((month) => firstOf(month).toISOString().slice(0, 10)) as [
    string,
    string,
  ];
  const detached = async (before: string): Promise<unknown[]> => {
    let found: unknown[] = [];
    await undone(async (query) => {
      await query('ALTER TABLE evidence DETACH PARTITION evidence_first');
      await query(
        `CREATE TABLE evidence_ended PARTITION OF evidence FOR VALUES
          FROM ('${begin} 00:00:00Z') TO ('${end} 00:00:00Z')`,
      );
      await query(INSERT, [merchant.merchantId, done, firstOf(-3)]);
      found = await query(`SELECT detach_evidence_before($1::date) AS part`, [before]);
    });
    return found;
  };
  expect(await detached(end)).toEqual([{ part: 'evidence_ended' }]);
  const dayBefore = new Date(Date.parse(end) - 24 * 60 * 60 * 1_000).toISOString();
  expect(await detached(dayBefore.slice(0, 10))).toEqual([]);
});

it('the month that is being written to cannot be taken away', async () =>
  undone(async (query) => {
    await expect(query(`SELECT detach_evidence_before($1::date)`, [firstOf(1)])).rejects.toThrow(
      'too late',
    );
  }));

it('a month is taken away only where no payment waits for it longer than half a second', async () => {
  const payment = await merchant.owner.connect();
  await payment.query('BEGIN');
  // The first lock that a payment takes.
  await payment.query('LOCK TABLE movements IN ROW EXCLUSIVE MODE');
  try {
    await undone(async (query) => {
      await expect(
        query(`SELECT detach_evidence_before($1::date)`, [firstOf(0)]),
      ).rejects.toMatchObject({ code: '55P03' });
    });
    await payment.query(INSERT, [merchant.merchantId, id, firstOf(0)]);
  } finally {
    await payment.query('ROLLBACK');
    payment.release();
  }
});
