/**
 * When a day of the provider's listings is read, and when it can be called whole. Pure; moments in
 * milliseconds, days as half-open instants. A line is listed up to 20 minutes after it was made
 * (`contract`, at peak); a return changes what a day says for a month (docs/money-rules.md,
 * "Reads"); a withdraw request changes its level when the bank answers.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** By then every line of a moment is listed. */
export const LAG_MS = 20 * MINUTE_MS;
/** Today, while somebody is at the desk, and otherwise. */
const LOOKED_MS = 5 * SECOND_MS;
const UNLOOKED_MS = MINUTE_MS;
/**
 * How often a day that is over is read again, by its age: what can still change in it becomes
 * rarer.
 */
const AGAIN: readonly { youngerMs: number; everyMs: number }[] = [
  { youngerMs: LAG_MS + 10 * MINUTE_MS, everyMs: MINUTE_MS },
  { youngerMs: DAY_MS, everyMs: 15 * MINUTE_MS },
  { youngerMs: 7 * DAY_MS, everyMs: 6 * HOUR_MS },
  { youngerMs: 31 * DAY_MS, everyMs: DAY_MS },
];
/** Days before today that are read without being asked for: in them something may still change. */
export const WINDOW_DAYS = 31;

/**
 * Between two readings of all of today only its end is read: the last reading's beginning, and what
 * may have been listed late.
 */
const WHOLE_EVERY_MS = 5 * MINUTE_MS;
/** The longer the day, the rarer. */
const WHOLE_EVERY_MS_PER_RECORD = 20;
const CLOCKS_APART_MS = 5 * MINUTE_MS;

const BACKOFF_MS = [5, 10, 20, 40, 80, 160, 300].map((seconds) => seconds * SECOND_MS);
/** Lines came between the pages: at once again, and ever more slowly when that does not end. */
const MOVED_MS = SECOND_MS;

/** `from` ≤ t < `to`. */
export type Span = { from: number; to: number };

/**
 * What a row of `record_days` says of earlier readings. `readAt`: when the last one that came to
 * its end began.
 */
export type Known = { readAt: number | null; tries: number };

/** Read after it had ended and every line had had time to appear. */
export function isComplete(day: Span, readAt: number | null): boolean {
  return readAt !== null && readAt >= day.to + LAG_MS;
}

/**
 * When a day is read again after a reading that began at `begunAt`; null when nothing in it can
 * change any more.
 */
export function nextReading(day: Span, begunAt: number, somebodyLooks: boolean): number | null {
  const every = pauseAt(day, begunAt, somebodyLooks);
  return every === null
    ? isComplete(day, begunAt)
      ? null
      : begunAt + UNLOOKED_MS
    : begunAt + every;
}

function pauseAt(day: Span, at: number, somebodyLooks: boolean): number | null {
  const age = at - day.to;
  if (age < 0) return somebodyLooks ? LOOKED_MS : UNLOOKED_MS;
  return AGAIN.find(({ youngerMs }) => age < youngerMs)?.everyMs ?? null;
}

/** When it is tried again after `tries` readings in a row that did not come to their end. */
export function retryAt(now: number, tries: number, why: string): number {
  return (
    now +
    (why === MOVED && tries <= BACKOFF_MS.length
      ? MOVED_MS
      : BACKOFF_MS[Math.min(tries, BACKOFF_MS.length) - 1]!)
  );
}

/**
 * Not every line that the provider counted was read: some came in between while the pages were
 * turned.
 */
export const MOVED = 'moved';

/**
 * Where a reading that begins now begins in its day. Today is read whole now and then, for lines
 * that changed, and from near its end otherwise. A day that is over is always read whole.
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
 * When a day that somebody asks for is to be read, at the latest; null when what is here is as
 * fresh as it would be anyway. A provider that does not answer is not asked again by every page
 * that is opened.
 */
export function askedFor(day: Span, known: Known | null, now: number): number | null {
  if (known === null) return now;
  if (known.tries > 0) return now + BACKOFF_MS[0]!;
  if (known.readAt === null) return now;
  const every = pauseAt(day, now, true);
  if (every === null) return isComplete(day, known.readAt) ? null : now;
  return now - known.readAt >= every || (now >= day.to && known.readAt < day.to) ? now : null;
}
