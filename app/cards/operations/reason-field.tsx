'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { REASON_CHIP } from '#components/ui/classes.ts';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';

const REASONS = {
  release: ['cancelled', 'stock', 'customer', 'mistake'],
  refund: ['returned', 'cancelled', 'twice', 'mistake'],
} as const;
export const REASON_MIN = 3;

/** The reason: buttons for frequent ones, free text for the rest. */
export function ReasonField({
  operation,
  typed,
  onType,
  touched,
}: {
  operation: 'release' | 'refund';
  typed: string;
  onType: (text: string) => void;
  touched: boolean;
}): ReactNode {
  const t = useTranslations('cardDialogs.reason');
  const id = useId();
  const chips =
    operation === 'release'
      ? REASONS.release.map((one) => t(`release.${one}`))
      : REASONS.refund.map((one) => t(`refund.${one}`));
  const shown = {
    hint: t('hint'),
    error: touched && typed.trim().length < REASON_MIN ? t('short') : undefined,
  };
  return (
    <div className="grid gap-2">
      <Field id={id} label={t('label')} {...shown}>
        <TextInput
          id={id}
          value={typed}
          maxLength={300}
          autoComplete="off"
          aria-invalid={shown.error !== undefined || undefined}
          aria-describedby={describedBy(id, shown)}
          onChange={(event) => onType(event.target.value)}
        />
      </Field>
      <div role="group" aria-label={t('label')} className="flex flex-wrap gap-1.5">
        {chips.map((words) => (
          <button
            key={words}
            type="button"
            aria-pressed={typed === words}
            onClick={() => onType(words)}
            className={REASON_CHIP}
          >
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}
