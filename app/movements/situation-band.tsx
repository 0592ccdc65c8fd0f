'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { secondsUntil } from '#components/server-clock.ts';
import { ReasonForm } from '#components/reason-form.tsx';
import { toneOf } from '#components/state-words.ts';
import { TwoPeople } from '#components/two-people.tsx';
import { Link } from '#components/ui/link.tsx';
import { ICON_RELEASED, TONE_GROUND, TONE_ICON } from '#components/ui/pill.tsx';
import { situationOf } from '#lib/movement-views/situation.ts';
import type { Situation } from '#lib/movement-views/situation.ts';
import { kindOf, movementAddress } from '#lib/movements/kinds.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { acknowledgeFlag, submitMovementStatement } from './actions.ts';
import { MovementActions } from './movement-actions.tsx';
import { providerReason } from './provider-reason.ts';
import { useWriting } from './words.ts';

const Icon = TONE_ICON.attention;

/** The situations that show the provider's code below the reason. */
const SAYS_CODE: readonly Situation[] = ['rejected', 'rejected_unproven', 'failed'];
const BAND = 'flex justify-between gap-x-6 gap-y-3 rounded-panel border px-4 py-3 max-sm:flex-col';

/**
 * What is known about the money, in one sentence, always in the same place and of the same height:
 * the page does not move when a response is lost. An unknown outcome is never red and never a
 * toast.
 */
export function SituationBand({
  view,
  now,
  roomy,
  onChanged,
}: {
  view: MovementView;
  now: number;
  roomy: boolean;
  onChanged: () => void;
}): ReactNode {
  const t = useTranslations('payout');
  const situation = situationOf(view);
  const values = useValues(view, situation);
  const tone = toneOf(view);
  const border = tone === 'unknown' ? 'border-dashed border-unknown' : 'border-transparent';
  return (
    // The wrapper reserves the height, not the band: what follows stays in place, and a short
    // sentence gets a small band.
    <div className={roomy ? 'min-h-70 sm:min-h-28' : ''}>
      <section className={`${BAND} ${TONE_GROUND[tone]} ${border}`}>
        <div aria-live="polite" className="grid max-w-3xl min-w-0 content-start gap-1">
          <h2
            id="situation"
            tabIndex={-1}
            className={`outline-none text-section font-semibold ${roomy ? 'max-sm:min-h-11' : ''}`}
          >
            {t(`sentences.${situation}.title`, values)}
          </h2>
          <p className="text-body">{t(`sentences.${situation}.text`, values)}</p>
          {view.decided.given.map(
            ({ by, at, overrideReason }) =>
              overrideReason !== null && <Released key={at} by={by} reason={overrideReason} />,
          )}
          {view.stop !== null && <StopLine view={view} held={view.stop} />}
          {SAYS_CODE.includes(situation) &&
            view.reasonCode !== null &&
            /^\d+$/.test(view.reasonCode) && (
              <p className="font-mono text-mono">
                {t('reasonCode')} {view.reasonCode}
              </p>
            )}
          {view.state === 'UNKNOWN' && <Evidence view={view} now={now} />}
          {view.alert !== null && <Flag view={view} alert={view.alert} />}
          <TwoPeople
            id={view.id}
            kind={kindOf(view.kind).claimWords}
            closing={view.closing}
            statements={view.statements}
            action={submitMovementStatement}
          />
          <RelatedMovements view={view} />
        </div>
        <MovementActions view={view} onChanged={onChanged} />
      </section>
    </div>
  );
}

/** An owner sent it without the approvals that were missing: shown whatever became of it. */
function Released({ by, reason }: { by: string; reason: string }): ReactNode {
  const t = useTranslations('payout');
  return (
    <p className="flex gap-2 text-body font-medium">
      <ICON_RELEASED aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{t('released', { by, reason })}</span>
    </p>
  );
}

function StopLine({
  view,
  held,
}: {
  view: MovementView;
  held: NonNullable<MovementView['stop']>;
}): ReactNode {
  const t = useTranslations('sending.held');
  const { time } = useWriting();
  return (
    <p className="text-body font-medium">
      {t(held.cause, { by: held.by ?? '', at: time(held.since, view.now), reason: held.reason })}
    </p>
  );
}

