import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { acknowledgeFlag, submitMovementStatement } from '#app/movements/actions.ts';
import { Messages } from '#components/messages.tsx';
import { MoneyState } from '#components/money-state.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { SeenBy } from '#app/cards/seen-by.tsx';
import { TwoPeople } from '#components/two-people.tsx';
import { When } from '#components/when.tsx';
import type { CardOperation } from '#lib/cards/operations/list.ts';
import { KIND_OF } from '#lib/cards/operations/operation.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * Our own codes for why nothing was sent, and for the final result on the record; any other code is
 * the gateway's.
 */
const WHY = [
  'changed_elsewhere',
  'more_than_left',
  'too_old',
  'lapsed',
  'age_unknown',
  'contradicted',
  'not_verified',
  'level_failed',
  'people_said',
] as const;
const SHOWN_ALERTS = ['mismatch', 'unknown_too_long', 'not_seen_for_a_week'] as const;

/**
 * A capture, void or refund in the payment's timeline: the requester and the result. Failed ones
 * stay listed.
 */
export async function OperationStatements({
  operation,
}: {
  operation: CardOperation;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.timeline.operation');
  const locale = (await getLocale()) as Locale;
  const { state, lastSendAt, endedAt, maker, reason } = operation;
  return (
    <li className="grid gap-1 px-4 py-2.5 sm:grid-cols-[11rem_1fr]">
      <span className="text-muted">
        <When at={operation.createdAt} seconds />
      </span>
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">
            {t(`what.${operation.operation}`, {
              amount: formatMoney(operation.amount, operation.currency, locale),
            })}
          </span>
          <MoneyState state={state} returned="NONE" kind={KIND_OF[operation.operation]} />
          <span className="text-muted">{t('by', { name: maker })}</span>
        </p>
        {reason !== '' && <p className="break-words">{reason}</p>}
        <Why operation={operation} />
        {(lastSendAt !== null || endedAt !== null) && (
          <p className="text-label text-muted tabular-nums">
            {[
              lastSendAt !== null ? t('sent', { at: shownTime(lastSendAt, locale) }) : null,
              endedAt === null ? null : t('ended', { at: shownTime(endedAt, locale) }),
            ]
              .filter((one) => one !== null)
              .join(' · ')}
          </p>
        )}
        <Acknowledgement operation={operation} />
        <Messages of={['secondPerson']}>
          <TwoPeople
            id={operation.id}
            kind={KIND_OF[operation.operation]}
            closing={operation.closing}
            statements={operation.statements}
            action={submitMovementStatement}
          />
        </Messages>
      </div>
    </li>
  );
}

/** Why nothing was sent or what the result is, and what needs attention. */
async function Why({
  operation: { isUnproven, reasonCode, reasonText, alert },
}: {
  operation: CardOperation;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.timeline.operation');
  const why = reasonCode === null ? undefined : WHY.find((one) => one === reasonCode);
  return (
    <>
      {isUnproven && <p>{t('why.unproven')}</p>}
      {reasonCode !== null && !isUnproven && (
        <p>
          {why === undefined ? t('why.code', { code: reasonCode }) : t(`why.${why}`)}
          {reasonText !== null && <span className="text-muted"> {reasonText}</span>}
        </p>
      )}
      {alert !== null && alert !== 'provider_unreachable' && (
        <p>{t(`alert.${SHOWN_ALERTS.find((one) => one === alert) ?? 'other'}`)}</p>
      )}
    </>
  );
}

/** Who has seen the alert, or the form to say so. */
async function Acknowledgement({
  operation: { id, alert, alertSeen, can },
}: {
  operation: CardOperation;
}): Promise<ReactNode> {
  const t = await getTranslations('payout.seen');
  return (
    <>
      {alertSeen !== null && <SeenBy seen={alertSeen} />}
      {can.acknowledge && (
        <ReasonForm
          action={acknowledgeFlag}
          fields={{ id, alert: alert ?? '' }}
          label={t('label')}
          hint={t('hint')}
          button={t('button')}
        />
      )}
    </>
  );
}

function shownTime(at: string, locale: Locale): string {
  return formatDateTime(at, locale, { zone: workspace().timeZone, seconds: true });
}
