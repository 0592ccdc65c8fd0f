'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useFocusAfterRemoval } from '#components/focus-after-removal.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox, Field, Select, TextInput } from '#components/ui/field.tsx';
import { POLICY_CURRENCIES } from '#lib/policy/rules.ts';

/** What is typed; a stored currency may be one that the form no longer offers. */
type Typed = { from: { currency: string; amount: string }[]; signInAllowed: boolean };

/** From which amounts an approval is signed; sent as one field, like the rules. */
export function StepUpFields({ first }: { first: Typed }): ReactNode {
  const t = useTranslations('policy.stepUp');
  const id = useId();
  const [typed, setTyped] = useState(first);
  const { from } = typed;
  const box = useFocusAfterRemoval<HTMLFieldSetElement>(from.length);
  const free = POLICY_CURRENCIES.find((one) => from.every((row) => row.currency !== one));
  const change = (at: number, to: Partial<Typed['from'][number]>): void =>
    setTyped({
      ...typed,
      from: from.map((row, index) => (index === at ? { ...row, ...to } : row)),
    });
  return (
    <fieldset ref={box} className="grid gap-3 rounded-panel border border-hairline p-3">
      <legend className="px-1 text-label font-medium">{t('title')}</legend>
      <input type="hidden" name="stepUp" value={JSON.stringify(typed)} />
      <p className="text-body">{t(from.length === 0 ? 'none' : 'hint')}</p>
      {from.map((row, at) => (
        <AmountRow
          // A row has no name of its own; its place is what the person sees.
          key={`amount-${String(at)}`}
          row={row}
          onChange={(to) => change(at, to)}
          onRemove={() => setTyped({ ...typed, from: from.filter((_, index) => index !== at) })}
        />
      ))}
      {from.length > 0 && (
        <Checkbox
          id={`${id}-sign-in`}
          label={t('signInAllowed')}
          checked={typed.signInAllowed}
          onChange={(event) => setTyped({ ...typed, signInAllowed: event.target.checked })}
        />
      )}
      {free !== undefined && (
        <div>
          <Button
            onClick={() => setTyped({ ...typed, from: [...from, { currency: free, amount: '' }] })}
          >
            {t('add')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function AmountRow({
  row,
  onChange,
  onRemove,
}: {
  row: Typed['from'][number];
  onChange: (to: Partial<Typed['from'][number]>) => void;
  onRemove: () => void;
}): ReactNode {
  const t = useTranslations('policy.stepUp');
  const id = useId();
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
      <Field id={`${id}-amount`} label={t('amount')}>
        <TextInput
          id={`${id}-amount`}
          inputMode="decimal"
          autoComplete="off"
          value={row.amount}
          onChange={(event) => onChange({ amount: event.target.value })}
        />
      </Field>
      <Field id={`${id}-currency`} label={t('currency')}>
        <Select
          id={`${id}-currency`}
          value={row.currency}
          onChange={(event) => onChange({ currency: event.target.value })}
        >
          {POLICY_CURRENCIES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      </Field>
      <Button onClick={onRemove}>{t('remove', { currency: row.currency })}</Button>
    </div>
  );
}
