import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { Freshness } from '#app/reports/freshness.tsx';
import { ReportTabs } from '#app/reports/tabs.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { LiveChanges } from '#components/live.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { coverageOf, wantDays } from '#lib/provider-records/coverage.ts';
import { readTransactionQuery, transactionParams } from '#lib/reports/transactions/filter.ts';
import { listTransactions, sumTransactions } from '#lib/reports/transactions/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { Footer } from './footer.tsx';
import { TransactionFilters } from './filters.tsx';
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
  // The range of days is always explicit: a report without dates gets them added to its address.
  if (params['from'] === undefined || params['to'] === undefined)
    redirect(`${PATH}${addressOf(transactionParams(filter))}`);
  const sums = sumTransactions(person, filter);
  sums.catch(() => undefined);
  const [page, coverage, wallets, t] = await Promise.all([
    listTransactions(person, query),
    wantDays(person.merchantId, 'ledger', filter).then(() =>
      coverageOf(person.merchantId, 'ledger', filter),
    ),
    walletNames(person),
    getTranslations('transactions'),
  ]);
  const common = await getTranslations('common');
  return (
    <>
      <PageHead title={t('title')}>
        <Messages of={['live']}>
          <LiveChanges kinds={['records']} />
        </Messages>
        {may(person.role, 'export.make') && (
          <LinkButton
            href={`${PATH}/export${addressOf(transactionParams(filter))}`}
            prefetch={false}
            data-shortcut="export"
          >
            {t('export')}
          </LinkButton>
        )}
      </PageHead>
      <ReportTabs role={person.role} current="transactions" />
      <SavedViews person={person} list="transactions" path={PATH} />
      <TransactionFilters filter={filter} wallets={wallets} />
      <Freshness coverage={coverage} now={page.now} />
      <Panel>
        {page.rows.length > 0 ? (
          <TransactionTable page={page} filter={filter} wallets={wallets} />
        ) : query.place !== null || query.page > 1 ? (
          <EmptyState
            title={t('emptyPage')}
            actions={
              <LinkButton href={`${PATH}${addressOf(transactionParams(filter))}`}>
                {t('firstPage')}
              </LinkButton>
            }
          />
        ) : (
          <EmptyState
            title={t('empty')}
            actions={<LinkButton href={PATH}>{common('clearFilters')}</LinkButton>}
          >
            {coverage.missing.length > 0 ? t('emptyMissing') : t('emptyText')}
          </EmptyState>
        )}
        <div className="border-t border-hairline">
          <Footer page={page} filter={filter} sums={sums} />
        </div>
      </Panel>
    </>
  );
}
