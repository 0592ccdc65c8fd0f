'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { keepFields } from '#components/keep-fields.ts';
import { SubmitLine } from '#components/submit-line.tsx';
import { RadioChoices } from '#components/ui/radio-choices.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import type { Profile } from '#lib/exports/profile.ts';
import type { ActionMessage } from '#components/action-button.tsx';

type Words = {
  legend: string;
  submit: string;
  profiles: Record<Profile, { name: string; text: string }>;
};

/** Requests a list as a file: `action` is the list's own, `filter` its address. */
export function ExportForm({
  action,
  filter,
  words,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  filter: string;
  words: Words;
  children?: ReactNode;
}): ReactNode {
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered(action(before, form), 'reload'),
    null,
  );
  return (
    <form
      action={submit}
      onSubmit={keepFields(submit)}
      className="grid justify-items-start gap-4 px-4 py-4"
    >
      <input type="hidden" name="filter" value={filter} />
      <RadioChoices
        name="profile"
        legend={words.legend}
        options={PROFILES.map((value) => ({ value, ...words.profiles[value] }))}
      />
      {children}
      <SubmitLine label={words.submit} message={message} pending={pending} />
    </form>
  );
}
