'use client';

import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { orUnanswered } from '#components/unanswered.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { askForKey, finishKey, startKey } from './actions.ts';
import type { AllowedKey } from './actions.ts';
import type { StepUpAnswer } from './step-up-answer.ts';

/** `asked`: who the person is. `allowed`: the answer counts, and the browser has to make the key. */
type NewKeyStep =
  | { at: 'start' }
  | { at: 'asked'; asked: AskedStepUp }
  | { at: 'allowed'; allowed: AllowedKey };

type Message = { ok: boolean; text: string } | null;
/** What a press has led to. */
type Result = { step: NewKeyStep; message: Message };

const START: NewKeyStep = { at: 'start' };

export type NewKey = {
  step: NewKeyStep;
  message: Message;
  pending: boolean;
  begin: () => Promise<void>;
  answer: (given: StepUpAnswer) => Promise<void>;
  /** Has the browser make the key that is allowed: again, where it made none before. */
  make: () => Promise<void>;
  leave: () => void;
};

/**
 * The steps to a new passkey. An answer that was refused begins them anew, unless the same code may be
 * typed again; an answer that counted stays good for as many tries of the browser as its time allows,
 * so that nobody needs another code because they closed the browser's window.
 */
export function useNewKey(
  label: string,
  words: { notMade: string; added: string },
  onAdded: () => void,
): NewKey {
  const [step, setStep] = useState<NewKeyStep>(START);
  const [message, setMessage] = useState<Message>(null);
  const [pending, setPending] = useState(false);

  const run = async (work: () => Promise<Result>): Promise<void> => {
    if (pending) return;
    setPending(true);
    setMessage(null);
    try {
      const done = await work();
      setStep(done.step);
      setMessage(done.message);
      if (done.message?.ok === true) onAdded();
    } finally {
      setPending(false);
    }
  };
  const ask = async (): Promise<Result> => {
    const reply = await orUnanswered(askForKey(), 'nothing');
    return reply.ok
      ? { step: { at: 'asked', asked: reply.value }, message: null }
      : { step: START, message: { ok: false, text: reply.text } };
  };
  const made = async (allowed: AllowedKey): Promise<Result> => {
    const { stepUpId, options } = allowed;
    const response = await startRegistration({ optionsJSON: options }).catch(() => null);
    if (response === null)
      return { step: { at: 'allowed', allowed }, message: { ok: false, text: words.notMade } };
    const finished = await orUnanswered(finishKey({ stepUpId, label, response }), 'reload');
    return finished.ok
      ? { step: START, message: { ok: true, text: words.added } }
      : { step: START, message: { ok: false, text: finished.text } };
  };
  const answered = async (given: StepUpAnswer): Promise<Result> => {
    const started: Awaited<ReturnType<typeof startKey>> = await orUnanswered(
      startKey(given),
      'nothing',
    );
    if (started.ok) return made(started.value);
    const { text, retype } = started;
    return { step: retype === true ? step : START, message: { ok: false, text } };
  };
  return {
    step,
    message,
    pending,
    begin: () => run(ask),
    answer: (given) => run(() => answered(given)),
    make: async () => {
      if (step.at === 'allowed') await run(() => made(step.allowed));
    },
    leave: () => {
      if (pending) return;
      setStep(START);
      setMessage(null);
    },
  };
}
