import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { signedIn } from '#lib/login/session.ts';
import { countOpenCases } from '#lib/money-in/cases.ts';
import { readTopUpQuery, topUpParams } from '#lib/money-in/filter.ts';
import { listTopUps } from '#lib/money-in/list.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { MoneyInTabs } from './money-in-tabs.tsx';
import { TopUpFilters } from './top-up-filters.tsx';
import { TopUpTable } from './top-up-table.tsx';

const PATH = '/money-in';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('moneyIn'))('title') };
}

export default async function MoneyInPage({
  searchParams,
}: PageProps<'/money-in'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const query = readTopUpQuery(await searchParams);
  const [page, wallets, open] = await Promise.all([
    listTopUps(person, query),
    walletNames(person),
    countOpenCases(person),
  ]);
  const t = await getTranslations('moneyIn');
  const address = (place: Place | null): string | null =>
    place === null ? null : `${PATH}${addressOf(topUpParams(query.filter), place)}`;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['top_up', 'records']} />
      </PageHead>
      <MoneyInTabs current="arrivals" open={open} />
      {page.any && <SavedViews person={person} list="money_in" path={PATH} />}
      {page.any && (
        <TopUpFilters filter={query.filter} wallets={wallets} announced={page.announced} />
      )}
      <Panel list>
        {page.rows.length > 0 ? (
          <TopUpTable rows={page.rows} now={page.now} wallets={wallets} />
        ) : page.any ? (
          <NothingFound title={t('emptyFilter')} clear={PATH} />
        ) : (
          <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
        )}
        {(page.newer ?? page.older) !== null && (
          <ListPager previous={address(page.newer)} next={address(page.older)} />
        )}
      </Panel>
    </>
  );
}
