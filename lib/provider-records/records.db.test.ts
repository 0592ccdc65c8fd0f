import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Coverage from './coverage.ts';
import type { RecordList } from './list.ts';
import type * as ReadDays from './read-days.ts';
import { listing } from './testing/listing.ts';
import type { Line, Listing } from './testing/listing.ts';

/**
 * The mirror of the provider's lists, on a real database and with a provider in this process: after
 * a reading the mirror equals the provider's day, whatever failed in between.
 */

const DAY = '2026-03-06';
const RANGE = dayRange(DAY);
const FROM = Date.parse(RANGE.from);
const TO = Date.parse(RANGE.to);
const PAGE_MAX = 4;

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let coverage: typeof Coverage;
let reading: typeof ReadDays;
let box: Listing;
let read: Record<RecordList, () => Promise<boolean>>;
let today: string;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  coverage = await import('./coverage.ts');
  worker = await openProcess('dashboard_worker');
  reading = await import('./read-days.ts');
  today = dayIn(new Date().toISOString());
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});
beforeEach(async () => {
  box = listing(PAGE_MAX);
  const lists = {
    listTransactions: (...args: Parameters<Listing['listTransactions']>) =>
      box.listTransactions(...args),
    listWithdrawals: (...args: Parameters<Listing['listWithdrawals']>) =>
      box.listWithdrawals(...args),
  };
  read = {
    ledger: reading.dayReader(merchant.merchantId, 'ledger', lists),
    withdrawals: reading.dayReader(merchant.merchantId, 'withdrawals', lists),
  };
  for (const table of ['ledger_records', 'withdraw_records', 'record_days'])
    await merchant.owner.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [
      merchant.merchantId,
    ]);
});

/** Reads the days of the list that are due now, one after the other, until none is due. */
async function readAll(list: RecordList = 'ledger'): Promise<void> {
  while (await read[list]());
}

const want = (list: RecordList = 'ledger', days = { from: DAY, to: DAY }) =>
  coverage.wantDays(merchant.merchantId, list, days);
const cover = (list: RecordList = 'ledger', days = { from: DAY, to: DAY }) =>
  coverage.coverageOf(merchant.merchantId, list, days);
const stored = async (): Promise<string[]> =>
  (
    await merchant.owner.query<{ id: string }>(
      'SELECT id FROM ledger_records WHERE merchant_id = $1 ORDER BY id',
      [merchant.merchantId],
    )
  ).rows.map(({ id }) => id);
const rowOf = async (day = DAY, list: RecordList = 'ledger') =>
  (
    await merchant.owner.query(
      `SELECT *, next_at - clock_timestamp() AS wait,
        extract(epoch FROM next_at - clock_timestamp())::float8 AS seconds FROM record_days
        WHERE merchant_id = $1 AND list = $2 AND day = $3`,
      [merchant.merchantId, list, day],
    )
  ).rows[0];
const passTime = () =>
  merchant.owner.query(
    `UPDATE record_days SET next_at = clock_timestamp(), lease_until = NULL WHERE merchant_id = $1
      AND day = $2`,
    [merchant.merchantId, DAY],
  );
const lines = (count: number, at = FROM): Line[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `9${String(n).padStart(18, '0')}`,
    at: at + n * 1_000,
  }));

