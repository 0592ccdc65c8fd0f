'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Checkbox, Field, Select } from '#components/ui/field.tsx';
import { CYCLES } from '#lib/cards/checkout/schema.ts';
import { TextField } from './text-field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

/** Fields that few payments need, folded. */
export function ExtrasBlock({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.extras');
  const { typed, type, offer } = form;
  return (
    <div className="divide-y divide-hairline rounded-panel border border-hairline bg-surface">
      <Folded title={t('recurring')} open={typed.recurring}>
        {offer.recurring ? (
          <>
            <div className="sm:col-span-3">
              <Checkbox
                id="charge-recurring"
                checked={typed.recurring}
                onChange={(event) => type({ recurring: event.target.checked })}
                label={t('recurringOn')}
              />
            </div>
            {typed.recurring && (
              <>
                <TextField
                  form={form}
                  name="recurringCount"
                  label={t('count')}
                  inputMode="numeric"
                />
                <TextField
                  form={form}
                  name="recurringInterval"
                  label={t('interval')}
                  inputMode="numeric"
                />
                <Field id="charge-cycle" label={t('cycle')}>
                  <Select
                    id="charge-cycle"
                    value={typed.recurringCycle}
                    onChange={(event) =>
                      type({
                        recurringCycle: CYCLES.find((one) => one === event.target.value) ?? 'month',
                      })
                    }
                  >
                    {CYCLES.map((cycle) => (
                      <option key={cycle} value={cycle}>
                        {t(`cycles.${cycle}`)}
                      </option>
                    ))}
                  </Select>
                </Field>
              </>
            )}
          </>
        ) : (
          <p className="text-muted sm:col-span-3">{t('noHook')}</p>
        )}
      </Folded>
      {typed.kind === 'non_secure' && (
        <Folded title={t('insurance')} open={typed.insurance}>
          <div className="sm:col-span-3">
            <Checkbox
              id="charge-insurance"
              checked={typed.insurance}
              onChange={(event) => type({ insurance: event.target.checked })}
              label={t('insuranceOn')}
            />
          </div>
          {typed.insurance && (
            <TextField
              form={form}
              name="identityNumber"
              label={t('identity')}
              inputMode="numeric"
            />
          )}
        </Folded>
      )}
      {typed.kind === 'three_d' && (
        <Folded title={t('agriculture')} open={typed.agriculture}>
          <div className="sm:col-span-3">
            <Checkbox
              id="charge-agriculture"
              checked={typed.agriculture}
              onChange={(event) => type({ agriculture: event.target.checked })}
              label={t('agricultureOn')}
            />
          </div>
          {typed.agriculture && (
            <>
              <TextField
                form={form}
                name="maturityPeriod"
                label={t('maturity')}
                inputMode="numeric"
              />
              <TextField
                form={form}
                name="paymentFrequency"
                label={t('frequency')}
                inputMode="numeric"
              />
            </>
          )}
        </Folded>
      )}
    </div>
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
