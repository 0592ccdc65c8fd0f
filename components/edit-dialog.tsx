'use client';

import { use, useActionState, useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { MessageContext } from '#components/message-area.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { checkIban } from '#lib/values/iban.ts';

type Words = Record<'open' | 'title' | 'hint' | 'save' | 'keep', string> & { label?: string };
/** `bank`: an IBAN field that names the bank once the IBAN is complete. */
export type DialogField = {
  name: string;
  label: string;
  value: string;
  mono?: boolean;
  bank?: boolean;
};

/**
 * A button that opens a dialog with a few fields. Errors are shown under the fields, which keep
 * what was typed; a success is shown beside the button. `action`: one that a second press does not
 * do twice.
 */
export function EditDialog({
  action,
  fixed,
  fields,
  words,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fixed: Record<string, string>;
  fields: DialogField[];
  words: Words;
}): ReactNode {
  const id = useId();
  const [open, setOpen] = useState(false);
  const report = use(MessageContext);
  const [message, submit, pending] = useActionState(
    async (before: Answer, form: FormData): Promise<Answer> => {
      const answer = await orUnanswered(action(before, form), 'again');
      if (answer?.ok) {
        setOpen(false);
        report?.(answer);
      }
      return (
        answer && {
          ...answer,
          typed: Object.fromEntries(fields.map(({ name }) => [name, String(form.get(name) ?? '')])),
        }
      );
    },
    null,
  );
  const [bank, setBank] = useState<string | null>(null);
  const refusal = open && message?.ok === false ? message.text : undefined;
  return (
    <>
      <Button aria-label={words.label} onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      <p role="status" className="text-label font-medium text-muted empty:hidden">
        {!open && message?.ok && report === null ? message.text : ''}
      </p>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.title}>
        <form action={submit} className="grid gap-4">
          {Object.entries(fixed).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {fields.map((field, index) => (
            <EditField
              key={field.name}
              id={`${id}-${field.name}`}
              field={field}
              typed={message?.ok === false ? message.typed[field.name] : undefined}
              isLast={index === fields.length - 1}
              hint={words.hint}
              refusal={refusal}
              bank={bank}
              onBank={setBank}
            />
          ))}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{words.keep}</Button>
            <SubmitButton look="primary" pending={pending}>
              {words.save}
            </SubmitButton>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/**
 * One field of the dialog. The last field also shows the hint and the refusal of the whole form.
 */
function EditField({
  id,
  field: { name, label, value, mono, bank: ofBank },
  typed,
  isLast,
  hint,
  refusal,
  bank,
  onBank,
}: {
  id: string;
  field: DialogField;
  typed: string | undefined;
  isLast: boolean;
  hint: string;
  refusal: string | undefined;
  bank: string | null;
  onBank: (bank: string | null) => void;
}): ReactNode {
  return (
    <Field
      id={id}
      label={label}
      hint={isLast && hint}
      error={isLast && refusal}
      trailing={ofBank && bank}
    >
      <TextInput
        id={id}
        name={name}
        mono={mono ?? false}
        defaultValue={typed ?? value}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={ofBank ? (event) => onBank(bankOf(event.target.value)) : undefined}
        aria-invalid={refusal === undefined ? undefined : true}
        aria-describedby={describedBy(id, { hint: isLast, error: isLast && refusal })}
      />
    </Field>
  );
}

function bankOf(typed: string): string | null {
  const check = checkIban(typed);
  return check.kind === 'ok' ? check.bankName : null;
}

type Answer = (NonNullable<ActionMessage> & { typed: Record<string, string> }) | null;
