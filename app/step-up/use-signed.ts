'use client';

import { startTransition, useActionState, useState } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { hasAnswered, orUnanswered, unanswered } from '#components/unanswered.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { askToSign } from './actions.ts';
import type { StepUpAnswer } from './step-up-answer.ts';

type Purpose = 'approve' | 'override';
type Asked = { form: FormData; stepUp: AskedStepUp };

/**
 * Runs a form's action after the person has signed what it approves: the first press asks for a
 * challenge over exactly what the form names, the answer sends the form. `signs` false: nothing is
 * asked, the form is sent at once.
 */
export function useSigned(
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>,
  { purpose, signs }: { purpose: Purpose; signs: boolean },
): {
  message: ActionMessage;
  submit: (form: FormData) => void;
  pending: boolean;
  asked: AskedStepUp | null;
  /** The movements that the open challenge covers. */
  askedIds: string[];
  answer: (given: StepUpAnswer) => void;
  askAgain: () => void;
  cancel: () => void;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      if (signs && !form.has('stepUp')) {
        const reply = await askToSign({ of: thingIn(form), picked: pickedIn(form), purpose }).catch(
          (error: unknown) => {
            if (hasAnswered(error)) throw error;
            return { ok: false as const, text: unanswered('nothing').text };
          },
        );
        if (!reply.ok) return { ok: false, text: reply.text };
        if (reply.value.asked === 'step_up') {
          setAsked({ form, stepUp: reply.value });
          return null;
        }
      }
      const done: ActionMessage = await orUnanswered(action(before, form), 'decision');
      // A mistyped code may be typed again. Everything else begins anew: a code that is too late or
      // was used cannot be mended by typing.
      if (done?.retype !== true) setAsked(null);
      return done;
    },
    null,
  );
  const send = (form: FormData): void => startTransition(() => submit(form));
  return {
    message,
    submit,
    pending,
    asked: asked?.stepUp ?? null,
    askedIds: asked === null ? [] : pickedIn(asked.form).map((one) => one.id),
    answer: (given) => {
      if (asked === null || pending) return;
      const form = copyOf(asked.form);
      form.set('stepUp', JSON.stringify(given));
      send(form);
    },
    askAgain: () => asked !== null && send(copyOf(asked.form)),
    cancel: () => setAsked(null),
  };
}

function copyOf(form: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of form) if (name !== 'stepUp') copy.append(name, value);
  return copy;
}

/** What the field `id` names: a batch where the form says so. */
function thingIn(form: FormData): 'batch' | 'movement' {
  return form.get('thing') === 'batch' ? 'batch' : 'movement';
}

/** One movement in the fields `id` and `seenHash`, or several in the ticks `pick`. */
function pickedIn(form: FormData): { id: string; seenHash: string }[] {
  const picks = form.getAll('pick').map(String);
  if (!form.has('id'))
    return picks.map((pick) => {
      const [id = '', seenHash = ''] = pick.split(' ');
      return { id, seenHash };
    });
  return [{ id: String(form.get('id')), seenHash: String(form.get('seenHash')) }];
}
