import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** A sum of the known amounts, null without any; `unknown`: how many amounts are not known. */
export type KnownSum = { currency: string; sum: string | null; unknown: number };

/**
 * Sums as text, and after them the number of amounts that they leave out: an unknown amount is never
 * a zero. `left`: the words for that number.
 */
export function knownSums(
  sums: readonly KnownSum[],
  locale: Locale,
  left: (count: number) => string,
): string[] {
  const unknown = sums.reduce((all, one) => all + one.unknown, 0);
  return [
    ...sums.flatMap(({ sum, currency }) =>
      sum === null ? [] : formatMoney(sum, currency, locale),
    ),
    ...(unknown > 0 ? [left(unknown)] : []),
  ];
}
