/** How long a message waits for its next try. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A message is tried for so long. */
export const TRIED_MS = 24 * HOUR;
const WAITS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
];

/** Milliseconds until the next try after `tries` without success; null: no further one. */
export function nextWait(tries: number, ageMs: number): number | null {
  const wait = WAITS[Math.min(tries, WAITS.length) - 1] ?? 0;
  return ageMs + wait > TRIED_MS ? null : wait;
}
