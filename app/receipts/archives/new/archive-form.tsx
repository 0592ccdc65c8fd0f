'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { SubmitLine } from '#components/submit-line.tsx';
import { Checkbox, Field, Select } from '#components/ui/field.tsx';
import { RadioChoices } from '#components/ui/radio-choices.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import type { Profile } from '#lib/exports/profile.ts';
import type { FileType } from '#lib/receipts/archives/archive.ts';
import { NAME_TEMPLATES } from '#lib/receipts/file-name.ts';
import type { NameTemplate } from '#lib/receipts/file-name.ts';
import { makeArchive } from '../actions.ts';

export type ArchiveFormWords = {
  file: string;
  /** The file types that can hold so many receipts. */
  fileTypes: readonly { value: FileType; name: string; text: string }[];
  tooMany: string | null;
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
  words: ArchiveFormWords;
  children: ReactNode;
}): ReactNode {
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered(makeArchive(before, form), 'reload'),
    null,
  );
  return (
    <form
      action={submit}
      onSubmit={keepFields(submit)}
      className="group/archive grid justify-items-start gap-4 px-4 py-4"
    >
      <input type="hidden" name="filter" value={filter} />
      {picked?.map((id) => (
        <input key={id} type="hidden" name="pick" value={id} />
      ))}
      {words.ledger && <Checkbox id="archive-ledger" name="ledger" label={words.ledger} />}
      <RadioChoices name="file" legend={words.file} options={words.fileTypes} />
      {words.tooMany && <p className="max-w-prose text-label text-muted">{words.tooMany}</p>}
      <ZipChoices words={words} />
      {children}
      <SubmitLine label={words.submit} message={message} pending={pending} />
    </form>
  );
}

/** What only a ZIP has: file names and an index. */
function ZipChoices({ words }: { words: ArchiveFormWords }): ReactNode {
  return (
    <div className="grid w-full justify-items-start gap-4 group-has-[#file-pdf:checked]/archive:hidden">
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
    </div>
  );
}
