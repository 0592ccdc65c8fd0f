'use client';

import { use, useActionState } from 'react';
import type { ReactNode } from 'react';
import { MessageContext } from '#components/message-area.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import type { Unanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';

/**
 * The result of a press as a sentence in the person's language. `problems`: the errors of fields,
 * by name. `retype`: the same code of a step-up may be typed again; after every other refusal the
 * step-up begins anew.
 */
export type ActionMessage = {
  ok: boolean;
  text: string;
  problems?: Record<string, string>;
  retype?: boolean;
} | null;

/**
 * A button that runs one server action and shows the result beside itself. A second press while the
 * first is under way does nothing. Inside a `MessageArea` a success is shown in that area.
 */
export function ActionButton({
  action,
  fields,
  look = 'secondary',
  shortcut,
  label,
  unanswered = 'reload',
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fields: Record<string, string>;
  look?: ButtonLook;
  /** The name of the single key that presses the button. */
  shortcut?: string;
  /** The button's name for screen readers, when its text alone is ambiguous. */
  label?: string;
  /** What is said when the connection breaks. */
  unanswered?: Unanswered;
  children: ReactNode;
}): ReactNode {
  const tell = use(MessageContext);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(action(before, form), unanswered);
      tell?.(answer?.ok ? answer : null);
      return answer?.ok && tell !== null ? null : answer;
    },
    null,
  );
  return (
    <form action={submit} className="no-print inline-flex flex-wrap items-center gap-y-1">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton look={look} aria-label={label} pending={pending} data-shortcut={shortcut}>
        {children}
      </SubmitButton>
      <span
        role="status"
        className={`text-label font-medium not-empty:ml-3 ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {pending ? '' : message?.text}
      </span>
    </form>
  );
}
