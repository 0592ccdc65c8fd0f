import { setTimeout as pause } from 'node:timers/promises';

/**
 * A test that runs over midnight sees two days: its own "today" and that of the database or of a
 * page. So none begins around the midnights of Istanbul and of UTC.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Midnight in Istanbul, which has no summer time, and in UTC, after the beginning of a UTC day. */
const MIDNIGHTS_MS = [21 * HOUR_MS, 0];
/** Longer than a story or a file of tests takes. */
const BEFORE_MS = 5 * MINUTE_MS;
/** Some tests make what happened a minute ago. */
const AFTER_MS = 2 * MINUTE_MS;

/**
 * How long a test waits that would begin at this time; 0 when no midnight is near. `aheadMs`: how
 * much earlier than here a midnight comes at the provider, or how much longer the test takes.
 */
export function waitAtMidnight(now: number, aheadMs = 0): number {
  const before = BEFORE_MS + aheadMs;
  return Math.max(
    ...MIDNIGHTS_MS.map((midnight) => {
      const since = (now - midnight + before + DAY_MS) % DAY_MS;
      return Math.max(0, before + AFTER_MS - since);
    }),
  );
}

export async function midnightIsFar(aheadMs?: number): Promise<void> {
  await pause(waitAtMidnight(Date.now(), aheadMs));
}
