'use client';

import { createContext, use, useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { MessageContext } from '#components/message-area.tsx';
import { SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';

/** Errors of a form's fields, by name, for fields that are passed as children. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({});

const INLINE = 'gap-2 text-left sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end';

/**
 * A server action that needs a reason; the result is shown beside the button. What was typed stays
 * until it succeeds. Inside a `MessageArea` success is shown there.
 */
export function ReasonForm({
  action,
  fields,
  label,
  hint,
  button,
  look = 'secondary',
  inline = false,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fields: Record<string, string>;
  label: string;
  hint?: string;
  button: string;
  look?: ButtonLook;
  /** The button stands beside the field, where there is room: for a form in a list row. */
  inline?: boolean;
  /** More fields, above the reason. */
  children?: ReactNode;
}): ReactNode {
  const id = useId();
  const tell = use(MessageContext);
  const [message, submit, pending] = useActionState(
    async (before: FormMessage, form: FormData): Promise<FormMessage> => {
      const answer = await action(before, form);
      tell?.(answer?.ok ? answer : null);
      if (answer?.ok && tell !== null) return null;
      return answer && { ...answer, typed: answer.ok ? '' : String(form.get('reason') ?? '') };
    },
    null,
  );
  const problems = (pending ? null : message?.problems) ?? {};
  return (
    <form action={submit} className={`no-print grid max-w-xl ${inline ? INLINE : 'gap-3'}`}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FieldProblems value={problems}>{children}</FieldProblems>
      <Field id={id} label={label} hint={hint} error={problems['reason']}>
        <TextInput
          id={id}
          name="reason"
          autoComplete="off"
          maxLength={300}
          defaultValue={message?.typed ?? ''}
          aria-invalid={problems['reason'] !== undefined || undefined}
          aria-describedby={describedBy(id, { hint, error: problems['reason'] })}
        />
      </Field>
      <div className={inline ? 'contents' : 'flex flex-wrap items-center gap-3'}>
        <SubmitButton look={look} pending={pending}>
          {button}
        </SubmitButton>
        <span
          role="status"
          className={`${inline ? 'col-span-full' : ''} text-label font-medium ${
            message?.ok === false ? 'text-failed' : 'text-muted'
          }`}
        >
          {pending ? '' : message?.text}
        </span>
      </div>
    </form>
  );
}

type FormMessage = (NonNullable<ActionMessage> & { typed?: string }) | null;
