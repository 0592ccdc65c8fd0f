'use client';

import { unstable_rethrow } from 'next/navigation';
import { useRef, useTransition } from 'react';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { FormProblem } from './money-form.ts';

/** What a server action returns that stores a movement; success is a redirect. */
export type MoneyAnswer<Found> = ActionProblem | { kind: 'findings'; findings: Found[] };

/**
 * Sends through a server action only, once, however often the button is pressed. The form stays
 * closed until `onAnswer` has ended.
 */
export function useOnce<Answer>({
  onStart,
  submit,
  onAnswer,
  onFault,
}: {
  onStart?: () => void;
  submit: () => Promise<Answer>;
  onAnswer: (answer: Answer) => void | Promise<void>;
  onFault: (error: unknown) => void;
}): { sending: boolean; send: () => void } {
  const [sending, start] = useTransition();
  // Not a state: a second press before the next render would pass.
  const underWay = useRef(false);
  const send = (): void => {
    if (underWay.current) return;
    underWay.current = true;
    onStart?.();
    start(async () => {
      try {
        await onAnswer(await submit());
        underWay.current = false;
      } catch (error) {
        // The redirect to the movement's page is thrown too; the form stays closed behind it.
        unstable_rethrow(error);
        underWay.current = false;
        onFault(error);
      }
    });
  };
  return { sending, send };
}

/** Sends a payout or a transfer. */
export function useSending<Found>({
  submit,
  setProblem,
  onFindings,
}: {
  submit: () => Promise<MoneyAnswer<Found>>;
  setProblem: (problem: FormProblem | null) => void;
  onFindings: (found: Found[]) => void;
}): { sending: boolean; send: () => void } {
  return useOnce({
    onStart: () => setProblem(null),
    submit,
    onAnswer: (answer) => {
      if (answer.kind === 'findings') onFindings(answer.findings);
      setProblem(answer.kind === 'findings' ? { kind: 'findings' } : answer);
    },
    onFault: (error) =>
      setProblem({
        kind:
          error instanceof Error && /server action/i.test(error.message)
            ? 'outdated'
            : 'unreachable',
      }),
  });
}
