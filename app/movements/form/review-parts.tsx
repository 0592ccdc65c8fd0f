'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { MONEY_ROW, MoneyButton } from '#components/ui/money-button.tsx';
import { OVERRIDE_REASONS } from '#lib/form-fields/money-form.ts';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { amountInWords } from '#lib/values/amount-in-words.ts';
import { useFormWords } from './form-words.ts';
import type { MoneyForm, PaymentChoice } from './money-form.ts';

/**
 * Only this button sends money, never Enter in a field. `foreseen`: who has to approve it before it
 * is sent; null where nobody has to.
 */
export function Decision({
  form,
  amount,
  foreseen,
}: {
  form: MoneyForm;
  amount: string;
  foreseen: Foreseen | null;
}): ReactNode {
  const t = useTranslations('newPayout.review');
  const words = useTranslations('foreseen');
  const waiting = form.waitSeconds > 0;
  const closed = form.clean
    ? waiting
      ? t('wait', { seconds: form.waitSeconds })
      : null
    : t('changed');
  return (
    <div className={`${MONEY_ROW} justify-between sm:justify-start`}>
      <Button
        aria-disabled={form.sending}
        onClick={() => {
          if (!form.sending) form.setStep('edit');
        }}
      >
        {t('edit')}
      </Button>
      <MoneyButton
        look="primary"
        closed={form.sending ? null : closed}
        busy={form.sending}
        onClick={form.send}
        className="min-w-44 tabular-nums"
      >
        {form.sending ? t('sending') : foreseen === null ? t('send', { amount }) : words('submit')}
      </MoneyButton>
    </div>
  );
}

/** The ticked warnings with their reason, and those that arrived since. */
export function Overrides({ form, now }: { form: MoneyForm; now: string }): ReactNode {
  const t = useTranslations('newPayout.review');
  const reasons = useTranslations('payoutErrors.reasons');
  const { finding: words } = useFormWords();
  if (form.warnings.length === 0) return null;
  const chip = OVERRIDE_REASONS.find((reason) => reason === form.reason);
  const ticked = form.warnings.filter(form.isTicked);
  const fresh = form.warnings.filter((finding) => !form.isTicked(finding));
  const list = (findings: MoneyForm['warnings']): ReactNode => (
    <ul className="grid gap-1">
      {findings.map((finding) => (
        <li key={`${finding.code}-${finding.movementId ?? ''}`} className="text-attention">
          {words(finding, now)}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {ticked.length > 0 && <Line label={t('overrides')}>{list(ticked)}</Line>}
      {ticked.length > 0 && (
        <Line label={t('reason')}>
          <span className="break-words">{chip ? reasons(chip) : form.reason}</span>
        </Line>
      )}
      {fresh.length > 0 && <Line label={t('newWarnings')}>{list(fresh)}</Line>}
    </>
  );
}

export function AmountShown({
  amountMinor,
  currency,
}: {
  amountMinor: bigint;
  currency: string;
}): ReactNode {
  const { money, locale } = useFormWords();
  return (
    <div className="grid gap-1">
      <p className="text-display font-semibold tabular-nums">{money(amountMinor, currency)}</p>
      <p className="text-body text-muted">{amountInWords(amountMinor, currency, locale)}</p>
    </div>
  );
}

export function PaymentTypeLine({
  code,
  types,
}: {
  code: string | undefined;
  types: readonly PaymentChoice[];
}): ReactNode {
  const t = useTranslations('newPayout.review');
  const type = types.find((one) => one.code === code);
  return (
    <Line label={t('type')}>
      {type === undefined ? code : `${type.code} · ${type.description}`}
    </Line>
  );
}

export function DescriptionLine({ text }: { text: string | undefined }): ReactNode {
  const t = useTranslations('newPayout.review');
  return (
    <Line label={t('description')}>
      {text === undefined || text === '' ? t('none') : <span className="break-words">{text}</span>}
    </Line>
  );
}

export function Line({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-label leading-5 font-medium text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere max-sm:-mt-2">{children}</dd>
    </div>
  );
}
