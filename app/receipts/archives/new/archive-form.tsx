'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { SubmitLine } from '#components/submit-line.tsx';
import { Checkbox, Field, Select } from '#components/ui/field.tsx';
import { RadioChoices } from '#components/ui/radio-choices.tsx';
import { PROFILES } from '#lib/exports/profile.ts';
import type { Profile } from '#lib/exports/profile.ts';
import { NAME_TEMPLATES } from '#lib/receipts/file-name.ts';
import type { NameTemplate } from '#lib/receipts/file-name.ts';
import { makeArchive } from '../actions.ts';

type Words = {
  ledger: string | null;
  template: string;
  templates: Record<NameTemplate, { name: string; text: string }>;
  ascii: string;
  profile: string;
  profiles: Record<Profile, string>;
  submit: string;
};

export function ArchiveForm({
  filter,
  picked,
  words,
  children,
}: {
  filter: string;
  picked: readonly string[] | null;
  words: Words;
  children: ReactNode;
}): ReactNode {
  const [message, submit, pending] = useActionState(makeArchive, null);
  return (
    <form action={submit} className="grid justify-items-start gap-4 px-4 py-4">
      <input type="hidden" name="filter" value={filter} />
      {picked?.map((id) => (
        <input key={id} type="hidden" name="pick" value={id} />
      ))}
      {words.ledger && <Checkbox id="archive-ledger" name="ledger" label={words.ledger} />}
      <RadioChoices
        name="template"
        legend={words.template}
        options={NAME_TEMPLATES.map((value) => ({ value, ...words.templates[value] }))}
        look="font-mono text-mono wrap-anywhere"
      />
      <Checkbox id="archive-ascii" name="ascii" label={words.ascii} />
      <div className="w-full sm:w-72">
        <Field id="archive-profile" label={words.profile}>
          <Select id="archive-profile" name="profile">
            {PROFILES.map((profile) => (
              <option key={profile} value={profile}>
                {words.profiles[profile]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {children}
      <SubmitLine label={words.submit} message={message} pending={pending} />
    </form>
  );
}
