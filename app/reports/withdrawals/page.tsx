import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ColumnChoice } from '#app/list-columns/column-choice.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { ChartLoading } from '#app/reports/chart-table.tsx';
import { ReportPage } from '#app/reports/report-page.tsx';
import { Soon } from '#components/soon.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { coverageOf, wantDays } from '#lib/provider-records/coverage.ts';
import { readWithdrawalQuery, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import { listWithdrawals, sumWithdrawals } from '#lib/reports/withdrawals/list.ts';
import { hiddenColumns } from '#lib/list-columns/hidden.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { WithdrawalFilters } from './filters.tsx';
import { PATH } from './path.ts';
import { ResultChart } from './result-chart.tsx';
import { WithdrawalTotals } from './totals.tsx';
import { WithdrawalTable } from './withdrawal-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('withdrawals'))('title') };
}

export default async function WithdrawalsPage({
  searchParams,
}: PageProps<'/reports/withdrawals'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const params = await searchParams;
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const query = readWithdrawalQuery(params, new Date().toISOString(), locale, zone);
  const { filter } = query;
  await wantDays(person.merchantId, 'withdrawals', filter);
  // Read before the rows, which may then have more than is said of them, and never less.
  const coverage = await coverageOf(person.merchantId, 'withdrawals', filter);
  const sums = sumWithdrawals(person, filter);
  sums.catch(() => undefined);
  const [page, wallets, hidden, t] = await Promise.all([
    listWithdrawals(person, query),
    walletNames(person),
    hiddenColumns(person, 'withdrawals'),
    getTranslations('withdrawals'),
  ]);
  return (
    <ReportPage
      person={person}
      report="withdrawals"
      words={{
        title: t('title'),
        empty: t('empty'),
        emptyText: t('emptyText'),
        emptyPage: t('emptyPage'),
      }}
      path={PATH}
      address={addressOf(withdrawalParams(filter))}
      records="withdrawals"
      kinds={['records', 'movement']}
      coverage={coverage}
      now={page.now}
      filters={<WithdrawalFilters filter={filter} wallets={wallets} />}
      chart={
        page.rows.length > 0 && (
          <Soon
            placeholder={<ChartLoading wallets={wallets} wallet={filter.wallet} />}
            draw={() =>
              ResultChart({
                person,
                filter,
                missing: [...coverage.missing, ...coverage.unfinished],
                now: page.now,
              })
            }
          />
        )
      }
      rows={
        page.rows.length > 0 ? (
          <WithdrawalTable page={page} filter={filter} wallets={wallets} hidden={hidden} />
        ) : null
      }
      isFirst={query.place === null}
      columns={
        <ColumnChoice
          list="withdrawals"
          hidden={hidden}
          words={{ wallet: t('table.wallet'), ours: t('table.ours') }}
        />
      }
      sums={<WithdrawalTotals page={page} filter={filter} sums={sums} />}
    />
  );
}
