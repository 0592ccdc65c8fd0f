'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, Select, TextInput } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { InstallmentOption, InstallmentOptions } from '#lib/cards/checkout/installments.ts';
import { CARD_PROGRAMS, HOLDS, VERIFIED } from '#lib/cards/checkout/schema.ts';
import { formatPercent, parseDecimal } from '#lib/values/money.ts';
import { lookUpInstallments } from './actions.ts';
import { CheckRow, ChoiceField } from './choice-field.tsx';
import { TextField } from './text-field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

const COMMISSIONS = ['merchant', 'user'] as const;

/**
 * The installments that the gateway offers, the commission, the loyalty program, and whether the
 * amount is only authorized.
 */
export function PaymentBlock({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.payment');
  const { typed, type } = form;
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        <Installments form={form} />
        {typed.kind !== 'link' && (
          <ChoiceField
            id="charge-commission"
            label={t('commissionBy')}
            value={typed.commissionBy}
            values={COMMISSIONS}
            textOf={(one) => t(`commission.${one}`)}
            none={t('commission.none')}
            onChoose={(commissionBy) => type({ commissionBy })}
          />
        )}
        {typed.kind !== 'link' && (
          <ChoiceField
            id="charge-program"
            label={t('program')}
            value={typed.cardProgram}
            values={CARD_PROGRAMS}
            textOf={(one) => one}
            none={t('anyProgram')}
            error={form.error('cardProgram')}
            onChoose={(cardProgram) => type({ cardProgram })}
          />
        )}
        {VERIFIED.includes(typed.kind) && (
          <CheckRow
            id="charge-verify"
            label={t('verifyFirst')}
            checked={typed.verifyFirst}
            onCheck={(verifyFirst) => type({ verifyFirst })}
          />
        )}
        {HOLDS.includes(typed.kind) && (
          <CheckRow
            id="charge-hold"
            label={t('hold')}
            checked={typed.hold}
            onCheck={(hold) => type({ hold })}
          />
        )}
      </div>
    </Panel>
  );
}

/** The first card digits are requested only where the card itself may be typed here. */
function Installments({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.payment');
  const { typed, locale } = form;
  const [prefix, setPrefix] = useState('');
  const [asking, setAsking] = useState(false);
  const [answered, setAnswered] = useState<{ of: string; answer: InstallmentOptions } | null>(null);
  const seesDigits = typed.kind === 'non_secure';
  const question = {
    prefix: seesDigits ? prefix : '',
    amount: form.total,
    locale,
    currency: typed.currency,
    recurring: typed.recurring,
    nonSecure: typed.kind === 'non_secure',
    commissionBy: typed.commissionBy,
  };
  // An answer holds for its own question only: another amount or payer of the commission has others.
  const key = JSON.stringify(question);
  const answer = answered?.of === key ? answered.answer : undefined;
  const ask = async (): Promise<void> => {
    setAsking(true);
    const response = await lookUpInstallments(question).catch(() => null);
    setAnswered({ of: key, answer: response?.kind === 'asked' ? response.answer : null });
    setAsking(false);
  };
  const label = typed.kind === 'link' ? t('installmentsMax') : t('installments');
  return (
    <div className="grid content-start gap-3 sm:col-span-2 sm:grid-cols-2">
      {answer ? (
        <OfferedInstallments form={form} label={label} answer={answer} />
      ) : (
        <TextField
          form={form}
          name="installments"
          label={label}
          inputMode="numeric"
          hint={answer === null ? t('noAnswer') : undefined}
        />
      )}
      {seesDigits && (
        <Field id="charge-prefix" label={t('prefix')} hint={t('prefixHint')}>
          <TextInput
            id="charge-prefix"
            value={prefix}
            inputMode="numeric"
            maxLength={6}
            autoComplete="off"
            aria-describedby={describedBy('charge-prefix', { hint: true })}
            onChange={(event) => setPrefix(event.target.value.replace(/\D/g, ''))}
          />
        </Field>
      )}
      <div className="self-start sm:pt-[26px]">
        <Button onClick={() => void ask()} aria-disabled={asking}>
          {asking ? t('asking') : t('ask')}
        </Button>
      </div>
    </div>
  );
}

/** The installments of the gateway's answer, one to be chosen. */
function OfferedInstallments({
  form,
  label,
  answer,
}: {
  form: ChargeFormState;
  label: string;
  answer: NonNullable<InstallmentOptions>;
}): ReactNode {
  const t = useTranslations('charges.payment');
  const { typed, type } = form;
  const error = form.error('installments');
  // The list shows its first option when it does not offer what was typed.
  const shown = answer.options.some((one) => String(one.installments) === typed.installments)
    ? typed.installments
    : String(answer.options[0]?.installments ?? typed.installments);
  useEffect(() => {
    if (shown !== typed.installments) type({ installments: shown });
  }, [shown, typed.installments, type]);
  return (
    <Field
      id="charge-installments"
      label={label}
      error={error}
      hint={answer.of === 'merchant' ? t('note') : undefined}
    >
      <Select
        id="charge-installments"
        value={shown}
        onChange={(event) => type({ installments: event.target.value })}
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy('charge-installments', {
          error,
          hint: answer.of === 'merchant',
        })}
      >
        {answer.options.map((option) => (
          <option key={option.installments} value={option.installments}>
            <Option option={option} form={form} />
          </option>
        ))}
      </Select>
    </Field>
  );
}

function Option({
  option: { installments, payable, percents },
  form,
}: {
  option: InstallmentOption;
  form: ChargeFormState;
}): ReactNode {
  const t = useTranslations('charges.payment');
  const plain = (percent: string): string => formatPercent(Number(percent) / 100, form.locale, 2);
  const name = installments === 1 ? t('single') : t('count', { count: installments });
  const cost =
    payable !== null
      ? t('payable', { amount: form.money(parseDecimal(payable)) })
      : percents === null
        ? null
        : percents[0] === percents[1]
          ? t('percent', { from: plain(percents[0]) })
          : t('percents', { from: plain(percents[0]), to: plain(percents[1]) });
  return cost === null ? name : `${name} · ${cost}`;
}
