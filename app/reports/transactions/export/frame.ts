import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { ExportAsked } from '#lib/exports/ask.ts';
import type { Locale } from '#lib/values/locale.ts';
import { coverageOf } from '#lib/provider-records/coverage.ts';
import type { Coverage } from '#lib/provider-records/coverage.ts';
import type { TransactionFilter } from '#lib/reports/transactions/filter.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { transactionChips } from '../chips.ts';

/** The filter as sentences; the days come first. */
export async function transactionFilterWords(
  person: Person,
  filter: TransactionFilter,
): Promise<string[]> {
  const { days, list } = transactionChips(
    filter,
    await walletNames(person),
    (await getLocale()) as Locale,
    await getTranslations('transactions'),
  );
  return [days, ...list.map(({ text }) => text)];
}

/** All texts of a transactions file, including its missing days. `day` is today, 'YYYY-MM-DD'. */
export async function transactionFrame(
  person: Person,
  filter: TransactionFilter,
  day: string,
): Promise<ExportAsked['frame']> {
  const [exports, t, locale] = [
    await getTranslations('exports'),
    await getTranslations('transactions'),
    (await getLocale()) as Locale,
  ];
  const labels = exports.raw('labels') as Omit<ExportAsked['frame']['labels'], 'personalIs'> &
    Record<'personalWhole' | 'personalMasked', string>;
  return {
    locale,
    fileName: `${exports('files.transactions')}-${day}`,
    title: t('title'),
    filter: await transactionFilterWords(person, filter),
    columns: t.raw('columns') as Record<string, string>,
    codes: {
      type: t.raw('types') as Record<string, string>,
      direction: t.raw('directions') as Record<string, string>,
      status: t.raw('statuses') as Record<string, string>,
    },
    labels: {
      ...labels,
      sum: t('exporting.net'),
      momentsIs: await coverageWords(await coverageOf(person.merchantId, 'ledger', filter)),
      personalIs: may(person.role, 'payee.read') ? labels.personalWhole : labels.personalMasked,
    },
  };
}

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
