'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { BILL_FIELDS, SAVED } from '#lib/cards/checkout/schema.ts';
import { TextField } from './text-field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

/**
 * The payer. E-mail and phone are required with a saved card (`contract`); the other billing fields
 * are the merchant's choice.
 */
export function CustomerBlock({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.customer');
  const isNeeded = SAVED.includes(form.typed.kind);
  const folded = BILL_FIELDS.filter(
    (field) => !(isNeeded && (field === 'email' || field === 'phone')),
  );
  const open = folded.some((field) => form.error(field) !== null);
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        <TextField form={form} name="name" label={t('name')} required />
        <TextField form={form} name="surname" label={t('surname')} required />
        {isNeeded && (
          <TextField form={form} name="email" label={t('email')} type="email" required />
        )}
        {isNeeded && (
          <TextField form={form} name="phone" label={t('phone')} inputMode="tel" required />
        )}
        <div className="sm:col-span-2">
          <TextField form={form} name="description" label={t('description')} required />
        </div>
      </div>
      <details open={open || undefined} className="border-t border-hairline">
        <summary className="px-4 py-2.5 text-label font-medium">{t('bill')}</summary>
        <div className="grid gap-4 px-4 pt-1 pb-4 sm:grid-cols-2">
          {folded.map((field) => (
            <TextField key={field} form={form} name={field} label={t(field)} />
          ))}
        </div>
      </details>
    </Panel>
  );
}
