'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { Button } from '#components/ui/button.tsx';
import type { KnownRecipient } from '#lib/recipients/known.ts';
import { blocking } from '#lib/payouts/rules.ts';
import { PAYOUT_FIELDS } from '#lib/payouts/schema.ts';
import { AmountBlock } from './amount-block.tsx';
import { Block } from './block.tsx';
import { ProblemBanner, SignInOver } from './form-problem.tsx';
import { controlId, useFormWords } from './form-words.ts';
import { OverridesBlock } from './overrides-block.tsx';
import { PayoutReview } from './payout-review.tsx';
import { PayoutSummary } from './payout-summary.tsx';
import { PurposeBlock } from './purpose-block.tsx';
import { RecipientBlock } from './recipient-block.tsx';
import { usePayoutForm } from './use-payout-form.ts';
import type { FormFacts, PayoutFormState } from './use-payout-form.ts';
import { WalletBlock } from './wallet-block.tsx';

type Props = { facts: FormFacts; known: KnownRecipient[]; lastUsed: string | null; loginWords: LoginWords };

/** One page, five parts, then a look at the whole. Enter goes on to the look; only the button with the amount sends. */
export function PayoutForm({ facts, known, lastUsed, loginWords }: Props): ReactNode {
  const t = useTranslations('newPayout');
  const form = usePayoutForm(facts);
  const now = form.recipient.answer?.at ?? facts.now;
  const [looked, setLooked] = useState(0);
  const [signingIn, setSigningIn] = useState(false);
  const isSignedOut = form.problem?.kind === 'signed_out';
  useEffect(() => setSigningIn(isSignedOut), [isSignedOut]);
  // After the errors are drawn, the first of them gets the focus.
  useEffect(() => {
    if (looked > 0) firstObstacle(form)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per look, whatever is typed meanwhile
  }, [looked]);
  const review = (event: FormEvent): void => {
    event.preventDefault();
    if (form.step !== 'edit') return;
    if (form.clean) return form.setStep('review');
    for (const field of PAYOUT_FIELDS) form.touch(field);
    setLooked((before) => before + 1);
  };
  return (
    <>
      <form onSubmit={review} noValidate aria-label={t('title')} className="grid items-start gap-5 lg:grid-cols-[minmax(0,35rem)_minmax(20rem,22.5rem)]">
        <div className="grid min-w-0 gap-4">
          <ProblemBanner form={form} onSignIn={() => setSigningIn(true)} />
          {form.step === 'review' ? <PayoutReview form={form} types={facts.types} now={now} /> : (
            <>
              <WalletBlock form={form} lastUsed={lastUsed} />
              <RecipientBlock form={form} known={known} />
              <AmountBlock form={form} />
              <PurposeBlock form={form} types={facts.types} />
              <Block number={5} title={t('blocks.when')} done>
                <p><span className="font-medium">{t('when.now')}.</span> <span className="text-muted">{t('when.text')}</span></p>
              </Block>
              <OverridesBlock form={form} now={now} />
            </>
          )}
        </div>
        <aside aria-label={t('summary.title')} className="sticky top-16 grid gap-4 rounded-panel border border-hairline bg-surface p-4 max-lg:hidden">
          <h2 className="text-section font-semibold">{t('summary.title')}</h2>
          <PayoutSummary form={form} now={now} />
          {form.step === 'edit' && <ReviewButton form={form} looked={looked} />}
        </aside>
        <BottomBar form={form} now={now} looked={looked} />
      </form>
      <SignInOver form={form} open={signingIn} onClose={() => setSigningIn(false)} loginWords={loginWords} />
    </>
  );
}

/** Below 1024 px the summary is a bar that opens. */
function BottomBar({ form, now, looked }: { form: PayoutFormState; now: string; looked: number }): ReactNode {
  const t = useTranslations('newPayout.summary');
  const { money } = useFormWords();
  const { amount } = form.sums;
  return (
    <aside aria-label={t('title')} className="sticky bottom-14 z-10 -mx-4 grid gap-2 border-t border-hairline bg-surface px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden">
      <details>
        <summary className="flex min-h-11 items-center justify-between gap-3">
          <span className="font-medium">{t('open')}</span>
          <span className="font-semibold tabular-nums">{amount === null ? '–' : money(amount, form.wallet?.currency ?? 'TRY')}</span>
        </summary>
        <div className="max-h-[60dvh] overflow-auto py-2"><PayoutSummary form={form} now={now} /></div>
      </details>
      {form.step === 'edit' && <ReviewButton form={form} looked={looked} />}
    </aside>
  );
}

function ReviewButton({ form, looked }: { form: PayoutFormState; looked: number }): ReactNode {
  const t = useTranslations('newPayout');
  const errors = Object.keys(form.read.errors).length;
  const words = looked === 0 || form.clean ? '' : errors > 0 ? t('problems.errors', { count: errors }) : blocking(form.findings).length > 0 ? t('problems.blocked') : t('problems.reasons');
  return (
    <div className="grid gap-1">
      <Button type="submit" look="primary">{t('review.go')}</Button>
      <p role="status" className="min-h-4 text-label font-medium text-failed">{words}</p>
    </div>
  );
}

/** The control of the first thing that keeps the form from going on. */
function firstObstacle(form: PayoutFormState): HTMLElement | null {
  const field = PAYOUT_FIELDS.find((name) => form.read.errors[name] !== undefined) ?? blocking(form.findings)[0]?.field;
  if (field !== undefined) return document.getElementById(controlId(field));
  const unticked = form.warnings.findIndex((finding) => !form.isTicked(finding));
  if (unticked >= 0) return document.getElementById(unticked === 0 ? controlId('overrides') : `${controlId('overrides')}-${unticked}`);
  return form.reasonError === null ? null : document.getElementById(controlId('overrideReason'));
}
