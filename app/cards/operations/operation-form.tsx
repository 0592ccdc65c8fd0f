'use client';

import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
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
import { REASON_MIN, ReasonField } from './reason-field.tsx';
import { useLook } from './use-look.ts';

const ACTIONS: Record<Operation, (form: FormData) => Promise<OperateAnswer>> = {
  capture: capturePayment,
  release: releasePayment,
  refund: refundPayment,
};

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
  const locale = useLocale() as Locale;
  const problem = useProblemWords();
  const { currency, invoiceId } = payment;
  const prefilled =
    operation === 'capture' && payment.amount !== null
      ? formatAmount(parseDecimal(payment.amount), locale)
      : '';
  const [id] = useState(() => crypto.randomUUID());
  const [amount, setAmount] = useState(prefilled);
  const [reason, setReason] = useState('');
  const [touched, setTouched] = useState(false);
  const [answer, setAnswer] = useState<FormAnswer | null>(null);
  const [pending, start] = useTransition();
  const { look, again } = useLook(payment.id);

  const answered = look?.kind === 'answered' ? look : null;
  const left =
    operation === 'refund' ? (answered?.remaining ?? null) : (answered?.held ?? payment.amount);
  const leftMinor = left === null ? null : parseDecimal(left);
  const read = readAmount(amount, locale, currency, leftMinor);
  const money = (minor: bigint): string => formatMoney(toDecimal(minor), currency, locale);
  const spoken =
    operation === 'release'
      ? left === null
        ? ''
        : money(parseDecimal(left))
      : read.minor === null
        ? ''
        : money(read.minor);
  const isWhole =
    (operation === 'release' || read.minor !== null) &&
    (operation === 'capture' || reason.trim().length >= REASON_MIN);
  const mayPress = !pending && answered !== null && answered.stops[operation] === null;

  const press = (): void => {
    setTouched(true);
    if (!mayPress || !isWhole) return;
    const form = new FormData();
    const fields = {
      id,
      paymentId: payment.id,
      amount: read.minor === null ? '' : toDecimal(read.minor),
      reason: reason.trim(),
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    start(async () => {
      const answer = await ACTIONS[operation](form).catch(() => ({ kind: 'unreachable' }) as const);
      if (answer.kind === 'started')
        return onStarted(t(`started.${operation}`, { invoice: invoiceId, amount: spoken }));
      setAnswer(answer);
      // The reason for the refusal may be in the payment's record by now.
      if (answer.kind === 'stopped') again();
    });
  };
  return (
    <div className="grid gap-4">
      <p className="font-mono text-mono break-all text-muted">{invoiceId}</p>
      <Figures operation={operation} look={look} known={payment.amount} currency={currency} />
      {operation !== 'release' && (
        <AmountField
          label={t(`${operation}.amount`)}
          typed={amount}
          onType={setAmount}
          read={read}
          touched={touched || amount !== prefilled}
          prefilled={prefilled}
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
      )}
      {operation === 'refund' && leftMinor !== null && leftMinor > 0n && (
        <Button
          className="justify-self-start"
          onClick={() => setAmount(formatAmount(leftMinor, locale))}
        >
          {t('refund.all', { amount: money(leftMinor) })}
        </Button>
      )}
      {operation !== 'capture' && (
        <ReasonField operation={operation} typed={reason} onType={setReason} touched={touched} />
      )}
      <Effect operation={operation} payment={payment} amount={spoken} />
      <LookLine operation={operation} look={look} again={again} />
      {answer !== null && (
        <p role="alert" className="font-medium text-attention">
          {answer.kind === 'stopped'
            ? t(`stops.${answer.why}`)
            : answer.kind === 'unreachable' || answer.kind === 'started'
              ? t('unreachable')
              : problem(answer)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onKeep}>{t('keep')}</Button>
        <Button
          look={operation === 'release' ? 'danger' : 'primary'}
          aria-disabled={!mayPress || !isWhole}
          onClick={press}
        >
          {pending
            ? t('sending')
            : operation === 'release'
              ? t('release.confirm')
              : spoken === ''
                ? t(`${operation}.confirmEmpty`)
                : t(`${operation}.confirm`, { amount: spoken })}
        </Button>
      </div>
    </div>
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
