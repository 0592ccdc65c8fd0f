'use client';

import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Checkbox, Field, Select } from '#components/ui/field.tsx';
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
  const [said, submit, pending] = useActionState(makeArchive, null);
  return (
    <form action={submit} className="grid justify-items-start gap-4 px-4 py-4">
      <input type="hidden" name="filter" value={filter} />
      {picked?.map((id) => (
        <input key={id} type="hidden" name="pick" value={id} />
      ))}
      {words.ledger && <Checkbox id="archive-ledger" name="ledger" label={words.ledger} />}
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 text-label font-medium text-muted">{words.template}</legend>
        {NAME_TEMPLATES.map((template, at) => (
          <div key={template} className="flex items-start gap-2.5">
            <input
              type="radio"
              id={`template-${template}`}
              name="template"
              value={template}
              defaultChecked={at === 0}
              aria-describedby={`template-${template}-text`}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <div className="grid min-w-0">
              <label htmlFor={`template-${template}`} className="font-medium">
                {words.templates[template].name}
              </label>
              <p
                id={`template-${template}-text`}
                className="max-w-prose font-mono text-mono wrap-anywhere text-muted"
              >
                {words.templates[template].text}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
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
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          look="primary"
          aria-disabled={pending}
          onClick={(event) => {
            if (pending) event.preventDefault();
          }}
        >
          {words.submit}
        </Button>
        <span role="status" className="text-label font-medium text-failed">
          {pending ? '' : said?.text}
        </span>
      </div>
    </form>
  );
}
