'use client';

import { createContext, use, useActionState, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { MessageContext } from '#components/message-area.tsx';
import { noEnter } from '#components/no-enter.ts';
import { orUnanswered } from '#components/unanswered.ts';
import type { Unanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import type { ButtonLook } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';

/** The errors of a form's fields by name, for fields that are passed as children. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({});

const INLINE = 'gap-2 text-left sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end';
const WIDE = 'grid-cols-[minmax(0,1fr)]';

/**
 * A form of a server action that needs a reason; the result is shown beside the button. What was
 * typed and chosen stays until the action succeeds. Inside a `MessageArea` a success is shown in that area.
 */
export function ReasonForm({
  action,
  fields,
  label,
  hint,
  button,
  look = 'secondary',
  money = false,
  inline = false,
  wide = false,
  unanswered = 'reload',
  id,
  children,
}: {
  action: (before: ActionMessage, form: FormData) => Promise<ActionMessage>;
  fields: Record<string, string>;
  label: string;
  hint?: string;
  button: string;
  look?: ButtonLook;
  /** The button lets money leave: Enter in a field does not press it. */
  money?: boolean;
  /** Places the button beside the field where there is room, for a form in a list row. */
  inline?: boolean;
  /** The further fields take the width of the panel; the reason keeps its own. */
  wide?: boolean;
  /** What is said when the connection breaks. */
  unanswered?: Unanswered;
  /** Of the form, for fields that stand elsewhere on the page. */
  id?: string;
  /** Further fields, above the reason. */
  children?: ReactNode;
}): ReactNode {
  const formRef = useRef<HTMLFormElement>(null);
  const tell = use(MessageContext);
  const [message, submit, pending] = useActionState(
    async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
      const answer = await orUnanswered(action(before, form), unanswered);
      tell?.(answer?.ok ? answer : null);
      if (answer?.ok) formRef.current?.reset();
      return answer?.ok && tell !== null ? null : answer;
    },
    null,
  );
  const problems = (pending ? null : message?.problems) ?? {};
  return (
    <form
      ref={formRef}
      id={id}
      action={submit}
      onSubmit={keepFields(submit)}
      className={`no-print grid ${wide ? WIDE : 'max-w-xl'} ${inline ? INLINE : 'gap-3'}`}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FieldProblems value={problems}>{children}</FieldProblems>
      <div className={wide ? 'max-w-xl' : 'contents'}>
        <Reason label={label} hint={hint} error={problems['reason']} money={money} />
      </div>
      <div className={inline ? 'contents' : 'flex flex-wrap items-center gap-3'}>
        <SubmitButton look={look} pending={pending}>
          {button}
        </SubmitButton>
        <Result message={pending ? null : message} className={inline ? 'col-span-full' : ''} />
      </div>
    </form>
  );
}

function Reason({
  label,
  hint,
  error,
  money,
}: {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  money: boolean;
}): ReactNode {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <TextInput
        id={id}
        name="reason"
        autoComplete="off"
        maxLength={300}
        onKeyDown={money ? noEnter : undefined}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint, error })}
      />
    </Field>
  );
}

function Result({ message, className }: { message: ActionMessage; className: string }): ReactNode {
  const tone = message?.ok === false ? 'text-failed' : 'text-muted';
  return (
    <span role="status" className={`${className} text-label font-medium ${tone}`}>
      {message?.text}
    </span>
  );
}
