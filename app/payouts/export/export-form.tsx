'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { SubmitButton } from '#components/ui/button.tsx';
import { PROFILES } from '#lib/exports/profile.ts';
import type { Profile } from '#lib/exports/profile.ts';
import type { Said } from '#components/action-button.tsx';

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
  action: (before: Said, form: FormData) => Promise<Said>;
  filter: string;
  words: Words;
  children?: ReactNode;
}): ReactNode {
  const [said, submit, pending] = useActionState(action, null);
  return (
    <form action={submit} className="grid justify-items-start gap-4 px-4 py-4">
      <input type="hidden" name="filter" value={filter} />
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 text-label font-medium text-muted">{words.legend}</legend>
        {PROFILES.map((profile, at) => (
          <div key={profile} className="flex items-start gap-2.5">
            <input
              type="radio"
              id={`profile-${profile}`}
              name="profile"
              value={profile}
              defaultChecked={at === 0}
              aria-describedby={`profile-${profile}-text`}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <div className="grid min-w-0">
              <label htmlFor={`profile-${profile}`} className="font-medium">
                {words.profiles[profile].name}
              </label>
              <p id={`profile-${profile}-text`} className="max-w-prose text-label text-muted">
                {words.profiles[profile].text}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {words.submit}
        </SubmitButton>
        <span role="status" className="text-label font-medium text-failed">
          {pending ? '' : said?.text}
        </span>
      </div>
    </form>
  );
}
