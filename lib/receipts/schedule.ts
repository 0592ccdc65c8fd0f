import { triesOf, waitAfter } from '#lib/values/back-off.ts';

/**
 * The retry schedule for fetching a document, which ends with the last interval of its back-off.
 * After that a person may request it again. Pure; times in milliseconds.
 */

/** The wait after so many tries until the next one; null when there is no further automatic try. */
export function waitForReceipt(tries: number): number | null {
  return tries > triesOf('receipt') ? null : waitAfter('receipt', tries);
}

/**
 * The time of the last automatic try, given the time of the next try and the number of tries so
 * far.
 */
export function triedUntil(nextAt: Date, tries: number): Date {
  let until = nextAt.getTime();
  for (let next = tries + 1; next <= triesOf('receipt'); next++)
    until += waitAfter('receipt', next);
  return new Date(until);
}
