import { getLocale, getTranslations } from 'next-intl/server';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { shortMoneys } from '#lib/values/short-money.ts';
import type { WalletFlow } from '#lib/wallets/flow.ts';
import { sumOfDays } from '#lib/wallets/series.ts';
import type { SeriesDay } from '#lib/wallets/series.ts';

/** All texts of the two charts and their table. */
export type DrawnWords = {
  money: (minor: bigint) => string;
  marks: (minors: readonly bigint[]) => string[];
  day: (day: string) => string;
  /** First, middle and last day of the chart. */
  days: readonly string[];
  tooltip: (day: SeriesDay) => string;
  unknown: string;
  balanceLabel: string;
  flowLabel: string;
};

export async function drawnWords({ series }: WalletFlow, currency: string): Promise<DrawnWords> {
  const t = await getTranslations('wallets.flow');
  const locale = (await getLocale()) as Locale;
  const money = (minor: bigint): string => formatMoney(minor, currency, locale);
  const day = (text: string): string => formatDate(text, locale);
  const some = (minor: bigint | null | undefined): string =>
    minor == null ? t('unknown') : money(minor);
  const at = (index: number): string => day(series[index]!.day);
  const sum = sumOfDays(series);
  const range = { from: at(0), to: at(series.length - 1) };
  return {
    money,
    day,
    days: [at(0), at(Math.floor((series.length - 1) / 2)), t('today')],
    unknown: t('unknown'),
    marks: (minors) => shortMoneys(minors, currency, locale),
    tooltip: ({ day: own, flow, balance }) =>
      t('told', {
        day: day(own),
        in: some(flow?.in),
        out: some(flow?.out),
        balance: some(balance),
      }),
    balanceLabel: t('balanceLabel', { ...range, balance: some(series.at(-1)?.balance) }),
    flowLabel: t('flowLabel', { ...range, in: money(sum.in), out: money(sum.out) }),
  };
}
