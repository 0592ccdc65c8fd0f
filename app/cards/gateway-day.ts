import { formatDate, isDay } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** A day that the gateway gave as text, as the language writes days; other text stays as it is. */
export function gatewayDay(text: string, locale: Locale): string {
  return isDay(text) ? formatDate(text, locale) : text;
}
