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
import type { BookDay } from './book.ts';
import { countOddLines } from './breaks.ts';
import type { Break, LineBreak } from './breaks.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { reportedBalances } from './evidence.ts';
import type { ReportedBalance } from './evidence.ts';
import { closedDays, lastClosedDay, movedIn } from './figures.ts';
import type { ClosedBy, Days, LastClosed } from './figures.ts';
import { lateDays, waitingOf } from './late.ts';
import { endsOf, openingHere } from './month-balances.ts';

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
  reported: { at: string; total: string; book: string | null } | null;
  breaks: { kind: Break; count: number }[];
};

export type MonthView = {
  wallet: EffectsOf;
  month: string;
  days: DayView[];
  /** The sums over the shown days that have begun. */
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
  const [clock] = await inOne<{ now: Date }>(merchantId, sql`SELECT clock_timestamp() AS now`);
  const { now } = clock!;
  const today = dayIn(now.toISOString(), zone);
  const { from, to: end } = monthDays(month);
  const days: Days = { from, to: end < today ? end : today, zone };
  await wantDays(merchantId, 'ledger', { from: addDays(from, -1), to: days.to });
  const [last, lastBefore] = await Promise.all([
    lastClosedDay(merchantId, of.wallet),
    lastClosedDay(merchantId, of.wallet, from),
  ]);
  const [moved, closed, odd, reported, coverage, unread, late, waiting] = await Promise.all([
    movedIn(merchantId, of, days),
    closedDays(merchantId, of.wallet, days),
    countOddLines(merchantId, of, days),
    reportedBalances(merchantId, of, days),
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
      reported: reported.get(one.day) ?? null,
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

/**
 * Days that were not read after their end, or whose previous day was not: a payout made at 23:59
 * belongs to the day in which it is completed.
 */
async function unreadDays(merchantId: string, days: Days): Promise<Set<string>> {
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

type About = {
  ends: bigint | null;
  closed: ClosedBy | null;
  reported: ReportedBalance | null;
  odd: ReadonlyMap<LineBreak, number>;
  unread: boolean;
  today: string;
  first: string | null;
};

function dayView(
  one: BookDay,
  { ends, closed, reported, odd, unread, today, first }: About,
): DayView {
  const isToday = one.day === today;
  const book = reported === null || ends === null ? null : ends - reported.after;
  const about: [Break, number][] = [
    ['not_read', unread && !isToday && closed === null ? 1 : 0],
    [
      'balance',
      reported !== null && book !== null && reported.total !== book && !(unread && closed === null)
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
    reported: reported && { at: reported.at, total: toDecimal(reported.total), book: text(book) },
    breaks: about.filter(([, count]) => count > 0).map(([kind, count]) => ({ kind, count })),
  };
}

/**
 * Days are closed in order. The first close may be of any day up to the first that is not read to
 * its end: the records begin there.
 */
function closableDays(views: readonly DayView[], last: LastClosed): string[] {
  const ready: string[] = [];
  for (const one of views) {
    if (one.state !== 'open' || (last !== null && one.day <= last.last)) continue;
    const follows = last === null || one.day === addDays(ready.at(-1) ?? last.last, 1);
    // A first opening is counted from the beginning of the month: it needs every day before it too.
    if (!follows || one.opening === null || one.breaks.some(({ kind }) => kind === 'not_read'))
      break;
    ready.push(one.day);
  }
  return ready;
}

function text(amount: bigint | null): string | null {
  return amount === null ? null : toDecimal(amount);
}

function listDays({ from, to }: Pick<Days, 'from' | 'to'>): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