describe('a day that is asked for', () => {
  it('is read whole, in pages, with both ends; a line of 21:30 UTC is of the next Istanbul day', async () => {
    box.lines = [
      ...lines(10),
      { id: '8000000000000000001', at: Date.parse('2026-03-05T20:59:59.999Z') },
      { id: '8000000000000000002', at: Date.parse('2026-03-05T21:30:00Z') },
      { id: '8000000000000000003', at: TO },
    ];
    expect(await want()).toBe(1);
    await readAll();
    expect(box.asked.filter(({ from }) => from === RANGE.from)).toEqual(
      [0, 1, 2].map((index) => ({ ...RANGE, index })),
    );
    expect(await stored()).toEqual(
      [...lines(10).map(({ id }) => id), '8000000000000000002'].toSorted(),
    );
    expect(await cover()).toMatchObject({ complete: true, missing: [], problem: null });
    expect(await rowOf(), 'nothing in it can change any more').toMatchObject({
      records: 11,
      next_at: null,
      tries: 0,
    });
  });

  it('is asked for once, however many pages are opened, and not again when nothing can change in it', async () => {
    expect([await want(), await want()]).toEqual([1, 0]);
    await readAll();
    expect(await want()).toBe(0);
  });

  it('is told missing until it is read, and what is asked of the future is not', async () => {
    expect(await cover('ledger', { from: addDays(DAY, -1), to: DAY })).toMatchObject({
      complete: false,
      missing: [addDays(DAY, -1), DAY],
      asOf: null,
    });
    const ahead = await cover('ledger', { from: today, to: addDays(today, 5) });
    expect(ahead.missing).toEqual([today]);
  });

  it('is not finished while its last reading began before its end, and today never is', async () => {
    await want();
    await readAll();
    expect(await cover()).toMatchObject({ complete: true, unfinished: [] });
    await merchant.owner.query(
      `UPDATE record_days SET read_at = $3 WHERE merchant_id = $1 AND day = $2`,
      [merchant.merchantId, DAY, new Date(TO - 3_600_000)],
    );
    expect(await cover()).toMatchObject({ complete: false, missing: [], unfinished: [DAY] });
    const now = await cover('ledger', { from: today, to: today });
    expect(now).toMatchObject({ complete: false, missing: [], unfinished: [] });
  });
});

