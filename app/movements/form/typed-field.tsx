'use client';

import type { ReactNode } from 'react';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { FieldError } from './money-form.ts';

// Methods, not properties: each form takes its own narrower fields.
/* oxlint-disable typescript/method-signature-style */
type FormWith<Name extends string> = {
  typed: Record<Name, string>;
  type(field: Name, text: string): void;
  touched: ReadonlySet<string>;
  touch(field: Name): void;
  read: { errors: Partial<Record<Name, FieldError>> };
};

/**
 * A required text field of the payee. Its error takes the place of its hint, once the field was
 * left; an error with the code `saidElsewhere` is not repeated here.
 */
export function TypedField<Name extends string>({
  form,
  name,
  label,
  hint: usual = null,
  hintBeside = false,
  inputMode = 'text',
  describedElsewhere,
}: {
  form: FormWith<NoInfer<Name>>;
  name: Name;
  label: string;
  hint?: string | null;
  hintBeside?: boolean;
  inputMode?: 'text' | 'numeric' | 'tel';
  describedElsewhere?: string;
}): ReactNode {
  const words = useFormWords();
  const id = controlId(name);
  const found = form.read.errors[name];
  const isShown = form.touched.has(name) && found?.code !== describedElsewhere;
  const error = isShown ? words.error(found) : null;
  const hint = error ? null : usual;
  return (
    <Field id={id} label={label} error={error} hint={hint} hintBeside={hintBeside}>
      <TextInput
        id={id}
        name={name}
        mono={inputMode !== 'text'}
        value={form.typed[name]}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        required
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error, hint })}
        onChange={(event) => form.type(name, event.target.value)}
        onBlur={() => form.touch(name)}
      />
    </Field>
  );
}