function useValues(view: MovementView, situation: Situation): Record<string, string> {
  const t = useTranslations('payout');
  const { time, span } = useWriting();
  const seconds =
    view.endedAt === null
      ? 0
      : Math.max(0, Math.round((Date.parse(view.endedAt) - Date.parse(view.createdAt)) / 1000));
  const at = situation === 'return_confirmed' ? view.returnedAt : view.endedAt;
  const reason = providerReason(view, (code) =>
    t.has(`reasons.${code}`) ? t(`reasons.${code}`) : null,
  );
  const { sentBack } = view.decided;
  if (situation === 'sent_back' && sentBack !== null)
    return { by: sentBack.by, reason: sentBack.reason };
  return {
    at: at === null ? '' : time(at, view.now),
    completedAt: view.endedAt === null ? '' : time(view.endedAt, view.now),
    total: span(seconds),
    reason: reason === '' ? t('noReason') : reason,
  };
}

/**
 * When the movement was sent, when the response failed to arrive, what the queries found, and when
 * the next one is due.
 */
function Evidence({ view, now }: { view: MovementView; now: number }): ReactNode {
  const t = useTranslations('payout.evidence');
  const { time } = useWriting();
  const lost =
    view.timeline.findLast((entry) => entry.to === 'UNKNOWN' && entry.from === 'SUBMITTING')?.at ??
    view.stateSince;
  const record = view.observations.record;
  const asked =
    record === null
      ? t('notAsked')
      : t(record.says === 'not_found' ? 'askedNotFound' : 'askedNoAnswer', { times: record.times });
  const left = view.nextLookAt === null ? null : secondsUntil(view.nextLookAt, now);
  const next =
    left === null
      ? t('none')
      : t('next', {
          when:
            left === 0
              ? t('nextSoon')
              : left < 120
                ? t('seconds', { seconds: left })
                : time(view.nextLookAt ?? view.now, view.now),
        });
  const parts = [
    view.lastSendAt === null ? null : t('sent', { at: time(view.lastSendAt, view.now) }),
    t('silent', { at: time(lost, view.now) }),
    asked,
  ];
  return (
    <p className="flex gap-x-2 text-label tabular-nums max-sm:grid sm:flex-wrap">
      {parts
        .filter((part) => part !== null)
        .map((part) => (
          <span key={part}>
            {part}
            <span className="max-sm:hidden"> ·</span>
          </span>
        ))}
      <span aria-live="off">{next}</span>
    </p>
  );
}

/** An alert of the movement, in a tone of its own, because a paid payout can have one too. */
function Flag({
  view,
  alert,
}: {
  view: MovementView;
  alert: NonNullable<MovementView['alert']>;
}): ReactNode {
  const t = useTranslations('payout.alert');
  return (
    <div className={`mt-1.5 grid gap-1 rounded-control px-3 py-2 ${TONE_GROUND.attention}`}>
      <p className="flex gap-2 text-body font-medium">
        <Icon aria-hidden className="mt-1 size-3.5 shrink-0" />
        <span>
          <span className="sr-only">{t('label')}: </span>
          {t(alert)}
        </span>
      </p>
      <Seen view={view} />
    </div>
  );
}

/** The person who acknowledged the alert; or, for a role that may, the button to acknowledge it. */
function Seen({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.seen');
  const { time } = useWriting();
  const { alertSeen: seen, can } = view;
  if (seen !== null)
    return (
      <p className="text-label">
        {t('by', { by: seen.by, at: time(seen.at, view.now), reason: seen.reason })}
      </p>
    );
  if (!can.acknowledge) return null;
  return (
    <div className="mt-1">
      <ReasonForm
        action={acknowledgeFlag}
        fields={{ id: view.id, alert: view.alert ?? '' }}
        label={t('label')}
        hint={t('hint')}
        button={t('button')}
      />
    </div>
  );
}

function RelatedMovements({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.links');
  const link = 'font-medium underline underline-offset-2';
  return (
    <>
      {view.retriedBy !== null && (
        <p className="text-body">
          {t('retriedBy')}{' '}
          <Link className={link} href={movementAddress({ kind: view.kind, id: view.retriedBy })}>
            {t('retriedByLink')}
          </Link>
        </p>
      )}
      {view.retryOf !== null && (
        <p className="text-body">
          {t('retryOf')}{' '}
          <Link className={link} href={movementAddress({ kind: view.kind, id: view.retryOf })}>
            {t('retryOfLink')}
          </Link>
        </p>
      )}
    </>
  );
}