describe('without being asked', () => {
  it('the last month is read, newest first, and nothing before it', async () => {
    await readAll();
    const days = [...new Set(box.asked.map(({ from }) => from))];
    expect(days).toEqual(
      Array.from({ length: 32 }, (_, back) => dayRange(addDays(today, -back)).from),
    );
    expect(await cover('ledger', { from: addDays(today, -31), to: today })).toMatchObject({
      missing: [],
      complete: false,
    });
    expect(
      (await cover('ledger', { from: addDays(today, -31), to: addDays(today, -2) })).complete,
    ).toBe(true);
  });

  it('today is read every five seconds while somebody is at the desk, and every minute otherwise', async () => {
    await readAll();
    expect((await rowOf(today)).seconds).toBeGreaterThan(30);
    await comeToTheDesk();
    await readAll();
    expect((await rowOf(today)).seconds).toBeLessThanOrEqual(5);
    await merchant.owner.query('DELETE FROM sessions WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
  });

  it('an older day has its turn although the reading of today outlasts its pause', async () => {
    await readAll();
    await comeToTheDesk();
    await want();
    box.before = () => pause(5_100, undefined);
    await read.ledger();
    box.before = () => undefined;
    box.asked = [];
    await read.ledger();
    expect(box.asked.map(({ from }) => from)).toEqual([RANGE.from]);
    await merchant.owner.query('DELETE FROM sessions WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
  }, 30_000);

  it('of today only the end is read between two whole readings, and what is new there is found', async () => {
    box.lines = lines(10, Date.now() - 60_000);
    await readAll();
    await merchant.owner.query(
      `UPDATE record_days SET next_at = clock_timestamp(),
        read_at = clock_timestamp() - interval '1 second' WHERE merchant_id = $1 AND day = $2`,
      [merchant.merchantId, today],
    );
    box.lines.push({ id: '7000000000000000001', at: Date.now() });
    box.asked = [];
    await readAll();
    expect(await stored()).toHaveLength(11);
    const [asked] = box.asked;
    // The reading begins about 26 minutes ago. It begins at midnight when that is within the last
    // half hour, or when a complete reading is due.
    expect(
      Date.parse(asked!.from) === Date.parse(dayRange(today).from) ||
        Math.abs(Date.now() - 26 * 60_000 - Date.parse(asked!.from)) < 3 * 60_000,
    ).toBe(true);
  });
});

describe('a record', () => {
  it('changed at the provider is changed here at the next reading, and an equal one is not written', async () => {
    box.lines = lines(2, Date.now() - 1_000);
    await readAll('withdrawals');
    const levels = async () =>
      (
        await merchant.owner.query<{ level: string }>(
          'SELECT level FROM withdraw_records WHERE merchant_id = $1 ORDER BY request_id',
          [merchant.merchantId],
        )
      ).rows.map(({ level }) => level);
    const written = async () =>
      (
        await merchant.owner.query<{ read_at: Date }>(
          'SELECT read_at FROM withdraw_records WHERE merchant_id = $1 ORDER BY request_id',
          [merchant.merchantId],
        )
      ).rows.map(({ read_at: at }) => at.getTime());
    expect(await levels()).toEqual(['pending', 'pending']);
    const before = await written();
    box.lines[0]!.level = 'completed';
    await merchant.owner.query(
      `UPDATE record_days SET next_at = clock_timestamp() WHERE merchant_id = $1 AND day = $2`,
      [merchant.merchantId, today],
    );
    await readAll('withdrawals');
    expect(await levels()).toEqual(['completed', 'pending']);
    const after = await written();
    expect([after[0]! > before[0]!, after[1]]).toEqual([true, before[1]]);
  });

  it('with a text that PostgreSQL cannot hold is stored without what it cannot hold', async () => {
    box.lines = [{ id: '7000000000000000009', at: FROM, description: 'a\u0000b\ud800' }];
    await want();
    await readAll();
    expect(
      (
        await merchant.owner.query(
          'SELECT description FROM ledger_records WHERE merchant_id = $1',
          [merchant.merchantId],
        )
      ).rows,
    ).toEqual([{ description: 'ab\ufffd' }]);
  });

  it('that was heard later is not undone by a reading that began earlier', async () => {
    box.lines = lines(1);
    let slow = true;
    box.before = async (index) => {
      if (!slow || index !== 0 || box.asked.at(-1)!.from !== RANGE.from) return undefined;
      slow = false;
      const stale = structuredClone(box.lines);
      box.lines[0]!.statusId = 60;
      await passTime();
      await read.ledger();
      box.lines = stale;
      return undefined;
    };
    await readAll();
    await want();
    await readAll();
    expect(
      (
        await merchant.owner.query('SELECT status_id FROM ledger_records WHERE merchant_id = $1', [
          merchant.merchantId,
        ])
      ).rows,
    ).toEqual([{ status_id: 60 }]);
  });
});

describe('a reading that is cut short', () => {
  it.each([
    ['a provider that does not answer', { kind: 'no_answer', why: 'refused' } as const, 'refused'],
    [
      'a provider that ignores our filter',
      { kind: 'no_answer', why: 'filter_ignored' } as const,
      'filter_ignored',
    ],
  ])('by %s keeps what it has, says why, and is tried again later', async (_what, answer, why) => {
    await readAll();
    box.lines = lines(10);
    box.before = (index) => (index === 2 ? answer : undefined);
    await want();
    await readAll();
    expect(await stored()).toHaveLength(8);
    const cut = await cover();
    expect(cut).toMatchObject({
      complete: false,
      missing: [DAY],
      asOf: null,
      readSoFar: 8,
      problem: { why, days: [DAY] },
    });
    expect(await rowOf()).toMatchObject({ tries: 1, read_at: null, lease_until: null });
    expect((await rowOf()).seconds).toBeGreaterThan(0);
    expect(await want(), 'pages that are opened do not ask in its stead').toBe(0);
    box.before = () => undefined;
    await passTime();
    await readAll();
    expect([await stored(), await cover()]).toMatchObject([
      { length: 10 },
      { complete: true, problem: null },
    ]);
  });

  it('by dates that the provider ignores proves nothing about the day', async () => {
    await readAll();
    box.lines = lines(3, TO + 3_600_000);
    const { listTransactions } = box;
    box.listTransactions = (_range, page) =>
      listTransactions({ from: RANGE.from, to: new Date(TO + 86_400_000).toISOString() }, page);
    await want();
    await readAll();
    expect(await cover()).toMatchObject({
      complete: false,
      missing: [DAY],
      problem: { why: 'dates_ignored' },
    });
    expect(await stored()).toEqual([]);
  });

  it('by the end of its worker is taken up by another when the lease is over, and not before', async () => {
    await readAll();
    box.lines = lines(10);
    box.before = (index) => {
      if (index === 1) throw new Error('killed');
      return undefined;
    };
    await want();
    await expect(read.ledger()).rejects.toThrow('killed');
    box.before = () => undefined;
    await readAll();
    expect([(await stored()).length, (await cover()).complete]).toEqual([4, false]);
    await merchant.owner.query(
      `UPDATE record_days SET lease_until = clock_timestamp() WHERE merchant_id = $1 AND day = $2`,
      [merchant.merchantId, DAY],
    );
    await readAll();
    expect([(await stored()).length, (await cover()).complete]).toEqual([10, true]);
  });

  it('by lines that came before its place is not called read', async () => {
    await readAll();
    box.lines = lines(10);
    box.before = (index) => {
      if (index === 1) box.lines.push({ id: '7000000000000000001', at: FROM });
      return undefined;
    };
    await want();
    await read.ledger();
    expect(await cover()).toMatchObject({ complete: false, problem: { why: 'moved' } });
    box.before = () => undefined;
    await passTime();
    await readAll();
    expect([(await stored()).length, (await cover()).complete]).toEqual([11, true]);
  });

  const accident = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'none' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('added' as const),
        count: fc.integer({ min: 1, max: 7 }),
        at: fc.integer({ min: 0, max: 90_000_000 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'silent' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'killed' as const }) },
  );
  it('or not: a day called read equals the provider’s day, whatever happened between the pages', async () => {
    await readAll();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 86_400_000 }), { maxLength: 25 }),
        fc.array(accident, { maxLength: 14 }),
        async (moments, accidents) => {
          await merchant.owner.query('DELETE FROM ledger_records WHERE merchant_id = $1', [
            merchant.merchantId,
          ]);
          await merchant.owner.query(
            'DELETE FROM record_days WHERE merchant_id = $1 AND day = $2',
            [merchant.merchantId, DAY],
          );
          let made = 0;
          const line = (at: number): Line => ({
            id: `6${String((made += 1)).padStart(18, '0')}`,
            at: FROM + at,
          });
          box = listing(PAGE_MAX);
          box.lines = moments.map(line);
          const left = [...accidents];
          box.before = () => {
            const next = left.shift();
            if (next?.kind === 'added')
              box.lines.push(...Array.from({ length: next.count }, () => line(next.at)));
            if (next?.kind === 'killed') throw new Error('killed');
            return next?.kind === 'silent' ? { kind: 'no_answer', why: 'timeout' } : undefined;
          };
          await want();
          for (
            let round = 0;
            round < 40 && (left.length > 0 || !(await cover()).complete);
            round++
          ) {
            await passTime();
            await read.ledger().catch((error: Error) => expect(error.message).toBe('killed'));
            if ((await cover()).problem !== null || !(await cover()).complete) continue;
            const theirs = box.lines
              .filter(({ at }) => at >= FROM && at < TO)
              .map(({ id }) => id)
              .toSorted();
            if ((await rowOf()).lease_until === null) expect(await stored()).toEqual(theirs);
          }
          expect((await cover()).complete).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});

