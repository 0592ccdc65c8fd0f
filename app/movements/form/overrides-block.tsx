'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { REASON_CHIP } from '#components/ui/classes.ts';
import { Checkbox, describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { OVERRIDE_REASONS, REASON_MAX, REASON_MIN } from '#lib/form-fields/money-form.ts';
import { Block } from './block.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm } from './money-form.ts';

const WARNING =
  'flex flex-wrap items-start justify-between gap-x-4 rounded-control bg-attention-ground px-3 py-2 ' +
  'text-attention @xl:flex-nowrap';
const SEE =
  'ml-6.5 inline-flex min-h-6 shrink-0 items-center text-label font-medium underline ' +
  'underline-offset-2';

/** Each warning has its own tick; one reason covers all of them and goes into the audit log. */
export function OverridesBlock({ form, now }: { form: MoneyForm; now: string }): ReactNode {
  const t = useTranslations('newPayout');
  const words = useFormWords();
  if (form.warnings.length === 0) return null;
  return (
    <Block
      number={null}
      title={t('blocks.overrides')}
      done={false}
      beside={<p className="text-label text-muted">{t('overrides.text')}</p>}
    >
      <ul className="grid gap-2">
        {form.warnings.map((finding, index) => (
          <li key={`${finding.code}-${finding.movementId ?? ''}`} className={WARNING}>
            <Checkbox
              id={index === 0 ? controlId('overrides') : `${controlId('overrides')}-${index}`}
              label={words.finding(finding, now)}
              checked={form.isTicked(finding)}
              onChange={(event) => form.tick(finding, event.target.checked)}
            />
            {finding.movementId !== undefined && (
              <a
                href={`/payouts/${finding.movementId}`}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={t('overrides.seeNew')}
                className={SEE}
              >
                {t('overrides.see')}
              </a>
            )}
          </li>
        ))}
      </ul>
      <ReasonField form={form} />
    </Block>
  );
}

function ReasonField({ form }: { form: MoneyForm }): ReactNode {
  const t = useTranslations('newPayout.overrides');
  const reasons = useTranslations('payoutErrors.reasons');
  const errors = useTranslations('payoutErrors.errors');
  const id = controlId('overrideReason');
  const chip = OVERRIDE_REASONS.find((reason) => reason === form.reason);
  const have = Array.from(form.reason.trim()).length;
  const error =
    form.touched.has('overrideReason') && form.reasonError !== null
      ? errors(form.reasonError, { min: REASON_MIN, max: REASON_MAX, have })
      : null;
  const hint = error ? null : t('reasonHint');
  return (
    <Field id={id} label={t('reason')} error={error} hint={hint} hintBeside>
      <div className="grid gap-2 @xl:flex @xl:items-center">
        <div className="flex flex-wrap gap-2 @xl:shrink-0">
          {OVERRIDE_REASONS.map((reason) => (
            <button
              key={reason}
              type="button"
              aria-pressed={form.reason === reason}
              onClick={() => form.setReason(form.reason === reason ? '' : reason)}
              className={REASON_CHIP}
            >
              {reasons(reason)}
            </button>
          ))}
        </div>
        <TextInput
          id={id}
          name="overrideReason"
          value={chip ? reasons(chip) : form.reason}
          readOnly={chip !== undefined}
          autoComplete="off"
          aria-invalid={error !== null || undefined}
          aria-describedby={describedBy(id, { error, hint })}
          onChange={(event) => form.setReason(event.target.value)}
          onBlur={() => form.touch('overrideReason')}
        />
      </div>
    </Field>
  );
}
