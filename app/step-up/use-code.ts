'use client';

import { useState } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import { sendCode } from './actions.ts';
import type { StepUpAnswer } from './step-up-answer.ts';

/** The password that sends a code, then the code. */
type TypedCode = {
  /** Whether the code was sent, and is typed now. */
  asksCode: boolean;
  typed: string;
  problem: string | null;
  /** A press is under way: another one would send another code. */
  pending: boolean;
  type: (text: string) => void;
  goOn: () => Promise<void>;
};

const CODE = /^\d{4,8}$/;

/**
 * What a person types to answer a challenge. `answering`: the answer that was given is being checked.
 * `missing`: what is said when no code is typed.
 */
export function useCode(
  challengeId: string,
  { answering, missing }: { answering: boolean; missing: string },
  onAnswer: (answer: StepUpAnswer) => void,
): TypedCode {
  const [secret, setSecret] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const pending = sending || answering;

  const send = async (): Promise<void> => {
    setSending(true);
    try {
      const sent = await orUnanswered(sendCode({ challengeId, password: typed }), 'again');
      if (sent.ok) {
        setTyped('');
        setSecret(sent.value);
      } else setProblem(sent.text);
    } finally {
      setSending(false);
    }
  };
  const goOn = async (): Promise<void> => {
    if (pending) return;
    setProblem(null);
    if (secret === null) return send();
    const code = typed.replace(/\s/g, '');
    if (CODE.test(code)) onAnswer({ challengeId, secret, code });
    else setProblem(missing);
  };
  return { asksCode: secret !== null, typed, problem, pending, type: setTyped, goOn };
}
