'use client';

import { useTranslations } from 'next-intl';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { reopenLive } from '#components/live-stream.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import type { PayoutView } from '#lib/payouts/view-model.ts';
import type { ReadProblem } from './read-payout.ts';
import { useWriting } from './words.ts';

const SignInSheet = lazy(async () => ({ default: (await import('#app/login/sign-in-sheet.tsx')).SignInSheet }));

type Props = { view: PayoutView; problem: ReadProblem | null; databaseDown: boolean; loginWords: LoginWords; onRetry: () => void };

/** What is shown stays; this says how old it is and why it was not read again. */
export function FreshnessProblem({ view, problem, databaseDown, loginWords, onRetry }: Props): ReactNode {
  const t = useTranslations('payout.freshness');
  const { time } = useWriting();
  const [signingIn, setSigningIn] = useState(false);
  if (problem === null && !databaseDown) return null;
  const at = time(view.now, view.now);
  const afterSignIn = (): void => {
    setSigningIn(false);
    reopenLive();
    onRetry();
  };
  if (databaseDown) return <Banner tone="attention" live>{t('database', { at })}</Banner>;
  if (problem === 'signed_out') {
    return (
      <Banner tone="attention" live actions={<Button onClick={() => setSigningIn(true)}>{t('signIn')}</Button>}>
        {t('signedOut', { at })}
        <Suspense>{signingIn && <SignInSheet open words={loginWords} onDone={afterSignIn} onClose={() => setSigningIn(false)} />}</Suspense>
      </Banner>
    );
  }
  if (problem === 'outdated') return <Banner tone="attention" live actions={<Button onClick={() => location.reload()}>{t('reload')}</Button>}>{t('outdated', { at })}</Banner>;
  return <Banner tone="attention" live actions={<Button onClick={onRetry}>{t('retry')}</Button>}>{t('failed', { at })}</Banner>;
}
