'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { PressButton } from '#components/ui/press-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { useFormStart } from '#app/movements/form/use-form-start.ts';
import { SAVED } from '#lib/cards/checkout/schema.ts';
import type { ChargeKind } from '#lib/cards/checkout/content.ts';
import type { Offer } from '#lib/cards/checkout/offer.ts';
import { CustomerBlock } from './customer-block.tsx';
import { ExtrasBlock } from './extras-block.tsx';
import { ItemsBlock } from './items-block.tsx';
import { PaymentBlock } from './payment-block.tsx';
import { SavedCardBlock } from './saved-card-block.tsx';
import { useChargeForm } from './use-charge-form.ts';
import type { ChargeFormState } from './use-charge-form.ts';

/**
 * Amount, payer and payment method. A card is typed only on the next page, and no payment is sent
 * before that page; a payment link is requested when this form is submitted.
 */
export function ChargeForm({
  id,
  offer,
  wanted,
}: {
  id: string;
  offer: Offer;
  wanted: ChargeKind | null;
}): ReactNode {
  const t = useTranslations('charges');
  const form = useChargeForm(id, offer, wanted);
  const box = useRef<HTMLFormElement>(null);
  const { hasErrors, sending, sum, typed } = form;
  useFormStart(box, form.controls, form.takeOver);
  useEffect(() => {
    if (hasErrors && !sending)
      box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [hasErrors, sending]);
  const label =
    sum === null
      ? t('submitPlain')
      : t(typed.kind === 'link' ? 'submitLink' : 'submit', { amount: form.money(sum) });
  return (
    <form
      ref={box}
      noValidate
      aria-label={t('title')}
      className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        form.send();
      }}
    >
      <Ways form={form} />
      {SAVED.includes(typed.kind) && <SavedCardBlock form={form} />}
      <ItemsBlock form={form} />
      <CustomerBlock form={form} />
      <PaymentBlock form={form} />
      <ExtrasBlock form={form} />
      <div className="flex flex-wrap items-center gap-3">
        <PressButton type="submit" look="primary" aria-disabled={sending}>
          {label}
        </PressButton>
        <span
          role="status"
          className={`text-label font-medium ${sending ? 'text-muted' : 'text-failed'}`}
        >
          {sending ? t('submitting') : <Problem form={form} />}
        </span>
      </div>
    </form>
  );
}

const WAY =
  'grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-2.5 rounded-control border ' +
  'border-transparent p-2.5 has-checked:border-accent has-checked:bg-raised';

function Ways({ form: { typed, type, offer } }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges');
  return (
    <Panel title={t('how')}>
      <fieldset className="grid gap-1 p-2 sm:grid-cols-2">
        <legend className="sr-only">{t('how')}</legend>
        {offer.ways.map((kind) => (
          <label key={kind} htmlFor={`charge-${kind}`} className={WAY}>
            <input
              id={`charge-${kind}`}
              type="radio"
              name="kind"
              value={kind}
              checked={typed.kind === kind}
              onChange={() => type({ kind })}
              className="mt-0.5 size-4 accent-accent pointer-coarse:size-5"
            />
            <span className="font-medium">{t(`ways.${kind}.name`)}</span>
            <span className="col-start-2 text-label text-muted">{t(`ways.${kind}.text`)}</span>
          </label>
        ))}
      </fieldset>
    </Panel>
  );
}

function Problem({ form: { problem, hasErrors } }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges');
  const refusals = useTranslations('refusals');
  if (problem === null) return hasErrors ? t('check') : null;
  switch (problem.kind) {
    case 'lost':
      return t('lost');
    case 'signed_out':
      return refusals('signed_out');
    case 'refused':
      return refusals(problem.code, problem.params);
    case 'failed':
      return refusals('failed', { errorId: problem.errorId });
  }
}
