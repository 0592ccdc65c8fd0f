'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { chooseChannels } from '#app/notifications/actions.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';

/** The form around the choices. */
export function ChoicesForm({ save, children }: { save: string; children: ReactNode }): ReactNode {
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered(chooseChannels(before, form), 'again'),
    null,
  );
  return (
    <form onSubmit={keepFields(submit)}>
      {children}
      <div className="flex flex-wrap items-center gap-3 border-t border-hairline px-4 py-3">
        <SubmitButton look="primary" pending={pending}>
          {save}
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
