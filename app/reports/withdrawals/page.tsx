import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReportPage } from '#app/reports/report-page.tsx';
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
  const address = addressOf(withdrawalParams(filter));
  // The range of days is always explicit: a report without dates gets them added to its address.
  if (params['from'] === undefined || params['to'] === undefined) redirect(`${PATH}${address}`);
  const sums = sumWithdrawals(person, filter);
  sums.catch(() => undefined);
  const [page, coverage, wallets, t] = await Promise.all([
    listWithdrawals(person, query),
    wantDays(person.merchantId, 'withdrawals', filter).then(() =>
      coverageOf(person.merchantId, 'withdrawals', filter),
    ),
    walletNames(person),
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
      address={address}
      records="withdrawals"
      coverage={coverage}
      now={page.now}
      filters={<WithdrawalFilters filter={filter} wallets={wallets} />}
      rows={
        page.rows.length > 0 ? (
          <WithdrawalTable page={page} filter={filter} wallets={wallets} />
        ) : null
      }
      isFirst={query.place === null}
      sums={<WithdrawalTotals page={page} filter={filter} sums={sums} />}
    />
  );
}
