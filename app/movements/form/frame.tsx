'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { PressButton } from '#components/ui/press-button.tsx';
import { blocking } from '#lib/payouts/rules.ts';
import { ProblemBanner, SignInOver } from './form-problem.tsx';
import type { List } from './form-problem.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm } from './money-form.ts';
import { Summary } from './summary.tsx';
import { useFormStart } from './use-form-start.ts';

type Props<Field extends string> = {
  form: MoneyForm & { touch(field: Field): void };
  fields: readonly Field[];
  list: List;
  now: string;
  loginWords: LoginWords;
  /** Stands under the summary while the form is filled in. */
  note?: ReactNode;
  /** The form's sections, or the review. */
  children: ReactNode;
};

/**
 * The form and its review on one page. Enter goes on to the review; only the button with the amount
 * sends.
 */
export function FormFrame<Field extends string>({
  form,
  fields,
  list,
  now,
  loginWords,
  note,
  children,
}: Props<Field>): ReactNode {
  const t = useTranslations('newPayout');
  const box = useRef<HTMLFormElement>(null);
  useFormStart(box, form.typed, (found) => {
    for (const [field, text] of Object.entries(found)) form.type(field as 'amount', text);
  });
  const [looked, setLooked] = useState(0);
  const [signingIn, setSigningIn] = useState(false);
  const isSignedOut = form.problem?.kind === 'signed_out';
  useEffect(() => setSigningIn(isSignedOut), [isSignedOut]);
  // After the errors are drawn, the first field with one gets the focus.
  useEffect(() => {
    if (looked > 0) firstObstacle(form, fields)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per review
  }, [looked]);
  const review = (event: FormEvent): void => {
    event.preventDefault();
    if (form.step !== 'edit') return;
    if (form.clean) return form.setStep('review');
    for (const field of fields) form.touch(field);
    setLooked((before) => before + 1);
  };
  return (
    <>
      <form
        ref={box}
        onSubmit={review}
        noValidate
        aria-label={t('title')}
        className="grid items-start gap-5 lg:grid-cols-[minmax(0,45rem)_minmax(20rem,22.5rem)]"
      >
        <div className="@container grid min-w-0 gap-3">
          <ProblemBanner form={form} list={list} onSignIn={() => setSigningIn(true)} />
          {children}
        </div>
        <aside
          aria-label={t('summary.title')}
          className="sticky top-16 grid gap-4 rounded-panel border border-hairline bg-surface p-4 max-lg:hidden"
        >
          <h2 className="text-section font-semibold">{t('summary.title')}</h2>
          <Summary form={form} now={now} />
          {form.step === 'edit' && <ReviewButton form={form} looked={looked} />}
          {form.step === 'edit' && note}
        </aside>
        <BottomBar form={form} now={now} looked={looked} />
      </form>
      <SignInOver
        form={form}
        open={signingIn}
        onClose={() => setSigningIn(false)}
        loginWords={loginWords}
      />
    </>
  );
}

const BOTTOM_BAR =
  'sticky bottom-14 z-10 -mx-4 grid gap-2 border-t border-hairline bg-surface px-4 py-2 ' +
  'sm:-mx-6 sm:px-6 lg:hidden';

/** The summary below 1024 px: a bar that opens. */
function BottomBar({
  form,
  now,
  looked,
}: {
  form: MoneyForm;
  now: string;
  looked: number;
}): ReactNode {
  const t = useTranslations('newPayout.summary');
  const { money } = useFormWords();
  const { amount } = form.sums;
  return (
    <aside aria-label={t('title')} className={BOTTOM_BAR}>
      <details>
        <summary className="flex min-h-11 items-center justify-between gap-3">
          <span className="font-medium">{t('open')}</span>
          <span className="font-semibold tabular-nums">
            {amount === null ? '–' : money(amount, form.wallet?.currency ?? 'TRY')}
          </span>
        </summary>
        <div className="max-h-[60dvh] overflow-auto py-2">
          <Summary form={form} now={now} />
        </div>
      </details>
      {form.step === 'edit' && <ReviewButton form={form} looked={looked} />}
    </aside>
  );
}

function ReviewButton({ form, looked }: { form: MoneyForm; looked: number }): ReactNode {
  const t = useTranslations('newPayout');
  const errors = Object.keys(form.read.errors).length;
  const words =
    looked === 0 || form.clean
      ? ''
      : errors > 0
        ? t('problems.errors', { count: errors })
        : blocking(form.findings).length > 0
          ? t('problems.blocked')
          : t('problems.reasons');
  return (
    <div className="grid gap-1">
      <PressButton type="submit" look="primary">
        {t('review.go')}
      </PressButton>
      <p role="status" className="min-h-4 text-label font-medium text-failed">
        {words}
      </p>
    </div>
  );
}

/** The control of the first field that keeps the form from continuing. */
function firstObstacle(form: MoneyForm, fields: readonly string[]): HTMLElement | null {
  const errors: Record<string, unknown> = form.read.errors;
  const field =
    fields.find((name) => errors[name] !== undefined) ?? blocking(form.findings)[0]?.field;
  if (field !== undefined) return document.getElementById(controlId(field));
  const unticked = form.warnings.findIndex((finding) => !form.isTicked(finding));
  if (unticked >= 0)
    return document.getElementById(
      unticked === 0 ? controlId('overrides') : `${controlId('overrides')}-${unticked}`,
    );
  return form.reasonError === null ? null : document.getElementById(controlId('overrideReason'));
}
