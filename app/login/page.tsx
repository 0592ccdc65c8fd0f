import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LanguageChoice, ThemeChoice } from '#app/preference-choices.tsx';
import { Mark } from '#components/mark.tsx';
import { currentPerson } from '#lib/login/session.ts';
import { returnPath } from '#lib/login/return-path.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { demoPeople } from './demo-people.ts';
import { LoginForm } from './login-form.tsx';
import { loginWords } from './login-words.ts';
import { WholeWindow } from './whole-window.tsx';

/** Begins at a fixed distance from the top: centred, it would move with each part that arrives. */
const PAGE =
  'grid min-h-dvh content-start justify-items-center bg-canvas px-4 ' +
  'pt-[max(2.5rem,calc(50dvh-17rem))] pb-10';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('login'))('title') };
}

export default async function LoginPage({ searchParams }: PageProps<'/login'>): Promise<ReactNode> {
  const { next } = await searchParams;
  const back = returnPath(next, workspace().origin);
  if (await currentPerson()) redirect(back);
  const t = await getTranslations();
  const { testMode } = workspace();
  const edge = testMode ? 'shadow-[inset_0_3px_0_var(--color-test)]' : '';
  return (
    <main className={`${PAGE} ${edge}`}>
      <WholeWindow />
      <div className="grid w-full max-w-sm gap-5">
        <div className="flex items-center gap-2.5">
          <Mark />
          <p className="text-section">{t('shell.product')}</p>
          {testMode && (
            <span
              title={t('shell.testHint')}
              className="rounded-full bg-attention-ground px-2 py-0.5 text-label font-semibold text-attention"
            >
              {t('shell.test')}
            </span>
          )}
        </div>
        <div className="rounded-panel border border-hairline bg-surface p-5 sm:p-6">
          <LoginForm words={await loginWords()} next={back} heading demo={await demoPeople()} />
        </div>
        <div className="flex flex-wrap justify-between gap-2">
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </div>
    </main>
  );
}
