'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CYCLES } from '#lib/cards/checkout/schema.ts';
import { CheckRow, ChoiceField } from './choice-field.tsx';
import { TextField } from './text-field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

/** Fields that few payments need, folded. */
export function ExtrasBlock({ form }: { form: ChargeFormState }): ReactNode {
  const { typed } = form;
  return (
    <div className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
      <Recurring form={form} />
      {typed.kind === 'non_secure' && <Insurance form={form} />}
      {typed.kind === 'three_d' && <Agriculture form={form} />}
    </div>
  );
}

function Recurring({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.extras');
  const { typed, type, offer } = form;
  return (
    <Folded title={t('recurring')} open={typed.recurring}>
      {offer.recurring ? (
        <>
          <CheckRow
            id="charge-recurring"
            label={t('recurringOn')}
            checked={typed.recurring}
            onCheck={(recurring) => type({ recurring })}
          />
          {typed.recurring && (
            <>
              <TextField form={form} name="recurringCount" label={t('count')} inputMode="numeric" />
              <TextField
                form={form}
                name="recurringInterval"
                label={t('interval')}
                inputMode="numeric"
              />
              <ChoiceField
                id="charge-cycle"
                label={t('cycle')}
                value={typed.recurringCycle}
                values={CYCLES}
                textOf={(cycle) => t(`cycles.${cycle}`)}
                onChoose={(cycle) => type({ recurringCycle: cycle ?? 'month' })}
              />
            </>
          )}
        </>
      ) : (
        <p className="text-muted sm:col-span-3">{t('noHook')}</p>
      )}
    </Folded>
  );
}

function Insurance({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.extras');
  const { typed, type } = form;
  return (
    <Folded title={t('insurance')} open={typed.insurance}>
      <CheckRow
        id="charge-insurance"
        label={t('insuranceOn')}
        checked={typed.insurance}
        onCheck={(insurance) => type({ insurance })}
      />
      {typed.insurance && (
        <TextField form={form} name="identityNumber" label={t('identity')} inputMode="numeric" />
      )}
    </Folded>
  );
}

function Agriculture({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.extras');
  const { typed, type } = form;
  return (
    <Folded title={t('agriculture')} open={typed.agriculture}>
      <CheckRow
        id="charge-agriculture"
        label={t('agricultureOn')}
        checked={typed.agriculture}
        onCheck={(agriculture) => type({ agriculture })}
      />
      {typed.agriculture && (
        <>
          <TextField form={form} name="maturityPeriod" label={t('maturity')} inputMode="numeric" />
          <TextField
            form={form}
            name="paymentFrequency"
            label={t('frequency')}
            inputMode="numeric"
          />
        </>
      )}
    </Folded>
  );
}

function Folded({
  title,
  open,
  children,
}: {
  title: string;
  open: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <details open={open || undefined}>
      <summary className="px-4 py-2.5 text-label font-medium">{title}</summary>
      <div className="grid gap-4 px-4 pt-1 pb-4 sm:grid-cols-3">{children}</div>
    </details>
  );
}
