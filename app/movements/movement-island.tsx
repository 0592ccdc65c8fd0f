'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { LiveChip } from '#components/live.tsx';
import { useServerClock } from '#components/server-clock.ts';
import { toneOf, wordOf } from '#components/state-words.ts';
import { HelpLink } from '#components/ui/help-link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { shownOf } from '#lib/movement-views/situation.ts';
import { isSettled } from '#lib/movement-views/timeline.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { FreshnessProblem } from './freshness-problem.tsx';
import { MovementFacts } from './movement-facts.tsx';
import { MovementTimeline } from './movement-timeline.tsx';
import { RawAnswers } from './raw-answers.tsx';
import { SituationBand } from './situation-band.tsx';
import { useMovement } from './use-movement.ts';
import { Sources } from './sources.tsx';
import { shownPayee, useWriting } from './words.ts';

type Props = {
  view: MovementView;
  walletName: string | null;
  paymentType: string | null;
  /** Whom the payment waits for, below its timeline. */
  approval: ReactNode;
};

/**
 * The parts of a payout's page that follow its state. Drawn on the server first; nothing in it
 * moves when it changes.
 */
export function MovementIsland(props: Props): ReactNode {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <Followed {...props} />
    </QueryClientProvider>
  );
}

function Followed({ view: first, walletName, paymentType, approval }: Props): ReactNode {
  const { view, status, pollSeconds, problem, databaseDown, refetch } = useMovement(first);
  const now = useServerClock(view.now, status !== 'paused');
  const live = useTranslations('live');
  // Space is reserved for what may still appear; a page opened after the end needs none.
  const [roomy] = useState(!isSettled(first));
  return (
    <article className="grid gap-5">
      <MovementHead view={view}>
        <LiveChip
          status={status}
          words={{
            on: live('on'),
            connecting: live('connecting'),
            lost:
              isSettled(view) || pollSeconds === null
                ? live('lost')
                : live('polling', { seconds: pollSeconds }),
            paused: live('paused'),
            ended: live('ended'),
          }}
          age={live('age', { seconds: Math.floor((now - Date.parse(view.now)) / 1000) })}
        />
      </MovementHead>
      <FreshnessProblem
        view={view}
        problem={problem}
        databaseDown={databaseDown}
        onRetry={refetch}
      />
      <SituationBand view={view} now={now} roomy={roomy} onChanged={refetch} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-5">
          <MovementTimeline view={view} now={now} roomy={roomy} />
          {approval}
        </div>
        <div className="grid min-w-0 gap-5">
          <Sources view={view} />
          <MovementFacts view={view} walletName={walletName} paymentType={paymentType} />
        </div>
      </div>
      <RawAnswers view={view} />
    </article>
  );
}

function MovementHead({ view, children }: { view: MovementView; children: ReactNode }): ReactNode {
  const states = useTranslations('states');
  const { money } = useWriting();
  const word = wordOf(shownOf(view));
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-display font-semibold tabular-nums max-sm:w-full">
          {money(view.amount, view.currency)}
        </h1>
        <div className="flex items-center gap-2 max-sm:w-full">
          <Pill tone={toneOf(view)}>{states(word)}</Pill>
          <HelpLink about={word} label={states('what', { state: states(word) })} />
        </div>
        <div className="max-sm:-ml-2 max-sm:w-full sm:ml-auto">{children}</div>
      </div>
      <p className="min-w-0 text-body text-muted">
        <span className="font-medium wrap-anywhere text-ink">{view.name}</span>{' '}
        <span className="font-mono text-mono break-words">{shownPayee(view)}</span>
      </p>
    </header>
  );
}
