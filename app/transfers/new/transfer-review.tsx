'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { ForeseenLine } from '#app/movements/form/foreseen-line.tsx';
import { useFormWords } from '#app/movements/form/form-words.ts';
import type { PaymentChoice } from '#app/movements/form/money-form.ts';
import {
  AmountShown,
  Decision,
  DescriptionLine,
  Line,
  Overrides,
  PaymentTypeLine,
} from '#app/movements/form/review-parts.tsx';
import { useForeseen } from '#app/movements/form/use-foreseen.ts';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { REVIEW_PANEL } from '#components/ui/classes.ts';
import { shownKey } from '#lib/values/person-key.ts';
import type { TransferFormState } from './use-transfer-form.ts';

/** The same form, read-only: exactly what will be sent. */
export function TransferReview({
  form,
  types,
  now,
}: {
  form: TransferFormState;
  types: readonly PaymentChoice[];
  now: string;
}): ReactNode {
  const t = useTranslations('newPayout.review');
  const { money } = useFormWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const {
    read: { content, key },
    wallet,
    receiver,
    person: { person },
  } = form;
  const foreseen = useTransferForeseen(form);
  if (content.amountMinor === undefined || content.toWallet === undefined || wallet === null)
    return null;
  const name = receiver?.name ?? content.name ?? '';
  const amount = money(content.amountMinor, wallet.currency);
  return (
    <section className={REVIEW_PANEL}>
      <h2 ref={heading} tabIndex={-1} className="text-section font-semibold outline-none">
        {t('title')}
      </h2>
      <AmountShown amountMinor={content.amountMinor} currency={wallet.currency} />
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2.5 text-body sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Line label={t('recipient')}>
          <span className="font-semibold break-words">{name}</span>
        </Line>
        {key !== null && person?.kind === 'found' && (
          <>
            <Line label={t(key.by)}>
              <span className="font-mono text-mono">{shownKey(key)}</span>
            </Line>
            <Line label={t('masked')}>{person.name ?? t('none')}</Line>
          </>
        )}
        <Line label={t('toWallet')}>
          <span className="font-mono text-mono font-medium">{content.toWallet}</span>
        </Line>
        <Line label={t('from')}>
          {wallet.name} <span className="font-mono text-mono text-muted">{wallet.number}</span>
        </Line>
        {content.kind !== 'transfer_own' && (
          <PaymentTypeLine code={content.paymentType} types={types} />
        )}
        <DescriptionLine text={content.description} />
        <Overrides form={form} now={now} />
      </dl>
      <p className="text-body font-medium">{t('sentence', { name, wallet: content.toWallet })}</p>
      <ForeseenLine foreseen={foreseen} />
      <Decision form={form} amount={amount} foreseen={foreseen} />
    </section>
  );
}

/** Who has to approve the transfer; what is typed does not change while the review is open. */
function useTransferForeseen({
  facts,
  read: { content },
  wallet,
  receiver,
}: TransferFormState): Foreseen | null {
  const { kind, amountMinor, toWallet } = content;
  const isComplete =
    kind !== undefined && amountMinor !== undefined && toWallet !== undefined && wallet !== null;
  return useForeseen(
    isComplete
      ? {
          id: facts.id,
          kind,
          wallet: wallet.number,
          iban: '',
          toWallet,
          name: receiver?.name ?? content.name ?? '',
          amountMinor: amountMinor.toString(),
          currency: wallet.currency,
          retryOf: facts.retryOf,
        }
      : null,
  );
}
