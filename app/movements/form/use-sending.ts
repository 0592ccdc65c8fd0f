'use client';

import { unstable_rethrow } from 'next/navigation';
import { useRef, useTransition } from 'react';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { FormProblem } from './money-form.ts';

type Given<Finding> = {
  submit: () => Promise<ActionProblem | { kind: 'findings'; findings: Finding[] }>;
  setProblem: (problem: FormProblem | null) => void;
  onFindings: (found: Finding[]) => void;
};

/** Sends through a server action only, once, however often the button is pressed. */
export function useSending<Finding>({ submit, setProblem, onFindings }: Given<Finding>): {
  sending: boolean;
  send: () => void;
} {
  const [sending, start] = useTransition();
  // Not a state: a second press before the next render would pass.
  const underWay = useRef(false);
  const send = (): void => {
    if (underWay.current) return;
    underWay.current = true;
    setProblem(null);
    start(async () => {
      try {
        const answer = await submit();
        underWay.current = false;
        if (answer.kind === 'findings') onFindings(answer.findings);
        setProblem(answer.kind === 'findings' ? { kind: 'findings' } : answer);
      } catch (error) {
        // The redirect to the movement's page is thrown too; the form stays closed behind it.
        unstable_rethrow(error);
        underWay.current = false;
        setProblem({
          kind:
            error instanceof Error && /server action/i.test(error.message)
              ? 'outdated'
              : 'unreachable',
        });
      }
    });
  };
  return { sending, send };
}
