'use client';

import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { usePrintedAt } from '#components/printing.ts';
import { formatDateTime, isoInZone } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { shownIban } from '#lib/values/iban.ts';
import { formatMoney } from '#lib/values/money.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';

/** How this page formats times, money and durations. */
export type Writing = {
  locale: Locale;
  /** The time with seconds; with the date when it is not on the day of `now`, and on paper. */
  time: (iso: string, now: string) => string;
  iso: (iso: string) => string;
  money: (amount: string, currency: string) => string;
  span: (seconds: number) => string;
};

/** An IBAN in groups of four; a wallet number unchanged. */
export function shownPayee({ kind, payee }: Pick<MovementView, 'kind' | 'payee'>): string {
  return kindOf(kind).payee === 'bank_account' ? shownIban(payee) : payee;
}

export function useWriting(): Writing {
  const locale = useLocale() as Locale;
  const zone = useTimeZone() ?? 'Europe/Istanbul';
  const isPrinted = usePrintedAt() !== null;
  const t = useTranslations('payout.duration');
  return {
    locale,
    time: (iso, now) =>
      formatDateTime(iso, locale, { seconds: true, zone, ...(isPrinted ? {} : { now }) }),
    iso: (iso) => isoInZone(iso, zone),
    money: (amount, currency) => formatMoney(amount, currency, locale),
    span: (seconds) => {
      const [minutes, hours, days] = [
        Math.floor(seconds / 60),
        Math.floor(seconds / 3_600),
        Math.floor(seconds / 86_400),
      ];
      if (minutes === 0) return t('seconds', { seconds });
      if (hours === 0) return t('minutes', { minutes, seconds: seconds % 60 });
      return days === 0
        ? t('hours', { hours, minutes: minutes % 60 })
        : t('days', { days, hours: hours % 24 });
    },
  };
}
