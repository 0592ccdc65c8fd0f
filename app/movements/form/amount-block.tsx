'use client';

import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CURRENCY_BOX } from '#components/ui/classes.ts';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { amountInWords } from '#lib/values/amount-in-words.ts';
import { formatAmount, parseAmount, parseDecimal } from '#lib/values/money.ts';
import { Block } from './block.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm } from './money-form.ts';

const SUGGESTION =
  'min-h-6 rounded-full border border-hairline bg-raised px-3 text-label font-medium ' +
  'tabular-nums hover:border-control pointer-coarse:min-h-11';

/** Takes an amount as typed or pasted; when a text is ambiguous, the person chooses. */
export function AmountBlock({ form }: { form: MoneyForm }): ReactNode {
  const t = useTranslations('newPayout');
  const words = useFormWords();
  const input = useRef<HTMLInputElement>(null);
  const id = controlId('amount');
  const { read, wallet, touched } = form;
  const currency = wallet?.currency ?? null;
  const readings = touched.has('amount') ? read.readings : null;
  const error = touched.has('amount') ? words.error(read.errors.amount) : null;
  const amount = read.content.amountMinor;
  const spoken =
    amount === undefined ? null : amountInWords(amount, currency ?? 'TRY', words.locale);
  const hint = error ? null : (spoken ?? t('amount.hint'));
  const leave = (): void => {
    form.touch('amount');
    const parsed = parseAmount(form.typed.amount, words.locale);
    // A currency that was typed stays, so that the rules can compare it with the wallet's.
    if (parsed.kind === 'ok' && parsed.written === null) form.type('amount', parsed.formatted);
  };
  const choose = (reading: bigint): void => {
    form.type('amount', formatAmount(reading, words.locale));
    input.current?.focus();
  };
  return (
    <Block number={3} title={t('blocks.amount')} done={!read.errors.amount}>
      <Field
        id={id}
        label={t('amount.label')}
        error={error}
        hint={hint}
        trailing={<AllOfIt form={form} onChoose={choose} />}
      >
        <div className="flex items-center gap-2">
          <TextInput
            ref={input}
            id={id}
            name="amount"
            value={form.typed.amount}
            inputMode="decimal"
            autoComplete="off"
            required
            className="h-11 text-right text-[20px] font-semibold tabular-nums"
            aria-invalid={error !== null || undefined}
            aria-describedby={describedBy(id, { error, hint })}
            onChange={(event) => form.type('amount', event.target.value)}
            onBlur={leave}
          />
          <span className={CURRENCY_BOX}>{currency ?? '—'}</span>
        </div>
      </Field>
      {readings !== null && (
        <Readings readings={readings} currency={currency ?? 'TRY'} onChoose={choose} />
      )}
      <OwnLimit form={form} />
    </Block>
  );
}

/** What the person's own limit leaves for today, and what is above it needs. */
function OwnLimit({ form: { ownLimits, wallet, read } }: { form: MoneyForm }): ReactNode {
  const t = useTranslations('foreseen.limit');
  const { money } = useFormWords();
  const currency = wallet?.currency ?? 'TRY';
  const limit = ownLimits.find((one) => one.currency === currency);
  if (limit === undefined) return null;
  const { single, day, left } = limit;
  const amount = read.content.amountMinor ?? 0n;
  const isAbove = [single, left].some((most) => most !== null && amount > parseDecimal(most));
  const key = single === null ? 'left' : day === null ? 'single' : 'both';
  const shown = (text: string | null): string => (text === null ? '' : money(text, currency));
  return (
    <p className={`text-label ${isAbove ? 'font-medium text-attention' : 'text-muted'}`}>
      {t(key, { single: shown(single), day: shown(day), left: shown(left) })} {t('above')}
    </p>
  );
}

/**
 * The wallet's whole available balance, while the provider has just reported it. Without one its
 * place is kept, so that nothing moves when the report comes.
 */
function AllOfIt({
  form: { wallets, wallet },
  onChoose,
}: {
  form: MoneyForm;
  onChoose: (amount: bigint) => void;
}): ReactNode {
  const t = useTranslations('newPayout.amount');
  const { money } = useFormWords();
  const available = wallets.fresh ? (wallet?.available ?? null) : null;
  if (wallet === null || available === null || parseDecimal(available) <= 0n)
    return (
      <button type="button" disabled className={`${SUGGESTION} invisible`}>
        &nbsp;
      </button>
    );
  return (
    <button type="button" onClick={() => onChoose(parseDecimal(available))} className={SUGGESTION}>
      {t('all', { amount: money(available, wallet.currency) })}
    </button>
  );
}

/** The possible meanings of an ambiguous amount, each as a button. */
function Readings({
  readings,
  currency,
  onChoose,
}: {
  readings: readonly bigint[];
  currency: string;
  onChoose: (reading: bigint) => void;
}): ReactNode {
  const t = useTranslations('newPayout');
  const { money } = useFormWords();
  return (
    <div
      role="group"
      aria-label={t('amount.ambiguous')}
      className="flex flex-wrap items-center gap-2"
    >
      <span className="text-body font-medium">{t('amount.ambiguous')}</span>
      {readings.map((reading) => (
        <Button key={String(reading)} onClick={() => onChoose(reading)}>
          {money(reading, currency)}
        </Button>
      ))}
    </div>
  );
}
