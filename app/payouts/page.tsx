import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ColumnChoice } from '#app/list-columns/column-choice.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { liveWords } from '#app/live-words.ts';
import { countedWords } from '#components/counted.ts';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { hiddenColumns } from '#lib/list-columns/hidden.ts';
import { pageSnapshot, signedIn } from '#lib/login/session.ts';
import { ExportLink } from './export-link.tsx';
import { PayoutFilterForm } from './filter-form.tsx';
import { viewList } from './list-view.ts';
import { PayoutList } from './payout-list.tsx';
import type { ListWords } from './payout-list.tsx';
import type { PickRights } from './pick-bar.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('payouts'))('title') };
}

export default async function PayoutsPage({ searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  const params = await searchParams;
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const [{ view, filter, wallets }, hidden] = await Promise.all([
    viewList(person, params),
    hiddenColumns(person, 'payouts'),
  ]);
  const t = await getTranslations('payouts');
  const newPayout = may(person.role, 'payout.prepare') ? (
    <LinkButton look="primary" href="/payouts/new" prefetch={false} data-shortcut="new">
      {t('new')}
    </LinkButton>
  ) : null;
  return view.any ? (
    <PayoutList
      first={view}
      since={await pageSnapshot()}
      title={t('title')}
      actions={
        <>
          <ColumnChoice
            list="payouts"
            hidden={hidden}
            words={{ iban: t('table.iban'), wallet: t('table.wallet') }}
            phone={false}
          />
          <ExportLink>{(await getTranslations('exports'))('link')}</ExportLink>
          {newPayout}
        </>
      }
      words={await listWords()}
      picks={pickRights(person.role)}
      hidden={hidden}
    >
      <SavedViews person={person} list="payouts" path="/payouts" />
      <PayoutFilterForm filter={filter} wallets={wallets} />
    </PayoutList>
  ) : (
    <>
      <PageHead title={t('title')} live={<LiveChanges kinds={['movement']} />}>
        {newPayout}
      </PageHead>
      <Panel>
        <EmptyState title={t('emptyFirst.title')} actions={newPayout}>
          {t('emptyFirst.text')}
        </EmptyState>
      </Panel>
    </>
  );
}

/** The rights of a role over ticked payouts: what it may do with one, it may do with several. */
function pickRights(role: Role): PickRights {
  const mayExport = may(role, 'export.make');
  return {
    export: mayExport,
    receipts: mayExport && may(role, 'receipt.read'),
    ask: may(role, 'movement.ask'),
  };
}

/** Texts that do not depend on the rows. */
async function listWords(): Promise<ListWords> {
  const t = await getTranslations('payouts');
  const picks = await getTranslations('payoutPicks');
  return {
    live: await liveWords(),
    picks: {
      label: picks('label'),
      counted: countedWords((count) => picks('counted', { count })),
      export: picks('export'),
      receipts: picks('receipts'),
      check: picks('check'),
      none: picks('none'),
      close: picks('close'),
      asking: picks('asking'),
      unreachable: picks('unreachable'),
    },
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
      pickPage: t('table.pickPage'),
      pickOne: t.raw('table.pickOne') as string,
    },
  };
}
