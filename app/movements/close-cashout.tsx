'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { KeptSelect } from '#components/kept-select.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Field } from '#components/ui/field.tsx';
import { sayOfCashout } from './actions.ts';

/** Nobody can be asked about a cashout: two people say what they have seen at the gateway. */
export function CloseCashout({ id }: { id: string }): ReactNode {
  const t = useTranslations('cashout.close');
  return (
    <div className="mt-2 grid gap-2 rounded-control bg-surface p-3">
      <h3 className="text-body font-semibold">{t('title')}</h3>
      <p className="text-label">{t('text')}</p>
      <ReasonForm action={sayOfCashout} fields={{ id }} label={t('reason')} hint={t('hint')} button={t('button')}>
        <Field id="cashout-word" label={t('word')}>
          <KeptSelect id="cashout-word" name="word" required defaultValue="">
            <option value="" disabled>–</option>
            <option value="taken">{t('taken')}</option>
            <option value="not_taken">{t('not_taken')}</option>
          </KeptSelect>
        </Field>
      </ReasonForm>
    </div>
  );
}
