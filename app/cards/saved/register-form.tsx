'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { SubmitButton } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import type { SavedField } from '#lib/cards/saved/schema.ts';
import { saveNewCard } from './actions.ts';
import type { Registered } from './actions.ts';

/**
 * What was typed stays in this browser until the card is saved; then the card fields are emptied.
 */
type Typed = Partial<Record<SavedField, string>>;
const OF_THE_CARD: readonly SavedField[] = ['holder', 'number', 'month', 'year'];

export function RegisterForm({ customer }: { customer: string }): ReactNode {
  const t = useTranslations('savedCards');
  const [submitted, submit, pending] = useActionState(
    async (_before: { result: Registered; typed: Typed }, form: FormData) => {
      const typed = Object.fromEntries(
        [...form].filter(([, value]) => typeof value === 'string'),
      ) as Typed;
      const result = await saveNewCard(null, form);
      if (result?.ok) for (const name of OF_THE_CARD) delete typed[name];
      return { result, typed };
    },
    { result: null, typed: { customer } },
  );
  const errors = submitted.result?.errors ?? {};
  const field = (
    name: SavedField,
    label: string,
    more: ComponentProps<typeof TextInput> & { hint?: string } = {},
  ): ReactNode => {
    const { hint, ...rest } = more;
    const error = errors[name] === undefined ? undefined : t(`errors.${errors[name]}`);
    const id = `save-${name}`;
    return (
      <Field id={id} label={label} hint={hint} error={error}>
        <TextInput
          id={id}
          name={name}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
          defaultValue={submitted.typed[name] ?? ''}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, { hint, error })}
          {...rest}
        />
      </Field>
    );
  };
  return (
    <form
      action={submit}
      noValidate
      aria-label={t('register.title')}
      className="grid max-w-xl gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {field('customer', t('customer'), { inputMode: 'numeric' })}
        {field('name', t('register.name'))}
        {field('email', t('register.email'), { inputMode: 'email' })}
        {field('phone', t('register.phone'), { inputMode: 'tel' })}
      </div>
      {field('number', t('register.number'), {
        inputMode: 'numeric',
        mono: true,
        maxLength: 30,
        hint: t('register.numberHint'),
      })}
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-[minmax(0,1fr)_6rem_6rem]">
        <div className="max-sm:col-span-2">{field('holder', t('register.holder'))}</div>
        {field('month', t('register.month'), {
          inputMode: 'numeric',
          maxLength: 2,
          placeholder: '03',
        })}
        {field('year', t('register.year'), {
          inputMode: 'numeric',
          maxLength: 4,
          placeholder: '2030',
        })}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {t('register.submit')}
        </SubmitButton>
        <span
          role="status"
          className={`text-label font-medium ${pending || submitted.result?.ok ? 'text-muted' : 'text-failed'}`}
        >
          {pending ? t('register.sending') : submitted.result?.text}
        </span>
      </div>
    </form>
  );
}
