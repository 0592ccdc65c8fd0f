'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useId } from 'react';
import type { ReactNode } from 'react';
import { KeptSelect } from '#components/kept-select.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import { PANEL_LINK_WAYS } from '#lib/cards/tools/panel-link-form.ts';
import { typedIn } from '../typed-in.ts';
import type { Typed } from '../typed-in.ts';
import { sendLinkFromPanel } from './actions.ts';
import type { LinkSent } from './actions.ts';

/** Each press sends a message to the payer; the response contains the link's address. */
export function SendLinkForm({ link }: { link: { id: string; use: string } }): ReactNode {
  const t = useTranslations('cardTools.links');
  const id = useId();
  const [{ answer: result, typed }, submit, pending] = useActionState(
    async (_before: Typed<LinkSent>, form: FormData): Promise<Typed<LinkSent>> => ({
      answer: await orUnanswered(sendLinkFromPanel(null, form), 'reload'),
      typed: typedIn(form),
    }),
    { answer: null, typed: {} },
  );
  return (
    <form action={submit} className="grid gap-3 border-t border-hairline px-4 py-3">
      <input type="hidden" name="id" value={link.id} />
      <input type="hidden" name="use" value={link.use} />
      <Field id={`${id}-way`} label={t('way')}>
        <KeptSelect id={`${id}-way`} name="way" defaultValue={typed['way'] ?? 'email'}>
          {PANEL_LINK_WAYS.map((way) => (
            <option key={way} value={way}>
              {t(`ways.${way}`)}
            </option>
          ))}
        </KeptSelect>
      </Field>
      <Field id={`${id}-to`} label={t('to')}>
        <TextInput
          id={`${id}-to`}
          name="to"
          required
          maxLength={254}
          autoComplete="off"
          defaultValue={typed['to'] ?? ''}
        />
      </Field>
      <div>
        <SubmitButton pending={pending}>{t('send')}</SubmitButton>
      </div>
      <div role="status" className="grid gap-1 empty:hidden">
        {!pending && result && (
          <p className={`text-label font-medium ${result.ok ? 'text-muted' : 'text-failed'}`}>
            {result.text}
          </p>
        )}
        {!pending && result?.address !== undefined && (
          <p className="flex items-center gap-1">
            <span className="min-w-0 font-mono text-mono break-all">{result.address}</span>
            <CopyButton text={result.address} label={t('copyAddress')} done={t('copied')} />
          </p>
        )}
      </div>
    </form>
  );
}
