'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { secondsUntil } from '#components/server-clock.ts';
import { Panel } from '#components/ui/panel.tsx';
import { ICON_RELEASED } from '#components/ui/pill.tsx';
import { timelineNodes } from '#lib/movement-views/timeline.ts';
import type { NodeKind, TimelineNode } from '#lib/movement-views/timeline.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { useWriting } from './words.ts';

const TITLES: Record<NodeKind, string> = {
  released: 'text-attention font-medium',
  done: 'text-ink font-medium',
  now: 'text-ink font-medium',
  expected: 'text-muted',
  branch: 'text-ink font-medium',
  bad: 'text-failed font-medium',
  returned: 'text-returned font-medium',
};

/**
 * `roomy`: as high as the complete normal path, however the payout ends. Every row has the same
 * height and room for a second line, so that a row with a new detail moves no other.
 */
export function MovementTimeline({
  view,
  now,
  roomy,
}: {
  view: MovementView;
  now: number;
  roomy: boolean;
}): ReactNode {
  const t = useTranslations('payout.timeline');
  const nodes = timelineNodes(view);
  return (
    <Panel title={t('title')}>
      <ol className={`grid content-start px-4 py-3 ${roomy ? 'min-h-118 sm:min-h-97' : ''}`}>
        {nodes.map((node, index) => (
          <Node
            key={node.key}
            node={node}
            view={view}
            now={now}
            last={index === nodes.length - 1}
          />
        ))}
      </ol>
    </Panel>
  );
}

function Node({
  node,
  view,
  now,
  last,
}: {
  node: TimelineNode;
  view: MovementView;
  now: number;
  last: boolean;
}): ReactNode {
  const t = useTranslations('payout.timeline');
  const { time, iso, span } = useWriting();
  return (
    <li className="grid min-h-16 sm:min-h-13 grid-cols-[1rem_minmax(0,1fr)] gap-x-3">
      <div aria-hidden className="flex flex-col items-center gap-1 pt-0.5">
        <Mark kind={node.kind} />
        {!last && <span className="w-px grow bg-hairline" />}
      </div>
      <div className="min-w-0 pb-2">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={`text-body ${TITLES[node.kind]}`}>
            {t(`nodes.${node.code}`)}
            <span className="sr-only"> ({t(`states.${node.kind}`)})</span>
          </span>
          {node.at !== null && (
            <span className="text-label text-muted tabular-nums">
              {node.sincePrevious !== null && (
                <span className="mr-2">{t('after', { duration: span(node.sincePrevious) })}</span>
              )}
              <time dateTime={node.at} title={iso(node.at)}>
                {time(node.at, view.now)}
              </time>
            </span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-label text-muted">
          <Detail node={node} view={view} now={now} />
        </p>
      </div>
    </li>
  );
}

/** The second line: the source, and other details of this step. */
function Detail({
  node,
  view,
  now,
}: {
  node: TimelineNode;
  view: MovementView;
  now: number;
}): ReactNode {
  const t = useTranslations('payout.timeline');
  const { time, money } = useWriting();
  const words: string[] = [];
  if (node.code === 'created') words.push(view.maker);
  else if (node.by !== null)
    words.push(node.of === null ? node.by : t('deputy', { by: node.by, of: node.of }));
  else if (node.source !== null)
    words.push(t('sourceLabel', { source: t(`sources.${node.source}`) }));
  if (node.code === 'sending' || node.code === 'sending_again')
    words.push(t('ref', { ref: view.extId }));
  if (node.answerCode !== null) words.push(t('code', { code: node.answerCode }));
  if (node.code === 'accepted' && view.fee !== null)
    words.push(t('fee', { fee: money(view.fee, view.currency) }));
  if (node.notice !== null)
    words.push(t(`notice.${node.notice.hint}`, { at: time(node.notice.at, view.now) }));
  return (
    <>
      {words.map((word) => (
        <span key={word} className="break-words">
          {word}
        </span>
      ))}
      {node.kind === 'now' && <NextLook view={view} now={now} />}
    </>
  );
}

/** Counts by the server's clock; a screen reader does not announce every second. */
function NextLook({ view, now }: { view: MovementView; now: number }): ReactNode {
  const t = useTranslations('payout.timeline');
  const evidence = useTranslations('payout.evidence');
  const { time } = useWriting();
  if (view.nextLookAt === null || view.state === 'SUBMITTING') return null;
  const left = secondsUntil(view.nextLookAt, now);
  const next =
    left === 0
      ? evidence('nextSoon')
      : left < 120
        ? evidence('seconds', { seconds: left })
        : time(view.nextLookAt, view.now);
  const last =
    (view.state === 'COMPLETED' ? view.observations.ledger : view.observations.record)?.at ?? null;
  return (
    <span className="tabular-nums">
      {view.state === 'AWAITING_APPROVAL'
        ? t('runsOut', { next })
        : last === null
          ? t('nextOnly', { next })
          : t('next', { last: time(last, view.now), next })}
    </span>
  );
}

function Mark({ kind }: { kind: NodeKind }): ReactNode {
  const common = { viewBox: '0 0 16 16', className: 'size-4 shrink-0' };
  switch (kind) {
    case 'done':
      return (
        <svg {...common} className={`${common.className} fill-settled`}>
          <circle cx="8" cy="8" r="5" />
        </svg>
      );
    case 'now':
      return (
        <svg
          {...common}
          className={`${common.className} fill-none stroke-progress`}
          strokeWidth="2"
        >
          <circle cx="8" cy="8" r="5" />
          <path d="M8 3a5 5 0 0 1 0 10z" className="fill-progress stroke-none" />
        </svg>
      );
    case 'expected':
      return (
        <svg
          {...common}
          className={`${common.className} fill-none stroke-control`}
          strokeWidth="1.5"
          strokeDasharray="2.2 2"
        >
          <circle cx="8" cy="8" r="5" />
        </svg>
      );
    case 'released':
      return <ICON_RELEASED aria-hidden className="size-4 shrink-0 text-attention" />;
    case 'branch':
      return (
        <svg
          {...common}
          className={`${common.className} fill-none stroke-attention`}
          strokeWidth="2"
        >
          <path d="M8 2.5 13.5 8 8 13.5 2.5 8z" />
        </svg>
      );
    case 'bad':
      return (
        <svg
          {...common}
          className={`${common.className} fill-none stroke-failed`}
          strokeWidth="2.2"
        >
          <path d="m4 4 8 8m0-8-8 8" />
        </svg>
      );
    case 'returned':
      return (
        <svg
          {...common}
          className={`${common.className} fill-none stroke-returned`}
          strokeWidth="2"
        >
          <path d="M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7" />
        </svg>
      );
  }
}
