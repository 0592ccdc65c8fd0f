'use client';

import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { DayInput } from '#components/day-input.tsx';
import type { DayWords } from '#components/day-input.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { describedBy, Field, Textarea } from '#components/ui/field.tsx';
import { readDay } from '#lib/values/typed-day.ts';

export type AddWords = Record<'label' | 'hint' | 'button', string>;
export type HeldOn = { label: string; hint: string; today: string; day: DayWords };
type AddMessage = (NonNullable<ActionMessage> & { orders: string; heldOn: string }) | null;

/**
 * Pasted order numbers, with the authorization date where it is needed. What was typed stays until
 * it is accepted.
 */
export function AddForm({
  action,
  words,
  heldOn,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  words: AddWords;
  heldOn?: HeldOn;
}): ReactNode {
  const id = useId();
  const [message, submit, pending] = useActionState(
    async (_before: AddMessage, form: FormData): Promise<AddMessage> => {
      const answer = await orUnanswered(action(null, form), 'again');
      const typed = (name: string): string =>
        answer?.ok === true ? '' : String(form.get(name) ?? '');
      return answer && { ...answer, orders: typed('orders'), heldOn: typed('heldOn') };
    },
    null,
  );
  return (
    <form action={submit} className="grid max-w-xl gap-3">
      <Field id={`${id}-orders`} label={words.label} hint={words.hint}>
        <Textarea
          id={`${id}-orders`}
          name="orders"
          rows={4}
          required
          maxLength={30_000}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-mono"
          defaultValue={message?.orders ?? ''}
          aria-describedby={describedBy(`${id}-orders`, { hint: true })}
        />
      </Field>
      {heldOn !== undefined && (
        <div className="max-w-80">
          <DayInput
            id={`${id}-held`}
            name="heldOn"
            label={heldOn.label}
            hint={heldOn.hint}
            value={readDay(message?.heldOn ?? '')}
            max={heldOn.today}
            words={heldOn.day}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {words.button}
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
