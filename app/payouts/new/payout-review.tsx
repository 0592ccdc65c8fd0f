'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { REVIEW_PANEL } from '#components/ui/classes.ts';
import { groupIban } from '#lib/values/iban.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import { ForeseenLine } from '#app/movements/form/foreseen-line.tsx';
import { useFormWords } from '#app/movements/form/form-words.ts';
import {
  AmountShown,
  Decision,
  DescriptionLine,
  Line,
  Overrides,
  PaymentTypeLine,
} from '#app/movements/form/review-parts.tsx';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import type { FormFacts, PayoutFormState } from './use-payout-form.ts';

/** The same form, read-only: exactly what will be sent. */
export function PayoutReview({
  form,
  foreseen,
  types,
  now,
}: {
  form: PayoutFormState;
  /** Who has to approve it; null when nobody has to. */
  foreseen: Foreseen | null;
  types: FormFacts['types'];
  now: string;
}): ReactNode {
  const t = useTranslations('newPayout.review');
  const { money } = useFormWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { content } = form.read;
  const { wallet } = form;
  if (
    content.amountMinor === undefined ||
    content.iban === undefined ||
    content.name === undefined ||
    wallet === null
  )
    return null;
  const amount = money(content.amountMinor, wallet.currency);
  const iban = groupIban(content.iban);
  return (
    <section className={REVIEW_PANEL}>
      <h2 ref={heading} tabIndex={-1} className="text-section font-semibold outline-none">
        {t('title')}
      </h2>
      <AmountShown amountMinor={content.amountMinor} currency={wallet.currency} />
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2.5 text-body sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Line label={t('recipient')}>
          <span className="font-semibold break-words">{content.name}</span>
        </Line>
        <Line label={t('iban')}>
          <span className="font-mono text-mono font-medium">{iban}</span>
        </Line>
        <Line label={t('tax')}>
          <span className="font-mono text-mono">{content.taxNumber}</span>
        </Line>
        {content.phone !== undefined && (
          <Line label={t('phone')}>
            <span className="font-mono text-mono">+{content.phone}</span>
          </Line>
        )}
        <Line label={t('from')}>
          {wallet.name}
          {wallet.number !== CARD_BALANCE && (
            <>
              {' '}
              <span className="font-mono text-mono text-muted">{wallet.number}</span>
            </>
          )}
        </Line>
        {content.paymentType !== '' && <PaymentTypeLine code={content.paymentType} types={types} />}
        <DescriptionLine text={content.description} />
        <Overrides form={form} now={now} />
      </dl>
      <p className="text-body font-medium">{t('sentence', { name: content.name, iban })}</p>
      <ForeseenLine foreseen={foreseen} />
      <Decision form={form} amount={amount} foreseen={foreseen} />
    </section>
  );
}
