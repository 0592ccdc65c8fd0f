import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { addDays, dayIn, monthDays } from '#lib/values/dates.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { coverageOf, wantDays } from '#lib/provider-records/coverage.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import { LAG_MS } from '#lib/provider-records/policy.ts';
import { bookDays } from './book.ts';
import type { BookDay, Moved } from './book.ts';
import { countOddLines, listOddLines } from './breaks.ts';
import type { Break, LineBreak } from './breaks.ts';
import { startOf } from './effects.ts';
import type { EffectsOf } from './effects.ts';
import { balancesHeard, openingOf } from './evidence.ts';
import type { Heard } from './evidence.ts';
import {
  closedDays,
  foundLate,
  lastClosedDay,
  LATE_DAYS,
  lateOf,
  movedIn,
  netBetween,
} from './figures.ts';
import type { ClosedBy, Days, LastClosed } from './figures.ts';

const LINES_SHOWN = 50;

/**
 * One day of a wallet. Amounts are decimal text, null when unknown. `lines`: the number of ledger
 * entries that count.
 */
export type DayView = {
  day: string;
  /** `before`: earlier than the first day of the wallet's records. */
  state: 'closed' | 'open' | 'today' | 'before';
  opening: string | null;
  carried: string;
  in: string;
  out: string;
  fees: string;
  closing: string | null;
  lines: number;
  closed: ClosedBy | null;
  /**
   * Corrections found after the close: their sum, and the part that no later closed day carries
   * yet.
   */
  late: { net: string; waiting: string; lines: number } | null;
  /** The wallet's balance as reported by the provider, and by our records for the same moment. */
  heard: { at: string; total: string; book: string | null } | null;
  breaks: { kind: Break; count: number }[];
};

export type MonthView = {
  wallet: EffectsOf;
  month: string;
  days: DayView[];
  /** Over the shown days that have begun. */
  sums: { in: string; out: string; fees: string };
  coverage: Coverage;
  /** The days that can be closed now, in order. Closing one also closes all earlier ones. */
  closable: string[];
  /** A day of this wallet was closed before: its records have begun. */
  begun: boolean;
  can: { close: boolean };
  now: string;
};

/** A month of a wallet, one entry per day. Requests a reading of the days that are not read. */
export async function viewMonth(actor: Person, of: EffectsOf, month: string): Promise<MonthView> {
  assertMay(actor, 'wallet.read');
  const { merchantId } = actor;
  const zone = env().timeZone;
  const [{ now }] = (await inOne<{ now: Date }>(
    merchantId,
    sql`SELECT clock_timestamp() AS now`,
  )) as [{ now: Date }];
  const today = dayIn(now.toISOString(), zone);
  const { from, to: end } = monthDays(month);
  const days: Days = { from, to: end < today ? end : today, zone };
  await wantDays(merchantId, 'ledger', { from: addDays(from, -1), to: days.to });
  const [last, lastBefore] = await Promise.all([
    lastClosedDay(merchantId, of.wallet),
    lastClosedDay(merchantId, of.wallet, from),
  ]);
  const [moved, closed, odd, heard, coverage, unread, late, waiting] = await Promise.all([
    movedIn(merchantId, of, days),
    closedDays(merchantId, of.wallet, days),
    countOddLines(merchantId, of, days),
    balancesHeard(merchantId, of, days),
    coverageOf(merchantId, 'ledger', { from: addDays(from, -1), to: days.to }),
    unreadDays(merchantId, days),
    lateDays(merchantId, of, days, last),
    waitingOf(merchantId, of, last, zone),
  ]);
  const opening = await openingHere(merchantId, of, days, lastBefore, waiting);
  const book = bookDays({
    days: listDays(days),
    opening,
    moved,
    closed,
    late,
    lastClosed: last?.last ?? null,
    waiting,
  });
  const ends = await endsOf(merchantId, of, days, book, moved, last, waiting);
  const views = book.map((one, n): DayView =>
    dayView(one, {
      ends: ends[n]!,
      closed: closed.get(one.day) ?? null,
      heard: heard.get(one.day) ?? null,
      odd: odd.get(one.day) ?? new Map(),
      unread: unread.has(one.day),
      today,
      first: last?.first ?? null,
    }),
  );
  const sum = (pick: (one: BookDay) => bigint): string =>
    toDecimal(book.reduce((total, one) => total + pick(one), 0n));
  return {
    wallet: of,
    month: from,
    days: views,
    sums: { in: sum((one) => one.in), out: sum((one) => one.out), fees: sum((one) => one.fees) },
    coverage,
    closable: closableDays(views, last),
    begun: last !== null,
    can: { close: may(actor.role, 'day.close') },
    now: now.toISOString(),
  };
}

