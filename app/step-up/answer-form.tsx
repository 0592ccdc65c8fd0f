'use client';

import { startAuthentication } from '@simplewebauthn/browser';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import type { StepUpAnswer } from './step-up-answer.ts';
import { useCode } from './use-code.ts';

/**
 * Lets a person answer a challenge: with a passkey, or with password and code where that counts.
 * `button`: what the passkey's button says.
 */
export function AnswerForm({
  asked,
  button,
  pending,
  onAnswer,
}: {
  asked: AskedStepUp;
  button: string;
  pending: boolean;
  onAnswer: (answer: StepUpAnswer) => void;
}): ReactNode {
  const t = useTranslations('stepUp');
  const [problem, setProblem] = useState<string | null>(null);
  const [isTyping, setTyping] = useState(asked.passkey === null);
  const { challengeId, passkey } = asked;
  const sign = async (): Promise<void> => {
    if (passkey === null) return;
    setProblem(null);
    await startAuthentication({ optionsJSON: passkey }).then(
      (response) => onAnswer({ challengeId, passkey: response }),
      () => setProblem(t('notSigned')),
    );
  };
  return (
    <div className="grid justify-items-start gap-3">
      {passkey !== null && (
        <Button look="primary" aria-disabled={pending} onClick={() => void sign()}>
          {button}
        </Button>
      )}
      {asked.signIn && passkey !== null && !isTyping && (
        <Button look="ghost" onClick={() => setTyping(true)}>
          {t('useCode')}
        </Button>
      )}
      {asked.signIn && isTyping && (
        <CodeForm challengeId={challengeId} pending={pending} onAnswer={onAnswer} />
      )}
      <p role="status" className="text-label font-medium text-failed empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/** Password, then the code that it sends. */
function CodeForm({
  challengeId,
  pending,
  onAnswer,
}: {
  challengeId: string;
  pending: boolean;
  onAnswer: (answer: StepUpAnswer) => void;
}): ReactNode {
  const t = useTranslations('stepUp');
  const id = useId();
  const given = { answering: pending, missing: t('codeMissing') };
  const code = useCode(challengeId, given, onAnswer);
  const { asksCode, typed, problem } = code;
  return (
    <div className="grid w-full max-w-xs gap-3">
      <Field id={id} label={t(asksCode ? 'code' : 'password')}>
        <TextInput
          key={asksCode ? 'code' : 'password'}
          id={id}
          type={asksCode ? 'text' : 'password'}
          inputMode={asksCode ? 'numeric' : undefined}
          autoComplete={asksCode ? 'one-time-code' : 'current-password'}
          value={typed}
          onChange={(event) => code.type(event.target.value)}
          onKeyDown={(event) => {
            // Inside another form, Enter would press that form's button.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void code.goOn();
          }}
        />
      </Field>
      <div>
        <Button aria-disabled={code.pending} onClick={() => void code.goOn()}>
          {t(asksCode ? 'confirmCode' : 'sendCode')}
        </Button>
      </div>
      <p role="status" className="text-label font-medium text-failed empty:hidden">
        {problem}
      </p>
    </div>
  );
}
