'use client';

import { useTranslations } from 'next-intl';
import { useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import { askAboutMovement, cancelOwnMovement } from '#app/movements/actions.ts';
import { Button } from '#components/ui/button.tsx';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { useProblemWords } from './problem-words.ts';

/** What a person can do about an open operation; none of it sends money. */
export function OperationActions({
  id,
  can,
}: {
  id: string;
  can: { ask: boolean; cancel: boolean };
}): ReactNode {
  const t = useTranslations('cardDialogs');
  const problem = useProblemWords();
  const [message, setMessage] = useState('');
  const [pending, start] = useTransition();
  const run = (
    what: 'asked' | 'cancelled',
    action: (id: string) => Promise<{ kind: 'done' } | ActionProblem>,
  ): void => {
    if (pending) return;
    start(async () => {
      const answer = await action(id).catch(() => ({ kind: 'unreachable' }) as const);
      setMessage(
        answer.kind === 'done'
          ? t(`done.${what}`)
          : answer.kind === 'unreachable'
            ? t('unreachable')
            : problem(answer),
      );
    });
  };
  return (
    <div className="no-print grid shrink-0 content-start justify-items-end gap-1.5">
      <div className="flex flex-wrap justify-end gap-2">
        {can.cancel && (
          <Button aria-disabled={pending} onClick={() => run('cancelled', cancelOwnMovement)}>
            {t('cancel')}
          </Button>
        )}
        {can.ask && (
          <Button aria-disabled={pending} onClick={() => run('asked', askAboutMovement)}>
            {t('ask')}
          </Button>
        )}
      </div>
      <p role="status" className="text-label font-medium empty:hidden">
        {message}
      </p>
    </div>
  );
}
