import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';

/** How complete the days of a file were when it was requested; missing days are named. */
export async function coverageWords({ asOf, complete, missing }: Coverage): Promise<string> {
  const [t, locale, zone] = [
    await getTranslations('transactions.exporting'),
    (await getLocale()) as Locale,
    await getTimeZone(),
  ];
  return [
    ...(asOf === null
      ? []
      : [t('asOf', { time: formatDateTime(asOf, locale, { zone, seconds: true }) })]),
    ...(complete ? [t('complete')] : []),
    ...(missing.length === 0
      ? []
      : [
          t('missing', {
            days: missing.map((day) => formatDate(day, locale, { zone })).join(', '),
          }),
        ]),
  ].join('. ');
}
