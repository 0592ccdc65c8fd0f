'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import type { Locale } from '#lib/values/locale.ts';
import { shownAccount } from '#lib/values/iban.ts';
import { formatMoney } from '#lib/values/money.ts';
import { AddKey } from './add-key.tsx';
import { AnswerForm } from './answer-form.tsx';
import type { StepUpAnswer } from './step-up-answer.ts';

/** What is signed, as the page shows it. */
export type Signed = { name: string; payee: string; amount: string; currency: string };

/** Shows what is signed: amount, name and account of each payment; then the ways to sign it. */
export function SignPanel({
  asked,
  content,
  pending,
  onAnswer,
  onKeyAdded,
  onCancel,
}: {
  asked: AskedStepUp;
  content: Signed[];
  pending: boolean;
  onAnswer: (answer: StepUpAnswer) => void;
  onKeyAdded: () => void;
  onCancel: () => void;
}): ReactNode {
  const t = useTranslations('stepUp');
  const locale = useLocale() as Locale;
  const title = useId();
  return (
    <div
      role="group"
      aria-labelledby={title}
      className="grid max-w-xl gap-4 rounded-panel border border-control bg-raised p-4"
    >
      <h3 id={title} className="text-body font-semibold">
        {t('title')}
      </h3>
      <ul className="grid gap-3">
        {content.map((one) => (
          <li key={`${one.name} ${one.payee} ${one.amount}`} className="grid min-w-0 gap-0.5">
            <span className="text-section font-semibold">
              {formatMoney(one.amount, one.currency, locale)}
            </span>
            <span className="text-body break-words">{one.name}</span>
            <span className="font-mono text-mono break-words">{shownAccount(one.payee)}</span>
          </li>
        ))}
      </ul>
      <AnswerForm
        key={asked.challengeId}
        asked={asked}
        button={t('sign')}
        pending={pending}
        onAnswer={onAnswer}
      />
      {asked.passkey === null && asked.canAddKey && (
        <div className="grid gap-2 border-t border-hairline pt-3">
          <p className="text-body">{t('firstKey')}</p>
          <AddKey onAdded={onKeyAdded} />
        </div>
      )}
      {asked.passkey === null && !asked.canAddKey && (
        <p className="text-body font-medium">{t(asked.signIn ? 'noNameCode' : 'noName')}</p>
      )}
      <div>
        <Button look="ghost" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  );
}
