'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import type { SavedField } from '#lib/cards/saved/schema.ts';
import { saveNewCard } from './actions.ts';
import type { Registered } from './actions.ts';

/**
 * What was typed stays in this browser until the card is saved; then the card fields are emptied.
 */
type Typed = Partial<Record<SavedField, string>>;
type State = { result: Registered; typed: Typed };
const OF_THE_CARD: readonly SavedField[] = ['holder', 'number', 'month', 'year'];

export function RegisterForm({ customer }: { customer: string }): ReactNode {
  const t = useTranslations('savedCards');
  const [state, submit, pending] = useActionState(
    async (_before: State, form: FormData): Promise<State> => {
      const typed = Object.fromEntries(
        [...form].filter(([, value]) => typeof value === 'string'),
      ) as Typed;
      const result = await orUnanswered(saveNewCard(null, form), 'again');
      if (result?.ok) for (const name of OF_THE_CARD) delete typed[name];
      return { result, typed };
    },
    { result: null, typed: { customer } },
  );
  return (
    <form
      action={submit}
      noValidate
      aria-label={t('register.title')}
      className="grid max-w-xl gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <RegisterField state={state} name="customer" label={t('customer')} inputMode="numeric" />
        <RegisterField state={state} name="name" label={t('register.name')} />
        <RegisterField state={state} name="email" label={t('register.email')} inputMode="email" />
        <RegisterField state={state} name="phone" label={t('register.phone')} inputMode="tel" />
      </div>
      <RegisterField
        state={state}
        name="number"
        label={t('register.number')}
        inputMode="numeric"
        mono
        maxLength={30}
        hint={t('register.numberHint')}
      />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-[minmax(0,1fr)_6rem_6rem]">
        <div className="max-sm:col-span-2">
          <RegisterField state={state} name="holder" label={t('register.holder')} />
        </div>
        <RegisterField
          state={state}
          name="month"
          label={t('register.month')}
          inputMode="numeric"
          maxLength={2}
          placeholder="03"
        />
        <RegisterField
          state={state}
          name="year"
          label={t('register.year')}
          inputMode="numeric"
          maxLength={4}
          placeholder="2030"
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {t('register.submit')}
        </SubmitButton>
        <span
          role="status"
          className={`text-label font-medium ${pending || state.result?.ok ? 'text-muted' : 'text-failed'}`}
        >
          {pending ? t('register.sending') : state.result?.text}
        </span>
      </div>
    </form>
  );
}

/** A field with its error, which keeps what was typed. */
function RegisterField({
  state: { result, typed },
  name,
  label,
  hint,
  ...rest
}: {
  state: State;
  name: SavedField;
  label: string;
  hint?: string;
} & ComponentProps<typeof TextInput>): ReactNode {
  const t = useTranslations('savedCards');
  const problem = result?.errors?.[name];
  const error = problem === undefined ? undefined : t(`errors.${problem}`);
  const id = `save-${name}`;
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <TextInput
        id={id}
        name={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        defaultValue={typed[name] ?? ''}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { hint, error })}
        {...rest}
      />
    </Field>
  );
}
