'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { amountInWords } from '#lib/amount-in-words.ts';
import { groupIban } from '#lib/iban.ts';
import { OVERRIDE_REASONS } from '#lib/payouts/schema.ts';
import { useFormWords } from './form-words.ts';
import type { FormFacts, PayoutFormState } from './use-payout-form.ts';

/** The same form, read-only: what will be sent, exactly. Money goes only by this button, never by Enter in a field. */
export function PayoutReview({ form, types, now }: { form: PayoutFormState; types: FormFacts['types']; now: string }): ReactNode {
  const t = useTranslations('newPayout.review');
  const { money, locale } = useFormWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { content } = form.read;
  const { wallet } = form;
  if (content.amountMinor === undefined || content.iban === undefined || content.name === undefined || wallet === null) return null;
  const type = types.find((one) => one.code === content.paymentType);
  const amount = money(content.amountMinor, wallet.currency);
  const iban = groupIban(content.iban);
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-panel border border-hairline bg-surface p-4 wrap-anywhere sm:p-6">
      <h2 ref={heading} tabIndex={-1} className="text-section font-semibold outline-none">{t('title')}</h2>
      <div className="grid gap-1">
        <p className="text-display font-semibold tabular-nums">{amount}</p>
        <p className="text-body text-muted">{amountInWords(content.amountMinor, wallet.currency, locale)}</p>
      </div>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2.5 text-body sm:grid-cols-[9rem_minmax(0,1fr)]">
        <Line label={t('recipient')}><span className="font-semibold break-words">{content.name}</span></Line>
        <Line label={t('iban')}><span className="font-mono text-mono font-medium">{iban}</span></Line>
        <Line label={t('tax')}><span className="font-mono text-mono">{content.taxNumber}</span></Line>
        <Line label={t('from')}>{wallet.name} <span className="font-mono text-mono text-muted">{wallet.number}</span></Line>
        <Line label={t('type')}>{type === undefined ? content.paymentType : `${type.code} · ${type.description}`}</Line>
        <Line label={t('description')}>{content.description === undefined || content.description === '' ? t('none') : <span className="break-words">{content.description}</span>}</Line>
        <Overrides form={form} now={now} />
        <Line label={t('approval')}>{t('approvalNone')}</Line>
      </dl>
      <p className="text-body font-medium">{t('sentence', { name: content.name, iban })}</p>
      <Decision form={form} amount={amount} />
    </section>
  );
}

function Decision({ form, amount }: { form: PayoutFormState; amount: string }): ReactNode {
  const t = useTranslations('newPayout.review');
  const waiting = form.waitSeconds > 0;
  const closed = form.sending || waiting || !form.clean;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap justify-between gap-3 sm:justify-start">
        <Button aria-disabled={form.sending} onClick={() => { if (!form.sending) form.setStep('edit'); }}>{t('edit')}</Button>
        {/* Kept focusable while it is closed: a countdown takes nobody's focus away. */}
        <Button look="primary" aria-disabled={closed} onClick={() => { if (!closed) form.send(); }} className="min-w-44 tabular-nums">
          {form.sending ? t('sending') : t('send', { amount })}
        </Button>
      </div>
      <p className="min-h-4 text-label text-attention tabular-nums">{waiting ? t('wait', { seconds: form.waitSeconds }) : form.clean || form.sending ? '' : t('changed')}</p>
    </div>
  );
}

function Overrides({ form, now }: { form: PayoutFormState; now: string }): ReactNode {
  const t = useTranslations('newPayout.review');
  const reasons = useTranslations('payoutErrors.reasons');
  const { finding: words } = useFormWords();
  if (form.warnings.length === 0) return null;
  const chip = OVERRIDE_REASONS.find((reason) => reason === form.reason);
  return (
    <>
      <Line label={t('overrides')}><ul className="grid gap-1">{form.warnings.map((finding) => <li key={`${finding.code}-${finding.movementId ?? ''}`} className="text-attention">{words(finding, now)}</li>)}</ul></Line>
      <Line label={t('reason')}><span className="break-words">{chip ? reasons(chip) : form.reason}</span></Line>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-label leading-5 font-medium text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere max-sm:-mt-2">{children}</dd>
    </div>
  );
}
