import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';

/**
 * How complete the days of a file were when it was requested; days that are missing or not read to
 * their end are named.
 */
export async function coverageWords({
  asOf,
  complete,
  missing,
  unfinished,
}: Coverage): Promise<string> {
  const [t, locale, zone] = [
    await getTranslations('transactions.exporting'),
    (await getLocale()) as Locale,
    await getTimeZone(),
  ];
  const named = (days: readonly string[]): string =>
    days.map((day) => formatDate(day, locale, { zone })).join(', ');
  return [
    ...(asOf === null
      ? []
      : [t('asOf', { time: formatDateTime(asOf, locale, { zone, seconds: true }) })]),
    ...(complete ? [t('complete')] : []),
    ...(missing.length === 0 ? [] : [t('missing', { days: named(missing) })]),
    ...(unfinished.length === 0 ? [] : [t('unfinished', { days: named(unfinished) })]),
  ].join('. ');
}
