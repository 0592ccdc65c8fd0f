import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#components/live.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Chip, Pager, Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/actor.ts';
import type { Locale } from '#lib/locale.ts';
import { formatMoney } from '#lib/money.ts';
import { isNarrowed, NO_FILTER, PAYOUT_VIEWS, payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import type { PayoutFilter } from '#lib/payouts/filter.ts';
import { listPayouts } from '#lib/payouts/list.ts';
import type { PayoutPage } from '#lib/payouts/list.ts';
import { signedIn } from '#lib/session.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { WalletName } from '#lib/wallets/names.ts';
import { ExportLink } from './export-link.tsx';
import { filterChips } from './filter-chips.ts';
import { PayoutFilterForm } from './filter-form.tsx';
import { PayoutTable } from './payout-table.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('payouts'))('title') };
}

export default async function PayoutsPage({ searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  const query = readPayoutQuery(await searchParams);
  if (!may(person.role, 'movement.read')) return <Forbidden person={person} needs="movement.read" />;
  const [page, wallets] = await Promise.all([listPayouts(person, query), walletNames(person)]);
  const t = await getTranslations('payouts');
  const newPayout = may(person.role, 'payout.prepare') ? <LinkButton look="primary" href="/payouts/new" prefetch={false} data-shortcut="new">{t('new')}</LinkButton> : null;
  return (
    <>
      <PageHead title={t('title')}>{page.any && <ExportLink>{(await getTranslations('exports'))('link')}</ExportLink>}{newPayout}</PageHead>
      {page.any ? <PayoutList page={page} filter={query.filter} wallets={wallets} /> : (
        <>
          <Messages of={['live']}><LiveChanges kinds={['movement']} /></Messages>
          <Panel><EmptyState title={t('emptyFirst.title')} actions={newPayout}>{t('emptyFirst.text')}</EmptyState></Panel>
        </>
      )}
    </>
  );
}

async function PayoutList({ page, filter, wallets }: { page: PayoutPage; filter: PayoutFilter; wallets: WalletName[] }): Promise<ReactNode> {
  const t = await getTranslations('payouts');
  const chips = filterChips(filter, wallets, (await getLocale()) as Locale, t);
  const address = (place: PayoutPage['newer']): string | null => (place === null ? null : `/payouts${payoutListAddress(filter, place)}`);
  return (
    <div className="grid gap-3">
      <Tabs label={t('views.label')}>
        {PAYOUT_VIEWS.map((view) => (
          <Tab key={view} href={`/payouts${payoutListAddress({ ...filter, view })}`} current={filter.view === view}>
            {t(`views.${view}`)}
            {view === 'attention' && page.needAttention > 0 && <span className="rounded-full bg-attention-ground px-1.5 text-label text-attention tabular-nums">{page.needAttention}</span>}
          </Tab>
        ))}
      </Tabs>
      <PayoutFilterForm key={payoutListAddress(filter)} filter={filter} wallets={wallets} />
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <div className="min-w-52"><Messages of={['live']}><LiveChanges kinds={['movement']} /></Messages></div>
        <ul aria-label={t('chips.label')} className="flex flex-wrap gap-2">
          {chips.map((chip) => <li key={chip.key}><Chip href={chip.href} remove={t('chips.remove', { filter: chip.text })}>{chip.text}</Chip></li>)}
        </ul>
      </div>
      <Panel>
        {page.rows.length > 0 ? <PayoutTable page={page} filter={filter} wallets={wallets} /> : <Nothing filter={filter} page={page} />}
        <div className="border-t border-hairline">
          <Pager label={t('pages')} words={{ previous: t('previous'), next: t('next') }} previous={address(page.newer)} next={address(page.older)}>
            <Totals page={page} />
          </Pager>
        </div>
      </Panel>
    </div>
  );
}

/** Of the whole filter; one sum for each currency, because two currencies make no sum. */
async function Totals({ page }: { page: PayoutPage }): Promise<ReactNode> {
  const t = await getTranslations('payouts');
  const locale = (await getLocale()) as Locale;
  const count = page.totals.reduce((all, total) => all + total.count, 0);
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 tabular-nums">
      <span className="sr-only">{t('totalsLabel')}</span>
      <span>{t('totals', { count })}</span>
      {page.totals.map((total) => <span key={total.currency} className="font-semibold text-ink">{formatMoney(total.sum, total.currency, locale)}</span>)}
    </p>
  );
}

async function Nothing({ filter, page }: { filter: PayoutFilter; page: PayoutPage }): Promise<ReactNode> {
  const t = await getTranslations('payouts');
  const first = `/payouts${payoutListAddress(filter)}`;
  if (page.totals.length > 0) return <EmptyState title={t('emptyPage.title')} actions={<LinkButton href={first}>{t('emptyPage.first')}</LinkButton>} />;
  if (!isNarrowed(filter)) return <EmptyState title={t(`emptyView.${filter.view}`)} />;
  return (
    <EmptyState title={t('emptyFilter.title')} actions={<LinkButton href={`/payouts${payoutListAddress({ ...NO_FILTER, view: filter.view })}`}>{t('chips.clear')}</LinkButton>}>
      {t('emptyFilter.text')}
    </EmptyState>
  );
}
