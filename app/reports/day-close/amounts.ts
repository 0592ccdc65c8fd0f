import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** An amount in a column of one currency; a dash when it is unknown. */
export function shown(amount: string | null, currency: string, locale: Locale): string {
  return amount === null ? '–' : formatMoney(amount, currency, locale);
}

export function isNothing(amount: string): boolean {
  return amount === '0.00';
}

/** 'Kasım 2026' for the first day of a month. */
export function monthText(day: string, locale: Locale): string {
  return formatDate(day, locale, { long: true }).replace(/^\d+ /, '');
}