export type LateLine = {
  id: string;
  bookedDay: string;
  net: string;
  state: 'new' | 'changed' | 'gone' | 'carried';
  carriedOn: string | null;
  description: string | null;
};
export type DayDetail = {
  lines: {
    kind: LineBreak;
    id: string;
    at: string;
    amount: string;
    currency: string;
    description: string | null;
  }[];
  late: LateLine[];
};

/** The breaks of a day and its corrections after the close, the first fifty entries of each. */
export async function viewDay(actor: Person, of: EffectsOf, day: string): Promise<DayDetail> {
  assertMay(actor, 'wallet.read');
  const zone = env().timeZone;
  const days: Days = { from: day, to: day, zone };
  const last = await lastClosedDay(actor.merchantId, of.wallet);
  const isClosed = last !== null && day >= last.first && day <= last.last;
  const [lines, late] = await Promise.all([
    listOddLines(actor.merchantId, of, days, LINES_SHOWN),
    isClosed ? lateLines(actor.merchantId, of, day, lateRange(days, last)) : [],
  ]);
  return {
    lines: lines.map((line) => ({
      kind: line.kind,
      id: line.id,
      at: line.at.toISOString(),
      amount: toDecimal(line.amount_minor),
      currency: line.currency,
      description: line.description,
    })),
    late,
  };
}

async function lateLines(
  merchantId: string,
  of: EffectsOf,
  day: string,
  days: Days,
): Promise<LateLine[]> {
  const rows = await inOne<{
    record_id: string;
    net: string;
    gone: boolean;
    new: boolean;
    carried_on: string | null;
    description: string | null;
  }>(
    merchantId,
    sql`
    SELECT f.record_id, f.net::text, f.gone, f.new, f.carried_on::text,
      coalesce(l.to_description, l.description) AS description FROM (
      SELECT record_id, in_minor - out_minor - fee_minor AS net, gone, new, NULL::date AS carried_on
        FROM (${foundLate(of, days)}) f WHERE booked_day = ${day}::date
      UNION ALL
      SELECT record_id, in_minor - out_minor - fee_minor, false, false, day FROM closed_day_lines
        WHERE wallet = ${of.wallet} AND booked_day = ${day}::date AND day > booked_day) f
    LEFT JOIN ledger_records l ON l.id = f.record_id ORDER BY f.carried_on NULLS FIRST, f.record_id
      LIMIT ${LINES_SHOWN}`,
  );
  return rows.map((row) => ({
    id: row.record_id,
    bookedDay: day,
    net: toDecimal(BigInt(row.net)),
    state: row.carried_on !== null ? 'carried' : row.new ? 'new' : row.gone ? 'gone' : 'changed',
    carriedOn: row.carried_on,
    description: row.description,
  }));
}

/**
 * From the last closed day before these days, or else from a balance that the provider reported.
 */
async function openingHere(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  before: LastClosed,
  waiting: bigint,
): Promise<bigint | null> {
  if (before === null) return openingOf(merchantId, of, days.from, days.zone);
  if (addDays(before.last, 1) === days.from) return before.closing;
  return (
    before.closing +
    waiting +
    (await netBetween(
      merchantId,
      of,
      startOf(addDays(before.last, 1), days.zone),
      startOf(days.from, days.zone),
    ))
  );
}

async function waitingOf(
  merchantId: string,
  of: EffectsOf,
  last: LastClosed,
  zone: string,
): Promise<bigint> {
  if (last === null) return 0n;
  const [row] = await inOne<{ net: string }>(
    merchantId,
    sql`SELECT coalesce(sum(in_minor - out_minor - fee_minor), 0)::text AS net
      FROM (${foundLate(of, lateWindow(last, zone))}) f`,
  );
  return BigInt(row!.net);
}

/** Closed days for which corrections may still be found. */
export function lateWindow({ first, last }: NonNullable<LastClosed>, zone: string): Days {
  const from = addDays(last, 1 - LATE_DAYS);
  return { from: from > first ? from : first, to: last, zone };
}

/** An entry may have moved to another closed day, so its effect is searched a month around. */
function lateRange(days: Days, { first, last }: NonNullable<LastClosed>): Days {
  const [from, to] = [addDays(days.from, -31), addDays(days.to, 31)];
  return { from: from > first ? from : first, to: to < last ? to : last, zone: days.zone };
}

