import { triesOf, waitAfter } from '#lib/values/back-off.ts';

/**
 * When a day of the provider's listings is read, and when it is complete. Pure; times in
 * milliseconds, days as half-open instants. An entry is listed up to 20 minutes after its creation
 * (`contract`, at peak); a return changes the entries of a day for a month (docs/money-rules.md,
 * "Reads"); a withdraw request changes its level when the bank answers.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The listing lag: after it, every entry of a moment is listed. */
export const LAG_MS = 20 * MINUTE_MS;
/** How often today is read while a person is using the product, and otherwise. */
const ACTIVE_MS = 5 * SECOND_MS;
const IDLE_MS = MINUTE_MS;
/**
 * How often a past day is read again, by its age: the older the day, the rarer its changes.
 */
const AGAIN: readonly { youngerMs: number; everyMs: number }[] = [
  { youngerMs: LAG_MS + 10 * MINUTE_MS, everyMs: MINUTE_MS },
  { youngerMs: DAY_MS, everyMs: 15 * MINUTE_MS },
  { youngerMs: 7 * DAY_MS, everyMs: 6 * HOUR_MS },
  { youngerMs: 31 * DAY_MS, everyMs: DAY_MS },
];
/** Days before today that are read without a request, because they may still change. */
export const WINDOW_DAYS = 31;

/**
 * Between two complete readings of today only its end is read: from the start of the last reading
 * minus the listing lag.
 */
const WHOLE_EVERY_MS = 5 * MINUTE_MS;
/** The more records a day has, the rarer its complete readings. */
const WHOLE_EVERY_MS_PER_RECORD = 20;
const CLOCKS_APART_MS = 5 * MINUTE_MS;

/** Delay after entries moved between pages: short at first, longer if it keeps happening. */
const MOVED_MS = SECOND_MS;

/** `from` ≤ t < `to`. */
export type Span = { from: number; to: number };

/**
 * Earlier readings of a day, from `record_days`. `readAt`: start of the last complete reading.
 */
export type Known = { readAt: number | null; tries: number };

/** Whether a day was read after it had ended and after the listing lag. */
export function isComplete(day: Span, readAt: number | null): boolean {
  return readAt !== null && readAt >= day.to + LAG_MS;
}

/**
 * Between two readings of a day older days have their turn: the newest due day is read first, and a
 * reading of a long day may take longer than the pause after it began.
 */
const TURN_MS = SECOND_MS;

/**
 * When to read a day again after a reading that took from `begunAt` to `endedAt`; null when it can
 * no longer change.
 */
export function nextReading(
  day: Span,
  { begunAt, endedAt }: { begunAt: number; endedAt: number },
  personActive: boolean,
): number | null {
  const every = pauseAt(day, begunAt, personActive) ?? (isComplete(day, begunAt) ? null : IDLE_MS);
  return every === null ? null : Math.max(begunAt + every, endedAt + TURN_MS);
}

function pauseAt(day: Span, at: number, personActive: boolean): number | null {
  const age = at - day.to;
  if (age < 0) return personActive ? ACTIVE_MS : IDLE_MS;
  return AGAIN.find(({ youngerMs }) => age < youngerMs)?.everyMs ?? null;
}

/** When to retry after `tries` failed readings in a row. */
export function retryAt(now: number, tries: number, why: string): number {
  const isShort = why === MOVED && tries <= triesOf('records');
  return now + (isShort ? MOVED_MS : waitAfter('records', tries));
}

/**
 * The problem of a reading that read fewer entries than the provider counts, because new ones came
 * while the pages were read.
 */
export const MOVED = 'moved';

/**
 * The start of a reading within its day. Today is read completely from time to time, for changed
 * entries, and from near its end otherwise. A past day is always read completely.
 */
export function readingFrom(
  day: Span,
  known: { readAt: number | null; records: number },
  now: number,
): number {
  if (known.readAt === null || now >= day.to) return day.from;
  const every = Math.max(WHOLE_EVERY_MS, known.records * WHOLE_EVERY_MS_PER_RECORD);
  if (Math.floor(now / every) !== Math.floor(known.readAt / every)) return day.from;
  return Math.max(day.from, known.readAt - LAG_MS - CLOCKS_APART_MS);
}

/**
 * The latest time to read a requested day; null when the stored data is as fresh as the schedule
 * allows. After a failed reading a request waits too, so that opening pages does not add requests.
 */
export function askedFor(day: Span, known: Known | null, now: number): number | null {
  if (known === null) return now;
  if (known.tries > 0) return now + waitAfter('records', 1);
  if (known.readAt === null) return now;
  const every = pauseAt(day, now, true);
  if (every === null) return isComplete(day, known.readAt) ? null : now;
  return now - known.readAt >= every || (now >= day.to && known.readAt < day.to) ? now : null;
}
