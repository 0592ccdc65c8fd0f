import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RAW_TEXT } from '#components/ui/classes.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { CardOperation } from '#lib/cards/operations/list.ts';
import { PAYMENT_STATES } from '#lib/cards/payments/payment.ts';
import type { CardPaymentView, Observation } from '#lib/cards/payments/view.ts';
import { OperationStatements } from './operation-statements.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * Observations of this payment by source, and our own operations, in order of time. Only the
 * gateway's record changes the state.
 */
export async function Observations({
  payment,
  operations,
}: {
  payment: CardPaymentView;
  operations: readonly CardOperation[];
}): Promise<ReactNode> {
  const t = await getTranslations('cards.timeline');
  const rows = [
    ...payment.observations.map((one) => ({
      at: one.at,
      row: <ObservationRow key={one.id} observation={one} />,
    })),
    ...operations.map((operation) => ({
      at: operation.createdAt,
      row: <OperationStatements key={operation.id} operation={operation} />,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <Panel title={t('title')}>
      {rows.length === 0 && <p className="px-4 py-3 text-muted">{t('none')}</p>}
      <ol className="divide-y divide-hairline">{rows.map(({ row }) => row)}</ol>
    </Panel>
  );
}

async function ObservationRow({ observation }: { observation: Observation }): Promise<ReactNode> {
  const t = await getTranslations('cards.timeline');
  return (
    <li className="grid gap-1 px-4 py-2.5 sm:grid-cols-[11rem_1fr]">
      <span className="text-muted">
        <When at={observation.at} seconds />
      </span>
      <div className="grid min-w-0 gap-1">
        <p>
          <span className="font-medium">{await wordsOf(observation)}</span>{' '}
          <span className="text-muted">· {t(`sources.${observation.source}`)}</span>
        </p>
        {observation.raw !== null && (
          <details className="no-print">
            <summary className="text-label text-muted">{t('raw')}</summary>
            <div className="relative pt-1">
              <span className="absolute top-2 right-1">
                <CopyButton
                  text={observation.raw}
                  label={t('copyRaw')}
                  done={(await getTranslations('common'))('copied')}
                />
              </span>
              <pre tabIndex={0} className={`max-h-64 pr-9 ${RAW_TEXT}`}>
                {observation.raw}
              </pre>
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

const NOTICES = ['sale', 'refund', 'chargeback', 'recurring'] as const;
const HINTS = ['succeeded', 'failed', 'refunded', 'charged_back', 'came_back', 'verified'] as const;
const HASHES = ['agrees', 'disagrees', 'none'] as const;
const ANSWERS = [
  'called_off',
  'approved',
  'refused',
  'not_sent',
  'unauthorized',
  'pending',
  'look',
  'unclear',
  'link_done',
  'link_refused',
  'link_exists',
  'link_no_answer',
  'link_not_found',
] as const;
const PROBLEMS = ['not_found', 'no_answer', 'mismatch', 'contradiction'] as const;

async function wordsOf({ source, kind, detail }: Observation): Promise<string> {
  const t = await getTranslations('cards');
  if (kind === 'closed' || kind === 'close_asked')
    return t(kind === 'closed' ? 'timeline.operation.closed' : 'timeline.operation.closeAsked', {
      by: detail['by'] ?? '',
      reason: detail['reason'] ?? '',
    });
  if (source === 'person' && kind === 'day_named')
    return t('timeline.dayNamed', {
      day: formatDate(detail['heldOn'] ?? '', (await getLocale()) as Locale),
      by: detail['by'] ?? '',
    });
  if (source === 'person')
    return t(`timeline.${kind === 'made' || kind === 'sending' ? kind : 'added'}`, {
      by: detail['by'] ?? '',
    });
  if (source === 'return')
    return t('timeline.return', {
      hint: t(`timeline.hints.${HINTS.find((one) => one === detail['hint']) ?? 'unknown'}`),
      hash: t(`timeline.hashes.${HASHES.find((one) => one === detail['hash']) ?? 'none'}`),
    });
  if (source === 'answer')
    return t('timeline.answer', {
      answer: t(`timeline.answers.${ANSWERS.find((one) => one === kind) ?? 'unclear'}`),
      code: detail['code'] ?? 'none',
    });
  if (source === 'notice') {
    const hint = t(`timeline.hints.${HINTS.find((one) => one === detail['hint']) ?? 'unknown'}`);
    return t(`timeline.notice.${NOTICES.find((one) => one === kind) ?? 'other'}`, { hint });
  }
  const problem = PROBLEMS.find((one) => one === detail['problem']);
  if (problem !== undefined) return t('timeline.noRecord', { problem: t(`problems.${problem}`) });
  return t('timeline.record', {
    state: t(`states.${PAYMENT_STATES.find((one) => one === detail['to']) ?? 'unverified'}`),
  });
}