async function lateDays(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  last: LastClosed,
): ReturnType<typeof lateOf> {
  return last === null || days.from > last.last || days.to < last.first
    ? new Map()
    : lateOf(merchantId, of, lateRange(days, last));
}

/**
 * Days that were not read after their end, or whose previous day was not: a payout made at 23:59
 * belongs to the day in which it is completed.
 */
export async function unreadDays(merchantId: string, days: Days): Promise<Set<string>> {
  const rows = await inOne<{ day: string }>(
    merchantId,
    sql`
    SELECT day::text FROM record_days WHERE list = 'ledger' AND day BETWEEN ${days.from}::date - 1
      AND ${days.to}::date
      AND read_at >= ((day + 1)::timestamp AT TIME ZONE ${days.zone})
        + make_interval(secs => ${LAG_MS / 1_000})`,
  );
  const read = new Set(rows.map(({ day }) => day));
  return new Set(listDays(days).filter((day) => !read.has(day) || !read.has(addDays(day, -1))));
}

/**
 * The wallet's balance at the end of each day by the current entries. For open days it is their
 * closing; for closed ones it is computed back from the last of them, because corrections are in
 * the balance but not in the frozen figures.
 */
async function endsOf(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  book: readonly BookDay[],
  moved: ReadonlyMap<string, Moved>,
  last: LastClosed,
  waiting: bigint,
): Promise<(bigint | null)[]> {
  const ends = book.map((one) => one.closing);
  if (last === null || last.last < days.from) return ends;
  const beyond =
    last.last > days.to
      ? await netBetween(
          merchantId,
          of,
          startOf(addDays(days.to, 1), days.zone),
          startOf(addDays(last.last, 1), days.zone),
        )
      : 0n;
  let end = last.closing + waiting - beyond;
  for (let n = book.length - 1; n >= 0; n -= 1) {
    const one = book[n]!;
    if (one.day > last.last) continue;
    if (one.state === 'closed') ends[n] = end;
    const { in: into, out, fees } = moved.get(one.day) ?? { in: 0n, out: 0n, fees: 0n };
    end -= into - out - fees;
  }
  return ends;
}

type About = {
  ends: bigint | null;
  closed: ClosedBy | null;
  heard: Heard | null;
  odd: ReadonlyMap<LineBreak, number>;
  unread: boolean;
  today: string;
  first: string | null;
};

function dayView(one: BookDay, { ends, closed, heard, odd, unread, today, first }: About): DayView {
  const isToday = one.day === today;
  const book = heard === null || ends === null ? null : ends - heard.after;
  const about: [Break, number][] = [
    ['not_read', unread && !isToday && closed === null ? 1 : 0],
    [
      'balance',
      heard !== null && book !== null && heard.total !== book && !(unread && closed === null)
        ? 1
        : 0,
    ],
    [
      'negative',
      [one.opening, one.closing, one.lowest].some((amount) => amount !== null && amount < 0n)
        ? 1
        : 0,
    ],
    ...odd,
  ];
  return {
    day: one.day,
    state: isToday ? 'today' : first !== null && one.day < first ? 'before' : one.state,
    opening: text(one.opening),
    carried: toDecimal(one.carried),
    in: toDecimal(one.in),
    out: toDecimal(one.out),
    fees: toDecimal(one.fees),
    closing: text(one.closing),
    lines: one.lines,
    closed,
    late: one.late && {
      net: toDecimal(one.late.net),
      waiting: toDecimal(one.late.net - one.late.carried),
      lines: one.late.lines,
    },
    heard: heard && { at: heard.at, total: toDecimal(heard.total), book: text(book) },
    breaks: about.filter(([, count]) => count > 0).map(([kind, count]) => ({ kind, count })),
  };
}

/**
 * Days are closed in order. The first close may be of any day that has ended: the records begin
 * there.
 */
function closableDays(views: readonly DayView[], last: LastClosed): string[] {
  const ready: string[] = [];
  for (const one of views) {
    if (one.state !== 'open' || (last !== null && one.day <= last.last)) continue;
    const follows = last === null || one.day === addDays(ready.at(-1) ?? last.last, 1);
    if (!follows || one.opening === null || one.breaks.some(({ kind }) => kind === 'not_read')) {
      if (last === null) continue;
      break;
    }
    ready.push(one.day);
  }
  return ready;
}

function text(amount: bigint | null): string | null {
  return amount === null ? null : toDecimal(amount);
}

export function listDays({ from, to }: Pick<Days, 'from' | 'to'>): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
