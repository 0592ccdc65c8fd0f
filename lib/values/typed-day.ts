import { isDay, MONTHS } from './dates.ts';
import type { Locale } from './locale.ts';

/** Days as people type and read them in a field. Pure. */

const APART = /^(\d{1,2})[\s./-]+(\d{1,2}|\p{L}{3,9})[\s./-]+(\d{4}|\d{2})$/u;
const TOGETHER = /^(\d{2})(\d{2})(\d{4}|\d{2})$/;

/** '24.11.2026' in Turkish, '24/11/2026' in English. */
export function typedDay(day: string, locale: Locale): string {
  return day
    .split('-')
    .toReversed()
    .join(locale === 'tr' ? '.' : '/');
}

/** Days of other years are typing mistakes, and arithmetic with them would leave the calendar. */
const YEARS = /^(?:19|20|21)/;

/** Whether a text is an ISO day of the years 1900 to 2199: for days from addresses and forms. */
export function isUsualDay(text: string): boolean {
  return isDay(text) && YEARS.test(text);
}

/**
 * A typed day as '2026-11-24': day, month, year in this order with any separators or none, the
 * month also by its name, a year of two digits in this century; or the ISO form. Null when the text
 * is no day of the years 1900 to 2199.
 */
export function readDay(text: string): string | null {
  const typed = text.trim();
  if (isDay(typed)) return isUsualDay(typed) ? typed : null;
  const [, day, month, year] = APART.exec(typed) ?? TOGETHER.exec(typed) ?? [];
  if (day === undefined || month === undefined || year === undefined) return null;
  const number = /^\d/.test(month) ? Number(month) : monthNumber(month);
  const two = (value: number): string => String(value).padStart(2, '0');
  const iso = `${year.length === 2 ? `20${year}` : year}-${two(number)}-${two(Number(day))}`;
  return isUsualDay(iso) ? iso : null;
}

/** 1 to 12; 0 for a word that names no month. */
function monthNumber(word: string): number {
  for (const [locale, { short, long }] of Object.entries(MONTHS))
    for (const names of [short, long]) {
      const found = names.findIndex(
        (name) => name.toLocaleLowerCase(locale) === word.toLocaleLowerCase(locale),
      );
      if (found >= 0) return found + 1;
    }
  return 0;
}
