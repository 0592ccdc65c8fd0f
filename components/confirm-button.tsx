'use client';

import { use, useActionState, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { MessageContext } from '#components/message-area.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PressButton } from '#components/ui/press-button.tsx';

export type ConfirmWords = Record<'open' | 'title' | 'confirm' | 'keep', string> & {
  /** The button's name for screen readers, when its text alone is ambiguous. */
  label?: string;
};

/**
 * A button with a confirmation dialog: the dialog states the effect, and its button repeats verb
 * and amount. A success is shown beside the button, or in the `MessageArea` around it; a refusal in
 * the dialog, which stays open with what was typed, and in that area. `formId`: sent as `id` and
 * kept while the dialog is open, so that one dialog makes one request. `asks`: the dialog is open
 * from the start, for a person who came by a link to it.
 */
export function ConfirmButton({
  action,
  fields,
  formId,
  words,
  look = 'secondary',
  confirmLook = 'primary',
  asks = false,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fields: Record<string, string>;
  formId?: string;
  words: ConfirmWords;
  look?: ButtonLook;
  confirmLook?: ButtonLook;
  asks?: boolean;
  children: ReactNode;
}): ReactNode {
  const [open, setOpen] = useState(asks);
  const [kept, setKept] = useState(formId);
  const tell = use(MessageContext);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(action(before, form), 'reload');
      if (answer?.ok) setOpen(false);
      // The area stays where a refusal takes the row, and with it the dialog, from the page.
      if (answer !== null) tell?.(answer);
      return answer?.ok && tell !== null ? null : answer;
    },
    null,
  );
  // An answer to a press before the dialog was opened again is not shown in it any more.
  const [old, setOld] = useState<ActionMessage>(null);
  const ask = (): void => {
    setOld(message);
    setKept(formId);
    setOpen(true);
  };
  return (
    <span className="no-print inline-flex flex-wrap items-center gap-y-1">
      <PressButton look={look} aria-label={words.label} onClick={ask}>
        {words.open}
      </PressButton>
      <span role="status" className="text-label font-medium text-muted not-empty:ml-3">
        {!open && message?.ok ? message.text : ''}
      </span>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.title}>
        <form action={submit} onSubmit={keepFields(submit)} className="grid gap-4">
          {kept !== undefined && <input type="hidden" name="id" value={kept} />}
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children}
          <p role="alert" className="text-label font-medium text-failed empty:hidden">
            {message?.ok === false && message !== old && !pending ? message.text : ''}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button autoFocus onClick={() => setOpen(false)}>
              {words.keep}
            </Button>
            <SubmitButton look={confirmLook} pending={pending}>
              {words.confirm}
            </SubmitButton>
          </div>
        </form>
      </Dialog>
    </span>
  );
}
