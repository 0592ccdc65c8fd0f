'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { capabilitiesOf } from '#lib/movements/kinds.ts';
import type { MovementView, SourceObservation } from '#lib/movement-views/view-model.ts';
import { useWriting } from './words.ts';

const KNOWN = [
  'accepted',
  'refused',
  'unclear',
  'duplicate',
  'record_exists',
  'not_sent',
  'unauthorized',
  'same_iban_wait',
  'pending',
  'completed',
  'rejected',
  'failed',
  'found',
  'not_found',
  'no_answer',
  'listed',
  'not_listed',
  'manual',
  'refunded',
  'unknown',
] as const;
const NAMES = ['answer', 'record', 'ledger', 'notice'] as const;

/**
 * Whether a movement kind can have this source: no webhook is documented for a transfer, and a
 * card-balance payout cannot be queried.
 */
function isPossible(name: (typeof NAMES)[number], kind: string): boolean {
  const { answersQuestions, keepsLedger, sendsWebhooks } = capabilitiesOf(kind);
  return { answer: true, record: answersQuestions, ledger: keepsLedger, notice: sendsWebhooks }[
    name
  ];
}

const ROW =
  'grid min-h-13 grid-cols-[8.5rem_minmax(0,1fr)] items-start gap-x-3 border-b ' +
  'border-hairline py-2 last:border-0';

/**
 * Each source separately, so that a contradiction between them is visible. Always the same rows,
 * although no webhook is documented for a transfer.
 */
export function Sources({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.sources');
  return (
    <Panel title={t('title')}>
      <dl className="grid px-4 py-1">
        {NAMES.filter((name) => isPossible(name, view.kind)).map((name) => (
          <div key={name} className={ROW}>
            <dt className="text-label leading-5 font-medium text-muted">{t(name)}</dt>
            <dd className="min-w-0 text-body">
              <Says observation={view.observations[name]} now={view.now} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-hairline px-4 py-2 text-label text-muted">{t('explain')}</p>
    </Panel>
  );
}

function Says({
  observation,
  now,
}: {
  observation: SourceObservation | null;
  now: string;
}): ReactNode {
  const t = useTranslations('payout.sources');
  const { time, iso } = useWriting();
  if (observation === null) return <span className="text-muted">{t('silent')}</span>;
  const known = KNOWN.find((one) => one === observation.says);
  return (
    <>
      <span className="font-medium">
        {known ? t(`says.${known}`) : t('says.other', { says: observation.says })}
      </span>
      {observation.why !== null && (
        <span className="block">
          {t.has(`whys.${observation.why}`)
            ? t(`whys.${observation.why}`)
            : t('whys.other', { why: observation.why })}
        </span>
      )}
      <span className="block text-label text-muted tabular-nums">
        <time dateTime={observation.at} title={iso(observation.at)}>
          {t('last', { at: time(observation.at, now) })}
        </time>{' '}
        {t('times', { times: observation.times })}
      </span>
    </>
  );
}
