import { IBAN_COOLDOWN_MS } from '#lib/movements/kinds.ts';

/**
 * How long the payouts of a batch will take to leave. One IBAN takes a payout a minute; all others
 * leave one behind the other. A prediction, which nothing depends on. Pure.
 */

/** Payouts that leave in a second when no IBAN repeats: the provider answers each in about one. */
const PER_SECOND = 4;

/** `waits`: payouts that wait for an earlier one to the same IBAN; `most`: the longest such row. */
export type Pace = { seconds: number; waits: number; most: number };

/**
 * `firstWait`: seconds until the IBAN may be paid again, because something was sent just now.
 * `others`: payments that go to no IBAN.
 */
export function predictPace(
  ibans: readonly string[],
  firstWait: (iban: string) => number = () => 0,
  others = 0,
): Pace {
  const times = new Map<string, number>();
  for (const iban of ibans) times.set(iban, (times.get(iban) ?? 0) + 1);
  let [seconds, most] = [Math.ceil((ibans.length + others) / PER_SECOND), 0];
  for (const [iban, count] of times) {
    most = Math.max(most, count);
    seconds = Math.max(seconds, firstWait(iban) + ((count - 1) * IBAN_COOLDOWN_MS) / 1000);
  }
  return { seconds, waits: ibans.length - times.size, most };
}
