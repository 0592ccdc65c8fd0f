import type { Locale } from './locale.ts';
import { formatMoney } from './money.ts';

/**
 * Money in few characters, for charts only: the whole amount is shown next to the chart. Pure.
 */

const SIZES: readonly [minor: bigint, tr: string, en: string][] = [
  [100_000_000_000n, 'Mr', 'B'],
  [100_000_000n, 'Mn', 'M'],
  [100_000n, 'B', 'K'],
];

/**
 * '₺1,2 Mn' in Turkish, '₺1.2M' in English: at most one decimal, truncated, never rounded up. Below
 * a thousand without decimals.
 */
export function shortMoney(minor: bigint, currency: string, locale: Locale): string {
  const size = SIZES.find(([least]) => (minor < 0n ? -minor : minor) >= least);
  if (size === undefined) return formatMoney((minor / 100n) * 100n, currency, locale).slice(0, -3);
  const [least, tr, en] = size;
  // Tenths of the unit, formatted as money with two decimals: the last one is always zero.
  const text = formatMoney(((minor * 10n) / least) * 10n, currency, locale)
    .slice(0, -1)
    .replace(/[.,]0$/, '');
  return locale === 'tr' ? `${text}\u00a0${tr}` : `${text}${en}`;
}

/** The amounts in short form if their short texts are distinct, otherwise in full. */
export function shortMoneys(minors: readonly bigint[], currency: string, locale: Locale): string[] {
  const short = minors.map((minor) => shortMoney(minor, currency, locale));
  if (new Set(short).size === minors.length) return short;
  const isRound = minors.every((minor) => minor % 100n === 0n);
  return minors.map((minor) =>
    formatMoney(minor, currency, locale).slice(0, isRound ? -3 : undefined),
  );
}
