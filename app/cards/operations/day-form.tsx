'use client';

import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { DayInput } from '#components/day-input.tsx';
import type { DayWords } from '#components/day-input.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { readDay } from '#lib/values/typed-day.ts';

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
  words: Record<'label' | 'hint' | 'button', string> & { day: DayWords };
}): ReactNode {
  const id = useId();
  const [message, submit, pending] = useActionState(
    async (_before: (ActionMessage & { typed?: string }) | null, form: FormData) => {
      const answer = await orUnanswered(action(null, form), 'again');
      return answer && { ...answer, typed: String(form.get('heldOn') ?? '') };
    },
    null,
  );
  return (
    <form action={submit} className="grid max-w-xl gap-3">
      <input type="hidden" name="paymentId" value={paymentId} />
      <div className="max-w-56">
        <DayInput
          id={id}
          name="heldOn"
          label={words.label}
          hint={words.hint}
          value={readDay(message?.typed ?? '')}
          max={today}
          required
          words={words.day}
        />
      </div>
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
