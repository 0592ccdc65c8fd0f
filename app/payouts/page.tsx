import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#components/live.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { ExportLink } from './export-link.tsx';
import { PayoutFilterForm } from './filter-form.tsx';
import { viewList } from './list-view.ts';
import { PayoutList } from './payout-list.tsx';
import type { ListWords } from './payout-list.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('payouts'))('title') };
}

export default async function PayoutsPage({ searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  const params = await searchParams;
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const { view, filter, wallets } = await viewList(person, params);
  const t = await getTranslations('payouts');
  const newPayout = may(person.role, 'payout.prepare') ? (
    <LinkButton look="primary" href="/payouts/new" prefetch={false} data-shortcut="new">
      {t('new')}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t('title')}>
        {view.any && <ExportLink>{(await getTranslations('exports'))('link')}</ExportLink>}
        {newPayout}
      </PageHead>
      <Messages of={['live']}>
        {view.any ? (
          <PayoutList first={view} words={await listWords()}>
            <PayoutFilterForm filter={filter} wallets={wallets} />
          </PayoutList>
        ) : (
          <>
            <LiveChanges kinds={['movement']} />
            <Panel>
              <EmptyState title={t('emptyFirst.title')} actions={newPayout}>
                {t('emptyFirst.text')}
              </EmptyState>
            </Panel>
          </>
        )}
      </Messages>
    </>
  );
}

/** Texts that do not depend on the rows. */
async function listWords(): Promise<ListWords> {
  const t = await getTranslations('payouts');
  return {
    views: t('views.label'),
    chips: t('chips.label'),
    pages: t('pages'),
    previous: t('previous'),
    next: t('next'),
    totals: t('totalsLabel'),
    retry: t('retry'),
    columns: {
      recipient: t('table.recipient'),
      iban: t('table.iban'),
      date: t('table.date'),
      wallet: t('table.wallet'),
      state: t('table.state'),
      amount: t('table.amount'),
      receipt: t('table.receipt'),
    },
  };
}
