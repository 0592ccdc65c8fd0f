'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CURRENCY_BOX } from '#components/ui/classes.ts';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, toDecimal } from '#lib/values/money.ts';
import type { ReadAmount } from './read-amount.ts';

/** `hint`: what the amount means. */
export function AmountField({
  label,
  typed,
  onType,
  read,
  touched,
  leftMinor,
  currency,
  hint,
}: {
  label: string;
  typed: string;
  onType: (text: string) => void;
  read: ReadAmount;
  touched: boolean;
  leftMinor: bigint | null;
  currency: string;
  hint: ReactNode;
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const locale = useLocale() as Locale;
  const id = useId();
  const money = (minor: bigint): string => formatMoney(toDecimal(minor), currency, locale);
  const error =
    touched && read.problem !== null
      ? t(`amountErrors.${read.problem}`, { left: leftMinor === null ? '' : money(leftMinor) })
      : undefined;
  const shown = { hint: !error && hint, error };
  return (
    <div className="grid gap-2">
      <Field id={id} label={label} {...shown}>
        <div className="flex items-center gap-2">
          <TextInput
            id={id}
            value={typed}
            inputMode="decimal"
            autoComplete="off"
            className="h-11 text-right text-[20px] font-semibold tabular-nums"
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy(id, shown)}
            onChange={(event) => onType(event.target.value)}
            onBlur={() => {
              if (read.minor !== null) onType(formatAmount(read.minor, locale));
            }}
          />
          <span className={CURRENCY_BOX}>{currency}</span>
        </div>
      </Field>
      {read.problem === 'ambiguous' && (
        <div role="group" aria-label={t('ambiguous')} className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t('ambiguous')}</span>
          {read.readings?.map((reading) => (
            <Button key={String(reading)} onClick={() => onType(formatAmount(reading, locale))}>
              {money(reading)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
