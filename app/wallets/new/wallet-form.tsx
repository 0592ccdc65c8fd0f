'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import type { ReactNode } from 'react';
import { KeptSelect } from '#components/kept-select.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { Checkbox, Field, TextInput, describedBy } from '#components/ui/field.tsx';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { WALLET_CURRENCIES, WALLET_NAME_MAX } from '#lib/wallets/creation/schema.ts';
import type { WalletErrorCode, WalletField } from '#lib/wallets/creation/schema.ts';
import { openWallet } from './actions.ts';

type Typed = { name: string; currency: string; fastIban: boolean };
type Problem = ActionProblem | { kind: 'unanswered'; text: string };
type Answered = { problem: Problem | null; typed: Typed };

/**
 * What was typed stays after any response. A second press while the first is under way does
 * nothing; the server sends one request for each form.
 */
export function WalletForm({ id, typed }: { id: string; typed: Typed }): ReactNode {
  const t = useTranslations('newWallet');
  const [answered, submit, pending] = useActionState(
    async (_before: Answered, form: FormData): Promise<Answered> => {
      const answer = await orUnanswered(openWallet(form), 'again');
      return {
        problem: 'ok' in answer ? { kind: 'unanswered', text: answer.text } : answer,
        typed: {
          name: String(form.get('name') ?? ''),
          currency: String(form.get('currency') ?? ''),
          fastIban: form.get('fastIban') === 'on',
        },
      };
    },
    { problem: null, typed },
  );
  const errors = answered.problem?.kind === 'fields' ? answered.problem.errors : {};
  const error = (field: WalletField): string | null =>
    errors[field] === undefined
      ? null
      : t(`errors.${errors[field].code as WalletErrorCode}`, { max: WALLET_NAME_MAX });
  return (
    <form action={submit} noValidate aria-label={t('title')} className="grid gap-4 px-4 py-4">
      <input type="hidden" name="id" value={id} />
      <Field id="wallet-name" label={t('name')} hint={t('nameHint')} error={error('name')}>
        <TextInput
          id="wallet-name"
          name="name"
          autoComplete="off"
          defaultValue={answered.typed.name}
          aria-invalid={error('name') !== null}
          aria-describedby={describedBy('wallet-name', { hint: true, error: error('name') })}
        />
      </Field>
      <CurrencyField typed={answered.typed.currency} error={error('currency')} />
      <Checkbox
        key={String(answered.typed.fastIban)}
        id="wallet-fast"
        name="fastIban"
        defaultChecked={answered.typed.fastIban}
        label={
          <>
            {t('fast')}
            <span className="block text-label text-muted">{t('fastHint')}</span>
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton look="primary" pending={pending}>
          {t('submit')}
        </SubmitButton>
        <span
          role="status"
          className={`text-label font-medium ${pending ? 'text-muted' : 'text-failed'}`}
        >
          {pending ? t('asking') : <ProblemText problem={answered.problem} />}
        </span>
      </div>
    </form>
  );
}

function CurrencyField({ typed, error }: { typed: string; error: string | null }): ReactNode {
  const t = useTranslations('newWallet');
  return (
    <Field id="wallet-currency" label={t('currency')} hint={t('currencyHint')} error={error}>
      {/* A choice survives React's reset of the form only in a new select element. */}
      <KeptSelect
        id="wallet-currency"
        name="currency"
        defaultValue={typed}
        aria-describedby={describedBy('wallet-currency', { hint: true, error })}
      >
        {WALLET_CURRENCIES.map((code) => (
          <option key={code} value={code}>
            {t(`currencies.${code}`)}
          </option>
        ))}
      </KeptSelect>
    </Field>
  );
}

function ProblemText({ problem }: { problem: Problem | null }): ReactNode {
  const t = useTranslations('refusals');
  const words = useTranslations('newWallet');
  switch (problem?.kind) {
    case undefined:
      return null;
    case 'fields':
      return words('errors.some');
    case 'signed_out':
      return t('signed_out');
    case 'refused':
      return t(problem.code, problem.params);
    case 'failed':
      return t('failed', { errorId: problem.errorId });
    case 'unanswered':
      return problem.text;
  }
}
