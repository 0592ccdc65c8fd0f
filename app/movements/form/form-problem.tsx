'use client';

import { useTranslations } from 'next-intl';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { reopenLive } from '#components/live-stream.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { mayBeStored } from './money-form.ts';
import type { FormProblem, MoneyForm } from './money-form.ts';

const SignInSheet = lazy(async () => ({
  default: (await import('#app/login/sign-in-sheet.tsx')).SignInSheet,
}));

/** The list of the form's movement kind. */
export type List = '/payouts' | '/transfers';

/** Why nothing was sent, or why that is not known. What was typed stays in every case, also through a new sign-in. */
export function ProblemBanner({
  form,
  list,
  onSignIn,
}: {
  form: MoneyForm;
  list: List;
  onSignIn: () => void;
}): ReactNode {
  const t = useTranslations('newPayout.problems');
  const { problem } = form;
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Of wrong fields the first one has the focus, which brings it into view.
    if (problem !== null && problem.kind !== 'fields' && problem.kind !== 'findings')
      banner.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  if (problem === null) return null;
  return (
    <div role="alert" ref={banner}>
      <Banner
        tone={mayBeStored(problem) ? 'unknown' : 'attention'}
        title={t(mayBeStored(problem) ? 'unknownTitle' : 'title')}
        actions={<WaysOut problem={problem} list={list} onSignIn={onSignIn} />}
      >
        <ProblemText problem={problem} />
      </Banner>
    </div>
  );
}

function ProblemText({ problem }: { problem: FormProblem }): ReactNode {
  const t = useTranslations('newPayout.problems');
  const refusals = useTranslations('refusals');
  switch (problem.kind) {
    case 'fields':
      return t('errors', { count: Object.keys(problem.errors).length });
    case 'findings':
    case 'unreachable':
    case 'outdated':
      return t(problem.kind);
    case 'signed_out':
      return refusals('signed_out');
    case 'refused':
      return refusals(problem.code, problem.params);
    case 'failed':
      return refusals('failed', { errorId: problem.errorId });
  }
}

function WaysOut({
  problem,
  list,
  onSignIn,
}: {
  problem: FormProblem;
  list: List;
  onSignIn: () => void;
}): ReactNode {
  const t = useTranslations('newPayout.problems');
  const link = 'inline-flex min-h-6 items-center font-medium underline underline-offset-2';
  if (problem.kind === 'signed_out') return <Button onClick={onSignIn}>{t('signIn')}</Button>;
  if (problem.kind !== 'refused') return null;
  const { id } = problem.params;
  if (problem.code === 'same_id_other_content' || problem.code === 'already_paid_again') {
    return (
      <>
        {typeof id === 'string' && (
          <Link className={link} href={`${list}/${id}`}>
            {t('openPayout')}
          </Link>
        )}
        <a className={link} href={`${list}/new`}>
          {t('newForm')}
        </a>
      </>
    );
  }
  return null;
}

/**
 * The sign-in sheet over a money form. The sheet stands beside the form, not in it: submitting a
 * nested form would submit the outer form too.
 */
export function SignInOver({
  form,
  open,
  onClose,
  loginWords,
}: {
  form: MoneyForm;
  open: boolean;
  onClose: () => void;
  loginWords: LoginWords;
}): ReactNode {
  const done = (): void => {
    form.signedInAgain();
    reopenLive();
    onClose();
  };
  return (
    <Suspense>
      {open && <SignInSheet open words={loginWords} onClose={onClose} onDone={done} />}
    </Suspense>
  );
}
