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
import { readWithdrawalQuery, withdrawalParams } from '#lib/reports/withdrawals/filter.ts';
import { listWithdrawals, sumWithdrawals } from '#lib/reports/withdrawals/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { WithdrawalFilters } from './filters.tsx';
import { PATH } from './path.ts';
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
  const address = `${PATH}${addressOf(withdrawalParams(filter))}`;
  // The range of days is always explicit: a report without dates gets them added to its address.
  if (params['from'] === undefined || params['to'] === undefined) redirect(address);
  const sums = sumWithdrawals(person, filter);
  sums.catch(() => undefined);
  const [page, coverage, wallets, t, common] = await Promise.all([
    listWithdrawals(person, query),
    wantDays(person.merchantId, 'withdrawals', filter).then(() =>
      coverageOf(person.merchantId, 'withdrawals', filter),
    ),
    walletNames(person),
    getTranslations('withdrawals'),
    getTranslations('common'),
  ]);
  return (
    <>
      <PageHead title={t('title')}>
        <Messages of={['live']}>
          <LiveChanges kinds={['records']} />
        </Messages>
        {may(person.role, 'export.make') && (
          <LinkButton
            href={`${PATH}/export${addressOf(withdrawalParams(filter))}`}
            prefetch={false}
            data-shortcut="export"
          >
            {t('export')}
          </LinkButton>
        )}
      </PageHead>
      <ReportTabs role={person.role} current="withdrawals" />
      <SavedViews person={person} list="withdrawals" path={PATH} />
      <WithdrawalFilters filter={filter} wallets={wallets} />
      <Freshness list="withdrawals" coverage={coverage} now={page.now} />
      <Panel>
        {page.rows.length > 0 ? (
          <WithdrawalTable page={page} filter={filter} wallets={wallets} />
        ) : query.place !== null ? (
          <EmptyState
            title={t('emptyPage')}
            actions={<LinkButton href={address}>{t('firstPage')}</LinkButton>}
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
          <WithdrawalTotals page={page} filter={filter} sums={sums} />
        </div>
      </Panel>
    </>
  );
}
