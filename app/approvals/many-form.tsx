'use client';

import { useLocale, useTranslations } from 'next-intl';
import { use, useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { ActionMessage } from '#components/action-button.tsx';
import { keepFields } from '#components/keep-fields.ts';
import { MessageContext } from '#components/message-area.tsx';
import { noEnter } from '#components/no-enter.ts';
import { SubmitButton } from '#components/ui/button.tsx';
import { Checkbox, Field, TextInput } from '#components/ui/field.tsx';
import { balancesAfterPicked, sumsOf } from '#lib/approvals/balance-after.ts';
import type { BalanceAfter } from '#lib/approvals/balance-after.ts';
import { MANY_MAX } from '#lib/approvals/flags.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { SignPanel } from '../step-up/sign-panel.tsx';
import { useSigned } from '../step-up/use-signed.ts';
import { approvePicked } from './actions.ts';

export type Pickable = {
  id: string;
  contentHash: string;
  name: string;
  wallet: string;
  payee: string;
  amount: string;
  currency: string;
  /** A policy asks for a signature. */
  signs: boolean;
};

/**
 * Approves several payments at once, none of them unusual. The person types how many, so that no
 * slip of the hand approves a list; where a policy asks for it, one signature is over all of them.
 */
export function ManyForm({
  rows,
  balances,
}: {
  rows: Pickable[];
  balances: readonly BalanceAfter[];
}): ReactNode {
  const t = useTranslations('approvals.many');
  const id = useId();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  // The decided rows take the form with them when fewer than two are left.
  const tell = use(MessageContext);
  const chosen = rows.filter((row) => picked.includes(row.id));
  const signs = chosen.some((row) => row.signs);
  const approve = async (before: ActionMessage, form: FormData): Promise<ActionMessage> => {
    const { isDecided, message: answer } = await approvePicked(before, form);
    if (!isDecided) return answer;
    setPicked([]);
    setTyped('');
    tell?.(answer);
    return null;
  };
  const signed = useSigned(approve, { purpose: 'approve', signs });
  const { message, submit, pending, asked } = signed;
  return (
    <form action={submit} onSubmit={keepFields(submit)} className="no-print grid gap-3 px-4 py-4">
      <Ticks rows={rows} picked={picked} onPick={setPicked} />
      <Chosen chosen={chosen} balances={balances} />
      <div className="max-w-xs">
        <Field id={`${id}-count`} label={t('typed')}>
          <TextInput
            id={`${id}-count`}
            name="count"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onKeyDown={noEnter}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        {asked === null && <SubmitButton pending={pending}>{t('approve')}</SubmitButton>}
        <span
          role="status"
          className={`text-label font-medium ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
        >
          {pending ? '' : message?.text}
        </span>
      </div>
      {asked !== null && (
        <SignPanel
          asked={asked}
          content={rows.filter((row) => signed.askedIds.includes(row.id))}
          pending={pending}
          onAnswer={signed.answer}
          onKeyAdded={signed.askAgain}
          onCancel={signed.cancel}
        />
      )}
    </form>
  );
}

function Ticks({
  rows,
  picked,
  onPick,
}: {
  rows: Pickable[];
  picked: readonly string[];
  onPick: (picked: readonly string[]) => void;
}): ReactNode {
  const t = useTranslations('approvals.many');
  const locale = useLocale() as Locale;
  const id = useId();
  return rows.map((row) => (
    <Checkbox
      key={row.id}
      id={`${id}-${row.id}`}
      name="pick"
      value={`${row.id} ${row.contentHash}`}
      checked={picked.includes(row.id)}
      onKeyDown={noEnter}
      onChange={(event) =>
        onPick(
          event.target.checked ? [...picked, row.id] : picked.filter((other) => other !== row.id),
        )
      }
      label={t('row', {
        name: row.name,
        amount: formatMoney(row.amount, row.currency, locale),
      })}
    />
  ));
}

/** How many are ticked, their sum, and what each paying wallet holds after them. */
function Chosen({
  chosen,
  balances,
}: {
  chosen: readonly Pickable[];
  balances: readonly BalanceAfter[];
}): ReactNode {
  const t = useTranslations('approvals.many');
  const locale = useLocale() as Locale;
  const money = (amount: string, currency: string): string => formatMoney(amount, currency, locale);
  return (
    <div className="grid gap-1 text-body tabular-nums" aria-live="polite">
      <p className="font-medium">
        {t('chosen', { count: chosen.length, max: MANY_MAX })}
        {sumsOf(chosen).map(({ currency, amount }) => (
          <span key={currency}> · {money(amount, currency)}</span>
        ))}
      </p>
      {balancesAfterPicked(balances, chosen).map(({ number, name, currency, available, after }) => (
        <p key={number} className={after.startsWith('-') ? 'text-failed' : 'text-muted'}>
          {t('after', {
            name,
            available: money(available, currency),
            after: money(after, currency),
          })}
        </p>
      ))}
    </div>
  );
}
