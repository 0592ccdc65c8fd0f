'use client';

import { useActionState, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Textarea, describedBy } from '#components/ui/field.tsx';
import { erasePersonalData } from './actions.ts';

type Words = Record<'open' | 'title' | 'text' | 'reason' | 'hint' | 'keep' | 'confirm', string>;

/**
 * The button that erases a person's values, after it has asked for a reason. Success is reported
 * beside the button, a refusal beside the reason field.
 */
export function EraseButton({
  personId,
  nothing,
  words,
}: {
  personId: string;
  nothing: boolean;
  words: Words;
}): ReactNode {
  const [asking, setAsking] = useState(false);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(erasePersonalData(before, form), 'again');
      if (answer?.ok) setAsking(false);
      return answer;
    },
    null,
  );
  const refusal = message?.ok === false ? message.text : undefined;
  return (
    <>
      {!nothing && (
        <Button look="danger" onClick={() => setAsking(true)}>
          {words.open}
        </Button>
      )}
      <p role="status" className="text-label font-medium text-muted empty:hidden">
        {message?.ok ? message.text : ''}
      </p>
      <Dialog open={asking} onClose={() => setAsking(false)} title={words.title}>
        <form action={submit} onSubmit={keepFields(submit)} className="grid gap-4">
          <input type="hidden" name="personId" value={personId} />
          <p>{words.text}</p>
          <Field id="erase-reason" label={words.reason} hint={words.hint} error={refusal}>
            <Textarea
              id="erase-reason"
              name="reason"
              required
              maxLength={500}
              aria-invalid={refusal !== undefined}
              aria-describedby={describedBy('erase-reason', { hint: true, error: refusal })}
            />
          </Field>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsking(false)}>{words.keep}</Button>
            <SubmitButton look="danger" pending={pending}>
              {words.confirm}
            </SubmitButton>
          </div>
        </form>
      </Dialog>
    </>
  );
}
