'use client';

import { useId } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { noEnter } from '#components/no-enter.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { SignPanel } from './sign-panel.tsx';
import type { Signed } from './sign-panel.tsx';
import { useSigned } from './use-signed.ts';

/** A form that approves one movement, or one batch, after the person has signed it; with a reason, an override. */
export function SignedForm({
  action,
  fields,
  content,
  reason,
  look,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  /** `thing`: what the id names, where it is no movement. */
  fields: { id: string; seenHash: string; thing?: 'batch' };
  content: Signed;
  reason?: { label: string; hint: string };
  look: ButtonLook;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  const purpose = reason === undefined ? 'approve' : 'override';
  const signed = useSigned(action, { purpose, signs: true });
  return (
    <div className="no-print grid max-w-xl gap-3">
      <form action={signed.submit} onSubmit={keepFields(signed.submit)} className="grid gap-3">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {reason !== undefined && (
          <Field id={id} label={reason.label} hint={reason.hint}>
            <TextInput
              id={id}
              name="reason"
              autoComplete="off"
              maxLength={300}
              onKeyDown={noEnter}
              aria-describedby={describedBy(id, { hint: reason.hint })}
            />
          </Field>
        )}
        {signed.asked === null && (
          <div>
            <SubmitButton look={look} pending={signed.pending}>
              {children}
            </SubmitButton>
          </div>
        )}
      </form>
      {signed.asked !== null && (
        <SignPanel
          asked={signed.asked}
          content={[content]}
          pending={signed.pending}
          onAnswer={signed.answer}
          onKeyAdded={signed.askAgain}
          onCancel={signed.cancel}
        />
      )}
      <p
        role="status"
        className={`text-label font-medium empty:hidden ${signed.message?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {signed.pending ? '' : signed.message?.text}
      </p>
    </div>
  );
}
