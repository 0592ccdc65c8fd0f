'use client';

import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import { ForeseenLine } from '#app/movements/form/foreseen-line.tsx';
import { useForeseen } from '#app/movements/form/use-foreseen.ts';
import { Button } from '#components/ui/button.tsx';
import { MONEY_ROW, MoneyButton } from '#components/ui/money-button.tsx';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { KIND_OF } from '#lib/cards/operations/operation.ts';
import type { Operation } from '#lib/cards/operations/operation.ts';
import { captureEndsAt } from '#lib/cards/payments/authorization.ts';
import { formatMoment } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, parseDecimal, toDecimal } from '#lib/values/money.ts';
import { capturePayment, refundPayment, releasePayment } from './actions.ts';
import type { OperateAnswer } from './actions.ts';
import { AmountField } from './amount-field.tsx';
import { Figures, LookLine } from './check-line.tsx';
import type { Operable } from './operable.ts';
import { useProblemWords } from './problem-words.ts';
import { readAmount } from './read-amount.ts';
import type { ReadAmount } from './read-amount.ts';
import { REASON_MIN, ReasonField } from './reason-field.tsx';
import { useLook } from './use-look.ts';
import type { Look } from './use-look.ts';

const ACTIONS: Record<Operation, (form: FormData) => Promise<OperateAnswer>> = {
  capture: capturePayment,
  release: releasePayment,
  refund: refundPayment,
};

type Answered = Extract<Look, { kind: 'answered' }>;
type FormAnswer = OperateAnswer | { kind: 'unreachable' };

/**
 * One operation on one payment, from the check to the press. Not a form element: Enter in a field
 * must not confirm money. What was typed stays until the operation is stored, and a second press
 * after a lost response carries the same id, so that no second operation starts.
 */
