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
import { readTransactionQuery, transactionParams } from '#lib/reports/transactions/filter.ts';
import { listTransactions, sumTransactions } from '#lib/reports/transactions/list.ts';
import { hiddenColumns } from '#lib/list-columns/hidden.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { Footer } from './footer.tsx';
import { TransactionFilters } from './filters.tsx';
import { FlowChart } from './flow-chart.tsx';
import { PATH } from './path.ts';
import { TransactionTable } from './transaction-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transactions'))('title') };
}

export default async function TransactionsPage({
  searchParams,
}: PageProps<'/reports/transactions'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const params = await searchParams;
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const query = readTransactionQuery(params, new Date().toISOString(), locale, zone);
  const { filter } = query;
  await wantDays(person.merchantId, 'ledger', filter);
  // Read before the rows, which may then have more than is said of them, and never less.
  const coverage = await coverageOf(person.merchantId, 'ledger', filter);
  const sums = sumTransactions(person, filter);
  sums.catch(() => undefined);
  const [page, wallets, hidden, t] = await Promise.all([
    listTransactions(person, query),
    walletNames(person),
    hiddenColumns(person, 'transactions'),
    getTranslations('transactions'),
  ]);
  return (
    <ReportPage
      person={person}
      report="transactions"
      words={{
        title: t('title'),
        empty: t('empty'),
        emptyText: t('emptyText'),
        emptyPage: t('emptyPage'),
      }}
      path={PATH}
      address={addressOf(transactionParams(filter))}
      records="ledger"
      kinds={['records']}
      coverage={coverage}
      now={page.now}
      filters={<TransactionFilters filter={filter} wallets={wallets} />}
      chart={
        page.rows.length > 0 && (
          <Soon
            placeholder={<ChartLoading wallets={wallets} wallet={filter.wallet} />}
            draw={() =>
              FlowChart({
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
          <TransactionTable page={page} filter={filter} wallets={wallets} hidden={hidden} />
        ) : null
      }
      isFirst={query.place === null && query.page === 1}
      columns={
        <ColumnChoice
          list="transactions"
          hidden={hidden}
          words={{ about: t('table.about'), wallet: t('table.wallet') }}
        />
      }
      sums={<Footer page={page} filter={filter} sums={sums} />}
    />
  );
}