it('open pages learn of a day read for the first time and of changed records, and of nothing else', async () => {
  const events: string[] = [];
  const ear = await web.db.listen('dashboard', (payload) => {
    const event = JSON.parse(payload) as { merchantId: string; kind: string; id: string };
    if (
      event.merchantId === merchant.merchantId &&
      event.kind === 'records' &&
      event.id.endsWith(DAY)
    )
      events.push(event.id);
  });
  const silence = () => ear.query('SELECT 1');
  await want();
  await readAll();
  await silence();
  expect(events).toEqual([`ledger:${DAY}`]);
  await passTime();
  await readAll();
  await silence();
  expect(events).toHaveLength(1);
  box.lines = lines(1);
  await passTime();
  await readAll();
  await silence();
  expect(events).toHaveLength(2);
  await ear.end();
});

/** Somebody signs in, and today is due. */
async function comeToTheDesk(): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
      VALUES (gen_random_uuid(), $1, $2, $3, '', clock_timestamp() + interval '1 hour')`,
    [merchant.merchantId, merchant.person('clerk').personId, Buffer.from(String(Math.random()))],
  );
  await merchant.owner.query(
    `UPDATE record_days SET next_at = clock_timestamp() WHERE merchant_id = $1 AND day = $2`,
    [merchant.merchantId, today],
  );
}
