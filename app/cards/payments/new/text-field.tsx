'use client';

import type { InputHTMLAttributes, ReactNode } from 'react';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import type { ChargeFormState } from './use-charge-form.ts';

type Name = {
  [K in keyof ChargeFormState['typed']]: ChargeFormState['typed'][K] extends string ? K : never;
}[keyof ChargeFormState['typed']];

/** A text field of the form, with its error below it. */
export function TextField({
  form,
  name,
  label,
  hint,
  ...rest
}: { form: ChargeFormState; name: Name; label: string; hint?: string | undefined } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'form' | 'name'
>): ReactNode {
  const id = `charge-${name}`;
  const error = form.error(name);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <TextInput
        id={id}
        name={name}
        autoComplete="off"
        value={form.typed[name]}
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { hint, error })}
        onChange={(event) => form.type({ [name]: event.target.value })}
        {...rest}
      />
    </Field>
  );
}
