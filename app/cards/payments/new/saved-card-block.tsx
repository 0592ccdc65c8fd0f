'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, Select } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import type { SavedCardChoice } from '#lib/cards/checkout/saved-cards.ts';
import { findSavedCards } from './actions.ts';
import { TextField } from './text-field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

/** A card that the gateway stores for a customer, found by the merchant's own customer number. */
export function SavedCardBlock({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.saved');
  const { typed, type } = form;
  const [asking, setAsking] = useState(false);
  const [cards, setCards] = useState<SavedCardChoice[] | null | undefined>(undefined);
  const error = form.error('savedCard');
  const find = async (): Promise<void> => {
    setAsking(true);
    const response = await findSavedCards(typed.customerNumber).catch(() => null);
    const found = response?.kind === 'asked' ? response.cards : null;
    setCards(found);
    type({ savedCard: found?.[0]?.recordId ?? '' });
    setAsking(false);
  };
  return (
    <Panel title={t('title')}>
      <div className="grid items-start gap-4 p-4 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <TextField form={form} name="customerNumber" label={t('customer')} inputMode="numeric" />
        <div className="sm:pt-[26px]">
          <Button onClick={() => void find()} aria-disabled={asking}>
            {asking ? t('finding') : t('find')}
          </Button>
        </div>
        {cards !== undefined && cards !== null && cards.length > 0 ? (
          <Field id="charge-saved" label={t('choose')} error={error}>
            <Select
              id="charge-saved"
              value={typed.savedCard}
              aria-invalid={error !== null || undefined}
              aria-describedby={describedBy('charge-saved', { error })}
              onChange={(event) => type({ savedCard: event.target.value })}
            >
              {cards.map((one) => (
                <option key={one.recordId} value={one.recordId}>
                  {one.bank === null ? one.card : t('card', { card: one.card, bank: one.bank })}
                </option>
              ))}
            </Select>
          </Field>
        ) : (
          <p
            role="status"
            className={`text-label sm:pt-[34px] ${error === null ? 'text-muted' : 'font-medium text-failed'}`}
          >
            {cards === null ? t('noAnswer') : cards !== undefined ? t('none') : error}
          </p>
        )}
      </div>
    </Panel>
  );
}
