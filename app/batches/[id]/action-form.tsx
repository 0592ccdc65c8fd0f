'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';

/**
 * A form of one change of a draft, with its result beside the button. What was typed or chosen
 * stays when the change is refused.
 */
export function ActionForm({
  action,
  fields,
  button,
  label,
  className,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fields: Record<string, string>;
  button: string;
  /** The button's name for screen readers, when its text alone is ambiguous. */
  label?: string;
  className: string;
  children: ReactNode;
}): ReactNode {
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered(action(before, form), 'again'),
    null,
  );
  return (
    <form onSubmit={keepFields(submit)} className={`no-print ${className}`}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton pending={pending} aria-label={label}>
          {button}
        </SubmitButton>
        <span
          role="status"
          className={`text-label font-medium ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
        >
          {pending ? '' : message?.text}
        </span>
      </div>
    </form>
  );
}
