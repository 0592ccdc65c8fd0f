'use client';

import { useActionState, useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Checkbox } from '#components/ui/field.tsx';
import { chooseColumns } from './actions.ts';

type Props = {
  list: string;
  columns: readonly { name: string; label: string; shown: boolean }[];
  phone: boolean;
  words: Readonly<Record<'open' | 'title' | 'text' | 'save' | 'close', string>>;
};

export function ColumnDialog({ list, columns, phone, words }: Props): ReactNode {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        look="ghost"
        className={phone ? '' : 'max-sm:hidden'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {words.open}
      </Button>
      <Dialog open={open} onClose={close} title={words.title} closeLabel={words.close}>
        <ColumnForm list={list} columns={columns} words={words} done={close} />
      </Dialog>
    </>
  );
}

function ColumnForm({
  list,
  columns,
  words,
  done,
}: Pick<Props, 'list' | 'columns' | 'words'> & { done: () => void }): ReactNode {
  const id = useId();
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(chooseColumns(before, form), 'again');
      if (answer?.ok) done();
      return answer;
    },
    null,
  );
  return (
    <form action={submit} onSubmit={keepFields(submit)} className="grid gap-4">
      <input type="hidden" name="list" value={list} />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-label text-muted">{words.text}</legend>
        {columns.map(({ name, label, shown }) => (
          <Checkbox
            key={name}
            id={`${id}-${name}`}
            name="shown"
            value={name}
            defaultChecked={shown}
            label={label}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" aria-disabled={pending}>
          {words.save}
        </Button>
        <span role="status" className="text-label font-medium text-failed">
          {message?.ok === false ? message.text : ''}
        </span>
      </div>
    </form>
  );
}
