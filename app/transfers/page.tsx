import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { partSums } from '#app/payouts/part-sums.ts';
import { DayRange } from '#components/day-range.tsx';
import {
  ActiveFilters,
  NothingFound,
  SearchField,
  WalletField,
} from '#components/filter-fields.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { ListSums } from '#components/list-sums.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import {
  isNarrowed,
  PAYOUT_VIEWS,
  payoutListAddress,
  readPayoutQuery,
} from '#lib/payouts/filter.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import { listPayouts } from '#lib/payouts/list.ts';
import type { PayoutPage } from '#lib/payouts/list.ts';
import { FEW_MATCHES } from '#lib/readings/match-movements.ts';
import { signedIn } from '#lib/login/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { transferChips } from './filter-chips.ts';
import { TransferTable } from './transfer-table.tsx';

const PATH = '/transfers';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transfers'))('title') };
}

/**
 * The list of transfers, separate from payouts: a search for a supplier's payment should not return
 * internal top-ups of tills, and the columns differ. The address, the filter and the rows work as
 * in the payouts list.
 */
export default async function TransfersPage({
  searchParams,
}: PageProps<'/transfers'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const query = readPayoutQuery(await searchParams);
  const [page, wallets] = await Promise.all([
    listPayouts(person, query, { totals: true }, 'transfers'),
    walletNames(person),
  ]);
  const t = await getTranslations('transfers');
  const add = may(person.role, 'payout.prepare') ? (
    <LinkButton look="primary" href="/transfers/new" prefetch={false} data-shortcut="new">
      {t('new')}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['movement']} />
        {add}
      </PageHead>
      {page.any ? (
        <>
          <ViewTabs filter={query.filter} page={page} />
          <SavedViews person={person} list="transfers" path={PATH} />
          <Filter filter={query.filter} wallets={wallets} />
          <Rows filter={query.filter} page={page} wallets={wallets} />
        </>
      ) : (
        <Panel>
          <EmptyState title={t('emptyFirst.title')} actions={add}>
            {t('emptyFirst.text')}
          </EmptyState>
        </Panel>
      )}
    </>
  );
}

async function ViewTabs({
  filter,
  page,
}: {
  filter: PayoutFilter;
  page: PayoutPage;
}): Promise<ReactNode> {
  const t = await getTranslations('transfers');
  return (
    <Tabs label={t('views.label')}>
      {PAYOUT_VIEWS.map((view) => (
        <Tab
          key={view}
          href={`${PATH}${payoutListAddress({ ...filter, view, part: null, waits: null })}`}
          current={filter.view === view}
          waiting={view === 'attention' ? page.needAttention : 0}
        >
          {t(`views.${view}`)}
        </Tab>
      ))}
    </Tabs>
  );
}

async function Filter({
  filter,
  wallets,
}: {
  filter: PayoutFilter;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('transfers.filter');
  const common = await getTranslations('common');
  const parts = await getTranslations('transfers.parts');
  const only = await getTranslations('payouts.chips');
  const chips = transferChips(filter, {
    part: (part) => only('part', { part: parts(part) }),
    waits: (group) => only(`waits.${group}`),
  });
  return (
    <div className="grid gap-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={PATH}
        label={t('label')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        {filter.view !== 'all' && <input type="hidden" name="view" value={filter.view} />}
        {filter.part !== null && <input type="hidden" name="part" value={filter.part} />}
        {filter.waits !== null && <input type="hidden" name="waits" value={filter.waits} />}
        <SearchField id="transfers-q" label={t('text')} value={filter.text} hint={t('textHint')} />
        <WalletField
          id="transfers-wallet"
          label={t('wallet')}
          all={t('allWallets')}
          value={filter.wallet}
          wallets={wallets}
        />
        <DayRange id="transfers" from={filter.from} to={filter.to} />
        <Button type="submit" className="max-sm:col-span-2">
          {common('apply')}
        </Button>
        {isNarrowed(filter) && (
          <Link
            href={PATH}
            scroll={false}
            className="min-h-9 content-center text-label font-medium text-accent hover:underline"
          >
            {common('clearFilters')}
          </Link>
        )}
      </FilterForm>
      <ActiveFilters chips={chips} />
    </div>
  );
}

async function Rows({
  filter,
  page,
  wallets,
}: {
  filter: PayoutFilter;
  page: PayoutPage;
  wallets: WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('transfers');
  const locale = (await getLocale()) as Locale;
  const address = (place: PayoutPage['newer']): string | null =>
    place === null ? null : `${PATH}${payoutListAddress(filter, place)}`;
  const count = page.totals?.reduce((all, total) => all + total.count, 0) ?? 0;
  const counted = (words: 'caption' | 'totals', uncounted: 'captionUncounted' | 'uncounted') =>
    page.isOutOfTime
      ? t('tooMany.totals')
      : page.isUncounted
        ? t(uncounted, { most: FEW_MATCHES })
        : t(words, { count });
  return (
    <Panel list>
      {page.rows.length === 0 && page.isOutOfTime ? (
        <EmptyState title={t('tooMany.title')}>{t('tooMany.text')}</EmptyState>
      ) : page.rows.length === 0 ? (
        isNarrowed(filter) ? (
          <NothingFound title={t('emptyFilter')} clear={PATH} />
        ) : (
          <EmptyState title={t('emptyView')} />
        )
      ) : (
        <TransferTable
          rows={page.rows}
          now={page.now}
          wallets={wallets}
          caption={counted('caption', 'captionUncounted')}
        />
      )}
      <ListPager previous={address(page.newer)} next={address(page.older)}>
        <ListSums
          about={t('totalsLabel')}
          count={counted('totals', 'uncounted')}
          parts={partSums(page.totals ?? [], filter, {
            locale,
            label: (part) => t(`parts.${part}`),
            address: (one) => `${PATH}${payoutListAddress(one)}`,
          })}
        />
      </ListPager>
    </Panel>
  );
}
