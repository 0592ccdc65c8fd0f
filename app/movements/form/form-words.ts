'use client';

import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { formatDate, formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { findingValues } from '#lib/payment-checks/finding-values.ts';
import type { FieldError, ShownFinding } from './money-form.ts';

/** How the form formats money, times, errors and findings. */
export type FormWords = {
  locale: Locale;
  money: (amount: bigint | string, currency: string) => string;
  day: (iso: string) => string;
  moment: (iso: string, now?: string) => string;
  error: (error: FieldError | undefined) => string | null;
  finding: (finding: Pick<ShownFinding, 'code' | 'params'>, now: string) => string;
};

export function useFormWords(): FormWords {
  const locale = useLocale() as Locale;
  const zone = useTimeZone() ?? 'Europe/Istanbul';
  const t = useTranslations('payoutErrors');
  return {
    locale,
    money: (amount, currency) => formatMoney(amount, currency, locale),
    day: (iso) => formatDate(iso, locale, { zone }),
    moment: (iso, now) =>
      formatDateTime(iso, locale, { zone, ...(now === undefined ? {} : { now }) }),
    error: (error) => (error === undefined ? null : t(`errors.${error.code}`, error.params)),
    finding: (finding, now) =>
      t(`findings.${finding.code}`, findingValues(finding, { locale, zone, now })),
  };
}

/** The id of a field's control, for labels and for the focus. */
export function controlId(field: string): string {
  return `payout-${field}`;
}
