/**
 * Whether what happened `at` is younger than `ageMs`. A time ahead of `now` is from before the clock
 * was set back, and says nothing about the age. All in milliseconds of one clock. Pure.
 */
export function isYounger(at: number, ageMs: number, now: number): boolean {
  return at <= now && now - at < ageMs;
}
