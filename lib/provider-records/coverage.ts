import 'server-only';
import { addDays, dayRange, dayIn } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { wakeWorkers } from '#lib/live/publish.ts';
import { DAYS_MAX } from './days.ts';
import type { RecordList } from './list.ts';
import { askedFor, isComplete } from './policy.ts';
import type { Span } from './policy.ts';

/**
 * How complete the mirror is for some days of a list. Days are those of the workspace; future days
 * are not included.
 */
export type Coverage = {
  /** Every day was read after it had ended and after the listing lag. */
  complete: boolean;
  /** Days of which no reading was ever completed. */
  missing: string[];
  /**
   * Days that are over and were last read before their end, or before every entry of them was listed.
   */
  unfinished: string[];
  /**
   * The oldest time that the shown data may be from: of the days that can still change, else of
   * all. ISO; null when no day was read.
   */
  asOf: string | null;
  /** Records stored so far of the missing days. */
  readSoFar: number;
  /**
   * Why the last reading of these days failed: a short id, never a text for people.
   */
  problem: { why: string; days: string[] } | null;
};

/**
 * Queues those days of a list that are older than a reader may expect; a worker reads them. Returns
 * how many were queued. Of a longer range only the last {@link DAYS_MAX} days.
 */
export async function wantDays(
  merchantId: string,
  list: RecordList,
  range: DayRange,
): Promise<number> {
  return inTransaction(merchantId, async (tx) => {
    const { days, now } = await daysOf(tx, merchantId, list, range);
    const asked = days.flatMap(({ day, span, row }) => {
      const at = askedFor(span, row, now);
      return at === null || (row?.nextAt != null && row.nextAt <= at)
        ? []
        : [{ day, at: new Date(at) }];
    });
    if (asked.length === 0) return 0;
    await tx.$executeRaw`
      INSERT INTO record_days (merchant_id, list, day, next_at)
      SELECT ${merchantId}::uuid, ${list}, day, at
        FROM unnest(${asked.map(({ day }) => day)}::date[],
        ${asked.map(({ at }) => at)}::timestamptz[]) AS w (day, at)
      ON CONFLICT (merchant_id, list, day) DO UPDATE
        SET next_at = least(record_days.next_at, excluded.next_at)`;
    await wakeWorkers(tx);
    return asked.length;
  });
}

/** Which days of a list are read, and as of when. `tx`: an open transaction that reads it. */
export async function coverageOf(
  merchantId: string,
  list: RecordList,
  range: DayRange,
  tx?: Tx,
): Promise<Coverage> {
  const readIn = (open: Tx) => daysOf(open, merchantId, list, range);
  const { days, now } = await (tx ? readIn(tx) : inTransaction(merchantId, readIn));
  const missing = days.filter(({ row }) => row?.readAt == null);
  const read = days.flatMap(({ day, span, row }) =>
    row?.readAt == null
      ? []
      : [
          {
            day,
            at: row.readAt,
            isOver: now >= span.to,
            complete: isComplete(span, row.readAt),
          },
        ],
  );
  const open = read.filter(({ complete }) => !complete);
  const moments = (open.length > 0 ? open : read).map(({ at }) => at);
  const failing = days.filter(({ row }) => row?.problem != null);
  return {
    complete: missing.length === 0 && open.length === 0,
    missing: missing.map(({ day }) => day),
    unfinished: open.filter(({ isOver }) => isOver).map(({ day }) => day),
    asOf: moments.length === 0 ? null : new Date(Math.min(...moments)).toISOString(),
    readSoFar: missing.reduce((sum, { row }) => sum + (row?.records ?? 0), 0),
    problem:
      failing.length === 0
        ? null
        : { why: failing.at(-1)!.row!.problem!, days: failing.map(({ day }) => day) },
  };
}

type Row = {
  day: string;
  readAt: number | null;
  tries: number;
  nextAt: number | null;
  problem: string | null;
  records: number;
};

async function daysOf(
  tx: Tx,
  merchantId: string,
  list: RecordList,
  range: DayRange,
): Promise<{ days: { day: string; span: Span; row: Row | null }[]; now: number }> {
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  const zone = env().timeZone;
  const today = dayIn(now.toISOString(), zone);
  const to = range.to < today ? range.to : today;
  const earliest = addDays(to, 1 - DAYS_MAX);
  const from = range.from > earliest ? range.from : earliest;
  const rows = await tx.$queryRaw<
    (Omit<Row, 'readAt' | 'nextAt'> & { readAt: Date | null; nextAt: Date | null })[]
  >`
    SELECT day::text, read_at AS "readAt", tries, next_at AS "nextAt", problem, records FROM record_days
    WHERE merchant_id = ${merchantId}::uuid AND list = ${list} AND day BETWEEN ${from}::date AND ${to}::date`;
  const known = new Map(
    rows.map((row) => [
      row.day,
      { ...row, readAt: row.readAt?.getTime() ?? null, nextAt: row.nextAt?.getTime() ?? null },
    ]),
  );
  const days: { day: string; span: Span; row: Row | null }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const span = dayRange(day, zone);
    days.push({
      day,
      span: { from: Date.parse(span.from), to: Date.parse(span.to) },
      row: known.get(day) ?? null,
    });
  }
  return { days, now: now.getTime() };
}
