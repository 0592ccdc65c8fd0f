import { formatAmount, formatMoney, readDecimal } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * Commissions as text: exact decimals of the gateway ("1.5000"), never a float and never rounded,
 * because a fixed part may be finer than a minor unit. Pure.
 */

/**
 * "%1,50 + ₺0,25"; null when neither part applies. A zero part is left out when the other is not
 * zero.
 */
export function commissionText(
  percent: string | null,
  fixed: string | null,
  currency: string,
  locale: Locale,
): string | null {
  const parts = [
    percent === null ? null : percentText(percent, locale),
    fixed === null ? null : fixedText(fixed, currency, locale),
  ];
  const isZero = (text: string | null): boolean => text === null || /^[0.]*$/.test(text);
  if (!isZero(percent) && isZero(fixed)) return parts[0]!;
  if (isZero(percent) && !isZero(fixed)) return parts[1]!;
  return parts.filter((part) => part !== null).join(' + ') || null;
}

function percentText(text: string, locale: Locale): string {
  const number = numberText(text, locale);
  return locale === 'tr' ? `%${number}` : `${number}%`;
}

function fixedText(text: string, currency: string, locale: Locale): string {
  const minor = readDecimal(text);
  return minor === null
    ? `${currency} ${numberText(text, locale)}`
    : formatMoney(minor, currency, locale);
}

/** A number as text with at least two decimals, or with more when it has more. */
function numberText(text: string, locale: Locale): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const decimals = fraction.replace(/0+$/, '');
  const short = formatAmount(
    BigInt(whole) * 100n + BigInt(decimals.slice(0, 2).padEnd(2, '0')),
    locale,
  );
  return short + decimals.slice(2);
}
