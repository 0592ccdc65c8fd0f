import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ChartTable } from '#app/reports/chart-table.tsx';
import type { Person } from '#lib/access/actor.ts';
import type { CardFilter } from '#lib/cards/payments/filter.ts';
import { viewInstallments } from '#lib/cards/payments/installments.ts';
import type { InstallmentSales } from '#lib/cards/payments/installments.ts';
import { LIRA } from '#lib/cards/payments/sales.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatCount, formatMoney, formatPercent, share } from '#lib/values/money.ts';
import { cutAt } from '#lib/wallets/scale.ts';
import { InstallmentBars } from './installment-bars.tsx';
import type { Measure } from './installment-bars.tsx';

type Words = Awaited<ReturnType<typeof getTranslations<'cards.installments'>>>;

/** Sales by installments and what the gateway keeps of them; nothing without a sale. */
export async function Installments({
  person,
  filter,
  now,
}: {
  person: Person;
  filter: CardFilter;
  now: string;
}): Promise<ReactNode> {
  const rows = await viewInstallments(person, filter, now);
  if (rows.length === 0) return null;
  const t = await getTranslations('cards.installments');
  const locale = (await getLocale()) as Locale;
  const money = (minor: bigint): string => formatMoney(minor, LIRA, locale);
  const name = ({ installments }: InstallmentSales): string =>
    installments === null ? t('unknownCount') : t('name', { count: installments });
  const sales = ({ count }: InstallmentSales): string => formatCount(count, locale);
  const told = (row: InstallmentSales): string => commissionOf(row, t, money, locale);
  const sum = rows.reduce(added);
  const sold = scaled(rows.map((row) => row.sold));
  const commission = scaled(rows.map((row) => row.commission));
  const anyCut = [...sold, ...commission].some(({ cut }) => cut);
  return (
    <div className="border-t border-hairline">
      <div className="grid gap-3 px-4 py-3">
        <h3 className="font-semibold">{t('title')}</h3>
        <InstallmentBars
          label={t('title')}
          heads={{ sold: t('sold'), commission: t('commission') }}
          bars={rows.map((row, n) => ({
            key: String(row.installments),
            name: name(row),
            isUnknown: row.installments === null,
            sold: { ...sold[n]!, text: `${money(row.sold)} (${sales(row)})` },
            commission: {
              ...(row.unknown === row.count ? { width: null, cut: false } : commission[n]!),
              text: told(row),
            },
          }))}
        />
        <p className="text-label text-muted">
          {t('about')} {anyCut && t('cut')}
        </p>
      </div>
      <ChartTable
        caption={t('caption')}
        first={t('head')}
        columns={[t('count'), t('sold'), t('commission')]}
        rows={rows.toReversed().map((row) => ({
          key: String(row.installments),
          name: name(row),
          href: null,
          cells: [sales(row), money(row.sold), told(row)],
        }))}
        sums={[sales(sum), money(sum.sold), told(sum)]}
      />
    </div>
  );
}

/** The known commission with its share of the sales that it is of, and how many are not known. */
function commissionOf(
  { commission, charged, count, unknown }: InstallmentSales,
  t: Words,
  money: (minor: bigint) => string,
  locale: Locale,
): string {
  if (unknown === count) return t('unknown');
  const percent = formatPercent(share(commission, charged), locale, 2);
  const known = t('known', { amount: money(commission), percent });
  return unknown === 0 ? known : `${known} ${t('partly', { count: unknown })}`;
}

function added(all: InstallmentSales, row: InstallmentSales): InstallmentSales {
  return {
    installments: null,
    count: all.count + row.count,
    sold: all.sold + row.sold,
    commission: all.commission + row.commission,
    charged: all.charged + row.charged,
    unknown: all.unknown + row.unknown,
  };
}

/** Lengths in percent of the longest, of which one far above all others is cut. */
function scaled(amounts: readonly bigint[]): Omit<Measure, 'text'>[] {
  const most = cutAt(amounts);
  const longest = amounts.reduce((all, amount) => (amount > all ? amount : all), 1n);
  return amounts.map((amount) => {
    const cut = most !== null && amount > most;
    const ratio = cut ? 1 : share(amount, most ?? longest);
    return { width: Math.round(ratio * 1_000) / 10, cut };
  });
}
