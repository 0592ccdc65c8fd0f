'use client';

import { useActionState, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { orUnanswered } from '#components/unanswered.ts';
import { Button, SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PressButton } from '#components/ui/press-button.tsx';

/** `secret`: shown once, in this dialog, and kept nowhere. */
export type SecretMessage = (NonNullable<ActionMessage> & { secret?: string }) | null;

export type SecretWords = Record<
  'open' | 'title' | 'confirm' | 'keep' | 'doneTitle' | 'copy' | 'copied' | 'close',
  string
>;

/**
 * A button whose dialog makes a secret and shows it, with a button that copies it, until the person
 * says that it is kept: a dialog that was closed in another way shows the same secret when it is opened
 * again. An answer without a secret closes the dialog and stands beside the button.
 */
export function SecretButton({
  action,
  words,
  look = 'secondary',
  children,
}: {
  action: (before: SecretMessage, form: FormData) => Promise<SecretMessage>;
  words: SecretWords;
  look?: ButtonLook;
  children: ReactNode;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const [shown, setShown] = useState<{ secret: string; text: string } | null>(null);
  const [message, submit, pending] = useActionState(
    async (before: SecretMessage, form: FormData): Promise<SecretMessage> => {
      const answer: SecretMessage = await orUnanswered(action(before, form), 'reload');
      if (answer?.ok && answer.secret !== undefined) {
        setShown({ secret: answer.secret, text: answer.text });
        // It may have been closed before the answer came.
        setOpen(true);
        return null;
      }
      if (answer?.ok) setOpen(false);
      return answer;
    },
    null,
  );
  const close = (): void => setOpen(false);
  return (
    <span className="no-print inline-flex flex-wrap items-center gap-y-1">
      <PressButton look={look} onClick={() => setOpen(true)}>
        {words.open}
      </PressButton>
      <span role="status" className="text-label font-medium text-muted not-empty:ml-3">
        {!open && message?.ok ? message.text : ''}
      </span>
      <Dialog
        open={open}
        onClose={close}
        stays={shown !== null}
        title={shown === null ? words.title : words.doneTitle}
      >
        {shown === null ? (
          <form action={submit} onSubmit={keepFields(submit)} className="grid gap-4">
            {children}
            <p role="alert" className="text-label font-medium text-failed empty:hidden">
              {message?.ok === false && !pending ? message.text : ''}
            </p>
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={close}>{words.keep}</Button>
              <SubmitButton look="primary" pending={pending}>
                {words.confirm}
              </SubmitButton>
            </div>
          </form>
        ) : (
          <Shown
            {...shown}
            words={words}
            onKept={() => {
              setOpen(false);
              setShown(null);
            }}
          />
        )}
      </Dialog>
    </span>
  );
}

function Shown({
  secret,
  text,
  words,
  onKept,
}: {
  secret: string;
  text: string;
  words: SecretWords;
  onKept: () => void;
}): ReactNode {
  return (
    <div className="grid gap-4">
      <p role="status">{text}</p>
      <p className="flex items-start gap-1 rounded-control border border-hairline bg-raised p-3">
        <code className="min-w-0 flex-1 font-mono text-mono break-all">{secret}</code>
        <CopyButton text={secret} label={words.copy} done={words.copied} />
      </p>
      <div className="flex justify-end">
        <Button look="primary" autoFocus onClick={onKept}>
          {words.close}
        </Button>
      </div>
    </div>
  );
}
