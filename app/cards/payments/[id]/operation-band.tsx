import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OperationActions } from '#app/cards/operations/operation-actions.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { TONE_GROUND } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { CardOperation } from '#lib/cards/operations/list.ts';
import type { OpenState } from '#lib/cards/operations/open.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { workspace } from '#lib/runtime/workspace.ts';

type Situation =
  | 'awaiting'
  | 'queued'
  | 'queuedUnproven'
  | 'queuedAgain'
  | 'sending'
  | 'unknown'
  | 'pending'
  | 'manual';
const TONES: Record<Situation, Tone> = {
  awaiting: 'attention',
  queued: 'progress',
  queuedUnproven: 'attention',
  queuedAgain: 'attention',
  sending: 'progress',
  unknown: 'unknown',
  pending: 'progress',
  manual: 'attention',
};

/** In these states the order's record is not queried about the operation. */
const NOT_ASKED: readonly OpenState[] = ['AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING'];

const BAND = 'flex justify-between gap-x-6 gap-y-3 rounded-panel border px-4 py-3 max-sm:flex-col';

/**
 * What is known of the open operation. An unknown outcome is never red, and no button here sends.
 */
export async function OperationBand({
  operation,
  now,
  mayApprove,
}: {
  operation: CardOperation & { state: OpenState };
  now: string;
  mayApprove: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('cardDialogs');
  const locale = (await getLocale()) as Locale;
  const at = (iso: string): string =>
    formatDateTime(iso, locale, { zone: workspace().timeZone, now, seconds: true });
  const situation = situationOf(operation);
  const what = t(`what.${operation.operation}`, {
    amount: formatMoney(operation.amount, operation.currency, locale),
  });
  const border = situation === 'unknown' ? 'border-dashed border-unknown' : 'border-transparent';
  const isAsked = !NOT_ASKED.includes(operation.state);
  return (
    <section aria-live="polite" className={`${BAND} ${TONE_GROUND[TONES[situation]]} ${border}`}>
      <div className="grid max-w-3xl min-w-0 content-start gap-1">
        <h2 className="text-section font-semibold">{t(`band.${situation}.title`, { what })}</h2>
        <p>{t(`band.${situation}.text`)}</p>
        {situation === 'awaiting' && operation.can.cancel && <p>{t('band.awaiting.cancel')}</p>}
        {situation === 'awaiting' && mayApprove && (
          <div className="no-print">
            <LinkButton href={`/approvals/${operation.id}`}>{t('band.awaiting.decide')}</LinkButton>
          </div>
        )}
        {operation.lastSendAt !== null && (
          <p className="flex flex-wrap gap-x-2 text-label tabular-nums">
            <span>{t('band.sent', { at: at(operation.lastSendAt) })}</span>
            {isAsked && operation.notFoundReads > 0 && (
              <span>· {t('band.asked', { count: operation.notFoundReads })}</span>
            )}
            {isAsked && (
              <span>
                ·{' '}
                {operation.nextLookAt === null
                  ? t('band.none')
                  : t('band.next', { at: at(operation.nextLookAt) })}
              </span>
            )}
          </p>
        )}
      </div>
      {(operation.can.ask || operation.can.cancel) && (
        <OperationActions id={operation.id} can={operation.can} />
      )}
    </section>
  );
}

function situationOf({
  state,
  notSentTries,
  isUnproven,
}: {
  state: OpenState;
  notSentTries: number;
  isUnproven: boolean;
}): Situation {
  switch (state) {
    case 'AWAITING_APPROVAL':
      return isUnproven ? 'queuedUnproven' : 'awaiting';
    case 'APPROVED':
      if (isUnproven) return 'queuedUnproven';
      return notSentTries > 0 ? 'queuedAgain' : 'queued';
    case 'SUBMITTING':
      return 'sending';
    case 'UNKNOWN':
      return 'unknown';
    case 'PENDING':
      return 'pending';
    case 'MANUAL_REVIEW':
      return 'manual';
  }
}
