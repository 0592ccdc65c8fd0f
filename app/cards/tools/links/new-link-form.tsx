'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { KeptSelect } from '#components/kept-select.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import { CARD_CURRENCIES } from '#lib/cards/tools/filter.ts';
import { PANEL_LINK_USES } from '#lib/cards/tools/panel-link-form.ts';
import { typedIn } from '../typed-in.ts';
import type { Typed } from '../typed-in.ts';
import { makeLinkInPanel } from './actions.ts';

/** A payment link for one amount. What was typed stays until the link is created. */
export function NewLinkForm({ locale }: { locale: string }): ReactNode {
  const t = useTranslations('cardTools');
  const id = useId();
  const [{ answer: message, typed }, submit, pending] = useActionState(
    async (_before: Typed<ActionMessage>, form: FormData): Promise<Typed<ActionMessage>> => {
      const answer = await orUnanswered(makeLinkInPanel(null, form), 'reload');
      return { answer, typed: answer?.ok === true ? {} : typedIn(form) };
    },
    { answer: null, typed: {} },
  );
  return (
    <form action={submit} className="grid max-w-2xl gap-3 sm:grid-cols-2">
      <input type="hidden" name="locale" value={locale} />
      <div className="sm:col-span-2">
        <LinkText
          id={id}
          name="product"
          label={t('links.product')}
          typed={typed}
          required
          maxLength={100}
        />
      </div>
      <LinkText
        id={id}
        name="amount"
        label={t('links.amount')}
        typed={typed}
        required
        inputMode="decimal"
        maxLength={24}
      />
      <Field id={`${id}-currency`} label={t('currency')}>
        <KeptSelect id={`${id}-currency`} name="currency" defaultValue={typed['currency'] ?? 'TRY'}>
          {CARD_CURRENCIES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </KeptSelect>
      </Field>
      <Field id={`${id}-use`} label={t('links.use')}>
        <KeptSelect id={`${id}-use`} name="use" defaultValue={typed['use'] ?? 'single'}>
          {PANEL_LINK_USES.map((use) => (
            <option key={use} value={use}>
              {t(`links.uses.${use}`)}
            </option>
          ))}
        </KeptSelect>
      </Field>
      <LinkText
        id={id}
        name="description"
        label={t('links.description')}
        typed={typed}
        maxLength={250}
      />
      <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
        <SubmitButton look="primary" pending={pending}>
          {t('links.make')}
        </SubmitButton>
        <span
          role="status"
          className={`text-label font-medium ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
        >
          {pending ? '' : message?.text}
        </span>
      </div>
    </form>
  );
}

/** A line of text of the link, which keeps what was typed. */
function LinkText({
  id,
  name,
  label,
  typed,
  ...rest
}: {
  id: string;
  name: string;
  label: string;
  typed: Record<string, string>;
} & ComponentProps<typeof TextInput>): ReactNode {
  return (
    <Field id={`${id}-${name}`} label={label}>
      <TextInput
        id={`${id}-${name}`}
        name={name}
        {...rest}
        autoComplete="off"
        defaultValue={typed[name] ?? ''}
      />
    </Field>
  );
}
