import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { FirstSteps } from '#app/onboarding/first-steps.tsx';
import { FlowLoading } from '#app/wallets/flow/flow-panel.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { listHeldBatches } from '#lib/batches/run/list-held.ts';
import { openReminders } from '#lib/cards/reminders/view.ts';
import { viewOnboarding } from '#lib/onboarding/view.ts';
import { overviewMovements } from '#lib/movement-views/overview.ts';
import { countFailedReceipts } from '#lib/receipts/list.ts';
import { readyReceipts } from '#lib/receipts/request.ts';
import { walletsToClose } from '#lib/reports/day-close/due.ts';
import { countOpenDifferences } from '#lib/reports/reconciliation/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { countOpenCases } from '#lib/money-in/cases.ts';
import { readChart } from '#lib/wallets/filter.ts';
import { Cash } from './cash.tsx';
import { Figures } from './figures.tsx';
import { Needs } from './needs.tsx';
import { Recent } from './recent.tsx';
import { UnknownOutcomes } from './unknown-outcomes.tsx';
import { WalletStrip, WalletStripFrame } from './wallet-strip.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('home'))('title') };
}

/**
 * The home page, in this order: unknown outcomes, a new merchant's first steps, the day's figures,
 * what waits for a person, the wallets, money in and out, the latest movements.
 */
export default async function HomePage({ searchParams }: PageProps<'/'>): Promise<ReactNode> {
  const person = await signedIn();
  const last = readChart(await searchParams);
  const t = await getTranslations('home');
  const [overview, receipts, topUps, differences, reminders, toClose, onboarding, batches] =
    await Promise.all([
      overviewMovements(person),
      countFailedReceipts(person),
      countOpenCases(person),
      countOpenDifferences(person),
      openReminders(person),
      walletsToClose(person),
      viewOnboarding(person),
      listHeldBatches(person),
    ]);
  const downloads = may(person.role, 'receipt.read')
    ? await readyReceipts(
        person,
        overview.recent.map(({ id }) => id),
      )
    : new Map<string, string>();
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['movement', 'batch', 'receipt', 'top_up', 'reconciliation', 'card']} />
        {may(person.role, 'payout.prepare') && (
          <LinkButton href="/payouts/new" look="primary" data-shortcut="new">
            <Plus aria-hidden className="size-4" />
            {t('new')}
          </LinkButton>
        )}
      </PageHead>
      <UnknownOutcomes {...overview.unknown} now={overview.now} />
      <FirstSteps onboarding={onboarding} />
      <Figures person={person} />
      <Needs
        overview={overview}
        reminders={reminders}
        counts={{ differences, topUps, receipts }}
        toClose={toClose}
        batches={batches}
        mayMark={may(person.role, 'payout.prepare')}
      />
      <WalletStripFrame>
        <WalletStrip person={person} />
      </WalletStripFrame>
      {may(person.role, 'wallet.read') && (
        <Suspense key={last} fallback={<FlowLoading />}>
          <Cash person={person} last={last} />
        </Suspense>
      )}
      <Recent
        rows={overview.recent}
        receipts={downloads}
        now={overview.now}
        mayPrepare={may(person.role, 'payout.prepare')}
      />
    </>
  );
}
