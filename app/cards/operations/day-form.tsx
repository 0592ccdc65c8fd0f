'use client';

import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { SubmitButton } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';

/** The authorization date, for an authorization of unknown age. */
export function DayForm({
  action,
  paymentId,
  today,
  words,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  paymentId: string;
  today: string;
  words: Record<'label' | 'hint' | 'button', string>;
}): ReactNode {
  const id = useId();
  const [message, submit, pending] = useActionState(
    async (_before: (ActionMessage & { typed?: string }) | null, form: FormData) => {
      const answer = await action(null, form);
      return answer && { ...answer, typed: String(form.get('heldOn') ?? '') };
    },
    null,
  );
  return (
    <form action={submit} className="grid max-w-xl gap-3">
      <input type="hidden" name="paymentId" value={paymentId} />
      <Field id={id} label={words.label} hint={words.hint}>
        <TextInput
          id={id}
          name="heldOn"
          type="date"
          required
          max={today}
          defaultValue={message?.typed ?? ''}
          className="max-w-56"
          aria-describedby={describedBy(id, { hint: true })}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton pending={pending}>{words.button}</SubmitButton>
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
