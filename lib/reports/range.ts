import { addDays, dayIn } from '#lib/values/dates.ts';
import type { DayRange } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';
import { DAYS_MAX } from '#lib/provider-records/days.ts';

/**
 * The date and amount ranges of the reports over the provider's listings, read from the query
 * string. Pure.
 */

const DEFAULT_DAYS = 30;

/**
 * The days of a report, both included: without dates the last thirty; one date alone extends to
 * today, or back by thirty days. At most the last {@link DAYS_MAX}, because older days are not
 * known to be read. `now` is an ISO instant from outside.
 */
export function reportDays(
  first: string | null,
  last: string | null,
  now: string,
  zone?: string,
): DayRange {
  const end = last ?? [dayIn(now, zone), first ?? ''].sort().at(-1)!;
  const [from, to] = [first ?? addDays(end, 1 - DEFAULT_DAYS), end].sort() as [string, string];
  return { from: [from, addDays(to, 1 - DAYS_MAX)].sort()[1]!, to };
}

/** Minor units. An ambiguous text widens the range to include each possible amount. */
export function amountRange(
  min: string,
  max: string,
  locale: Locale,
): { min: bigint | null; max: bigint | null } {
  return {
    min: readAmounts(min, locale).at(0) ?? null,
    max: readAmounts(max, locale).at(-1) ?? null,
  };
}

/** Ascending. */
function readAmounts(text: string, locale: Locale): bigint[] {
  const parsed = parseAmount(text, locale);
  const found =
    parsed.kind === 'ok' ? [parsed.minor] : parsed.kind === 'ambiguous' ? [...parsed.readings] : [];
  return found.sort((a, b) => (a < b ? -1 : 1));
}
