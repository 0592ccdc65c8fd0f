'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { describedBy, Field, Select, TextInput } from '#components/ui/field.tsx';
import { STOP_REASON_MAX, STOP_REASON_MIN } from '#lib/form-fields/stop-reason.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * The last day to close, and what closing it means. `days`: what can be closed, the oldest first.
 * The first close is of one day only; the oldest is suggested, because no earlier one can be closed
 * afterwards.
 */
export function CloseFields({
  begun,
  days,
}: {
  begun: boolean;
  days: readonly { day: string; hasBreaks: boolean }[];
}): ReactNode {
  const t = useTranslations('dayClose.closing');
  const locale = useLocale() as Locale;
  const [through, setThrough] = useState((begun ? days.at(-1) : days[0])?.day ?? '');
  const closing = days.filter(({ day }) => (begun ? day <= through : day === through));
  const broken = closing.filter(({ hasBreaks }) => hasBreaks).length;
  const to = formatDate(through, locale);
  return (
    <>
      <Field id="day-close-through" label={t(begun ? 'through' : 'firstDay')}>
        <Select
          id="day-close-through"
          name="through"
          value={through}
          onChange={(event) => setThrough(event.target.value)}
        >
          {days.toReversed().map(({ day }) => (
            <option key={day} value={day}>
              {formatDate(day, locale)}
            </option>
          ))}
        </Select>
      </Field>
      <div role="status" className="grid gap-2">
        <p className="font-medium">
          {begun
            ? t('closes', {
                count: closing.length,
                from: formatDate(closing[0]?.day ?? through, locale),
                to,
              })
            : t('closesFirst', { to })}
        </p>
        {broken > 0 && (
          <p className="font-medium text-attention">{t('breaks', { count: broken })}</p>
        )}
      </div>
      <p>{t('text')}</p>
      <Field id="day-close-note" label={t('note')} hint={t('noteHint', { min: STOP_REASON_MIN })}>
        <TextInput
          id="day-close-note"
          name="reason"
          autoComplete="off"
          required={broken > 0}
          minLength={STOP_REASON_MIN}
          maxLength={STOP_REASON_MAX}
          aria-describedby={describedBy('day-close-note', { hint: true })}
        />
      </Field>
    </>
  );
}
