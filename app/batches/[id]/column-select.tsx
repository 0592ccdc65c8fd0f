'use client';

import { startTransition, useActionState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { Select } from '#components/ui/field.tsx';
import type { OfDraft } from '#lib/batches/draft/change.ts';
import { chooseMeaning } from '../actions.ts';

/** The meaning of one column; a choice is stored at once. */
export function ColumnSelect({
  of,
  column,
  value,
  label,
  none,
  options,
  disabled,
}: {
  of: OfDraft;
  column: number;
  value: string;
  label: string;
  none: string;
  options: readonly { field: string; name: string }[];
  disabled: boolean;
}): ReactNode {
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered(chooseMeaning(before, form), 'reload'),
    null,
  );
  const choose = (meaning: string): void => {
    const form = new FormData();
    const fields = { id: of.id, version: of.version, column, before: value, meaning };
    for (const [name, text] of Object.entries(fields)) form.set(name, String(text));
    startTransition(() => submit(form));
  };
  return (
    <>
      <Select
        aria-label={label}
        defaultValue={value}
        disabled={disabled || pending}
        onChange={(event) => choose(event.target.value)}
        className="my-1"
      >
        <option value="">{none}</option>
        {options.map(({ field, name }) => (
          <option key={field} value={field}>
            {name}
          </option>
        ))}
      </Select>
      <span role="status" className="block font-medium text-failed empty:hidden">
        {message?.ok === false && !pending ? message.text : ''}
      </span>
    </>
  );
}