export function OperationForm({
  operation,
  payment,
  onStarted,
  onKeep,
}: {
  operation: Operation;
  payment: Operable;
  onStarted: (words: string) => void;
  onKeep: () => void;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const words = useTranslations('foreseen');
  const { currency, invoiceId } = payment;
  const [reason, setReason] = useState('');
  const [touched, setTouched] = useState(false);
  const { look, again } = useLook(payment.id);

  const answered = look?.kind === 'answered' ? look : null;
  const amount = useAmount(operation, payment, answered);
  const { minor } = amount.read;
  const foreseen = useRefundForeseen(operation, payment, minor);
  const { answer, pending, send } = useSending(operation, payment.id, {
    onStarted: () => {
      const about = { invoice: invoiceId, amount: amount.spoken };
      onStarted(foreseen === null ? t(`started.${operation}`, about) : words('submitted', about));
    },
    // The reason for the refusal may be in the payment's record by now.
    onStopped: again,
  });
  const closed = useClosed(operation, answered, {
    hasAmount: operation === 'release' || minor !== null,
    hasReason: operation === 'capture' || reason.trim().length >= REASON_MIN,
  });
  return (
    <div className="grid gap-4">
      <p className="font-mono text-mono break-all text-muted">{invoiceId}</p>
      <Figures operation={operation} look={look} known={payment.amount} currency={currency} />
      {operation !== 'release' && (
        <AmountPart operation={operation} amount={amount} touched={touched} currency={currency} />
      )}
      {operation !== 'capture' && (
        <ReasonField operation={operation} typed={reason} onType={setReason} touched={touched} />
      )}
      <Effect operation={operation} payment={payment} amount={amount.spoken} />
      <LookLine operation={operation} look={look} again={again} />
      <ForeseenLine foreseen={foreseen} />
      {answer !== null && <AnswerLine answer={answer} />}
      <div className={`${MONEY_ROW} justify-end`}>
        <Button onClick={onKeep}>{t('keep')}</Button>
        <ConfirmButton
          operation={operation}
          amount={amount.spoken}
          needsApproval={foreseen !== null}
          pending={pending}
          closed={pending ? null : closed}
          onPress={() =>
            send({ amount: minor === null ? '' : toDecimal(minor), reason: reason.trim() })
          }
          onClosed={() => setTouched(true)}
        />
      </div>
    </div>
  );
}

/** Typing an amount asks the server only when it has rested this long, in milliseconds. */
const TYPING_MS = 300;

/** Who has to approve the refund; null where nobody has to, and for the other operations. */
function useRefundForeseen(
  operation: Operation,
  { id, currency }: Operable,
  minor: bigint | null,
): Foreseen | null {
  return useForeseen(
    operation === 'refund' && minor !== null && minor > 0n
      ? {
          id,
          kind: KIND_OF.refund,
          wallet: '',
          iban: '',
          toWallet: null,
          name: '',
          amountMinor: minor.toString(),
          currency,
          retryOf: null,
        }
      : null,
    TYPING_MS,
  );
}

/** Why the operation cannot be confirmed yet; null when it can. */
function useClosed(
  operation: Operation,
  answered: Answered | null,
  { hasAmount, hasReason }: { hasAmount: boolean; hasReason: boolean },
): string | null {
  const t = useTranslations('cardDialogs.closed');
  if (answered === null) return t('unasked');
  if (answered.stops[operation] !== null) return t('stopped');
  if (!hasAmount) return t('amount');
  return hasReason ? null : t('reason');
}

type Amount = {
  typed: string;
  type: (typed: string) => void;
  prefilled: string;
  /** The amount that the gateway has left for the operation; null while it is not known. */
  leftMinor: bigint | null;
  read: ReadAmount;
  /** The amount formatted for people; empty while there is no amount. */
  spoken: string;
};

/**
 * The amount as typed and as parsed, with the amount left at the gateway; a void (`release`) always
 * takes the whole authorized amount.
 */
function useAmount(operation: Operation, payment: Operable, answered: Answered | null): Amount {
  const locale = useLocale() as Locale;
  const { currency } = payment;
  const prefilled =
    operation === 'capture' && payment.amount !== null
      ? formatAmount(parseDecimal(payment.amount), locale)
      : '';
  const [typed, type] = useState(prefilled);
  const left =
    operation === 'refund' ? (answered?.remaining ?? null) : (answered?.held ?? payment.amount);
  const leftMinor = left === null ? null : parseDecimal(left);
  const read = readAmount(typed, locale, currency, leftMinor);
  const minor = operation === 'release' ? leftMinor : read.minor;
  const spoken = minor === null ? '' : formatMoney(toDecimal(minor), currency, locale);
  return { typed, type, prefilled, leftMinor, read, spoken };
}

/**
 * Submits the operation with the same id at every press, so that a second press starts no second
 * operation. `answer`: why the operation did not start.
 */
function useSending(
  operation: Operation,
  paymentId: string,
  { onStarted, onStopped }: { onStarted: () => void; onStopped: () => void },
): {
  answer: FormAnswer | null;
  pending: boolean;
  send: (fields: { amount: string; reason: string }) => void;
} {
  const [id] = useState(() => crypto.randomUUID());
  const [answer, setAnswer] = useState<FormAnswer | null>(null);
  const [pending, start] = useTransition();
  const send = ({ amount, reason }: { amount: string; reason: string }): void => {
    const form = new FormData();
    const fields = { id, paymentId, amount, reason };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    start(async () => {
      const answer = await ACTIONS[operation](form).catch(() => ({ kind: 'unreachable' }) as const);
      if (answer.kind === 'started') return onStarted();
      setAnswer(answer);
      if (answer.kind === 'stopped') onStopped();
    });
  };
  return { answer, pending, send };
}

/**
 * The amount field of a capture or a refund; for a refund also a button for the whole remaining
 * amount.
 */
function AmountPart({
  operation,
  amount: { typed, type, prefilled, leftMinor, read },
  touched,
  currency,
}: {
  operation: 'capture' | 'refund';
  amount: Amount;
  touched: boolean;
  currency: string;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const locale = useLocale() as Locale;
  const money = (minor: bigint): string => formatMoney(toDecimal(minor), currency, locale);
  return (
    <>
      <AmountField
        label={t(`${operation}.amount`)}
        typed={typed}
        onType={type}
        read={read}
        touched={touched || typed !== prefilled}
        leftMinor={leftMinor}
        currency={currency}
        hint={
          operation === 'capture'
            ? restWords(
                read.minor,
                leftMinor,
                (rest) => t('capture.rest', { rest: money(rest) }),
                t('capture.all'),
              )
            : undefined
        }
      />
      {operation === 'refund' && leftMinor !== null && leftMinor > 0n && (
        <Button
          className="justify-self-start"
          onClick={() => type(formatAmount(leftMinor, locale))}
        >
          {t('refund.all', { amount: money(leftMinor) })}
        </Button>
      )}
    </>
  );
}

function AnswerLine({ answer }: { answer: FormAnswer }): ReactNode {
  const t = useTranslations('cardDialogs');
  const problem = useProblemWords();
  return (
    <p role="alert" className="font-medium text-attention">
      {answer.kind === 'stopped'
        ? t(`stops.${answer.why}`)
        : answer.kind === 'unreachable' || answer.kind === 'started'
          ? t('unreachable')
          : problem(answer)}
    </p>
  );
}

function ConfirmButton({
  operation,
  amount,
  needsApproval,
  pending,
  closed,
  onPress,
  onClosed,
}: {
  operation: Operation;
  amount: string;
  needsApproval: boolean;
  pending: boolean;
  closed: string | null;
  onPress: () => void;
  onClosed: () => void;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const words = useTranslations('foreseen');
  const confirm = (): string => {
    if (operation === 'release') return t('release.confirm');
    if (needsApproval) return words('submit');
    return amount === '' ? t(`${operation}.confirmEmpty`) : t(`${operation}.confirm`, { amount });
  };
  return (
    <MoneyButton
      look={operation === 'release' ? 'danger' : 'primary'}
      closed={closed}
      busy={pending}
      onClick={onPress}
      onClosed={onClosed}
    >
      {pending ? t('sending') : confirm()}
    </MoneyButton>
  );
}

function restWords(
  minor: bigint | null,
  leftMinor: bigint | null,
  rest: (rest: bigint) => string,
  all: string,
): string | undefined {
  if (minor === null || leftMinor === null) return undefined;
  return minor < leftMinor ? rest(leftMinor - minor) : all;
}

/** The effect of the operation, stated before the press. */
function Effect({
  operation,
  payment,
  amount,
}: {
  operation: Operation;
  payment: Operable;
  amount: string;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const locale = useLocale() as Locale;
  const zone = useTimeZone() ?? 'Europe/Istanbul';
  if (operation === 'release') return <p>{t('release.effect', { amount })}</p>;
  if (operation === 'refund') return <p className="text-label text-muted">{t('refund.effect')}</p>;
  if (payment.heldSince === null) return null;
  return (
    <p className="text-label text-muted">
      {t('capture.until', {
        moment: formatMoment(
          new Date(captureEndsAt(Date.parse(payment.heldSince))).toISOString(),
          locale,
          zone,
        ),
      })}
    </p>
  );
}
