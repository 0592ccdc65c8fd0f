'use client';

import { startRegistration } from '@simplewebauthn/browser';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { askForKey, finishKey, startKey } from './actions.ts';
import { AnswerForm } from './answer-form.tsx';
import type { StepUpAnswer } from './answer-form.tsx';

/**
 * Adds a passkey: the person shows who they are, with a key that they have or with password and
 * code, and the browser makes the key.
 */
export function AddKey({ onAdded }: { onAdded?: () => void }): ReactNode {
  const t = useTranslations('stepUp.add');
  const id = useId();
  const [label, setLabel] = useState('');
  const [asked, setAsked] = useState<AskedStepUp | null>(null);
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState<{ ok: boolean; text: string } | null>(null);
  const begin = async (): Promise<void> => {
    setMessage(null);
    const reply = await askForKey();
    if (reply.ok) setAsked(reply.value);
    else setMessage(reply);
  };
  const make = async (answer: StepUpAnswer): Promise<void> => {
    setPending(true);
    const done = await madeKey(answer, label, t('notMade'));
    setPending(false);
    if (done === null) {
      setAsked(null);
      setLabel('');
      setMessage({ ok: true, text: t('added') });
      onAdded?.();
    } else {
      if (done.isOver) setAsked(null);
      setMessage({ ok: false, text: done.text });
    }
  };
  return (
    <div className="grid gap-3">
      <div className="max-w-xs">
        <Field id={id} label={t('label')} hint={t('labelHint')}>
          <TextInput
            id={id}
            maxLength={60}
            autoComplete="off"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
            onKeyDown={(event) => {
              // Inside another form, Enter would press that form's button.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        </Field>
      </div>
      {asked === null ? (
        <div>
          <Button onClick={() => void begin()}>{t('begin')}</Button>
        </div>
      ) : (
        <>
          <p className="text-body">{t(asked.passkey === null ? 'signInFirst' : 'signFirst')}</p>
          <AnswerForm
            asked={asked}
            button={t('useKey')}
            pending={pending}
            onAnswer={(answer) => void make(answer)}
          />
        </>
      )}
      <p
        role="status"
        className={`text-label font-medium empty:hidden ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {message?.text}
      </p>
    </div>
  );
}

/** Null when the key is stored; `isOver`: the answer is used up, and everything begins again. */
async function madeKey(
  answer: StepUpAnswer,
  label: string,
  notMade: string,
): Promise<{ text: string; isOver: boolean } | null> {
  const started = await startKey(answer);
  if (!started.ok) return { text: started.text, isOver: 'passkey' in answer };
  const { stepUpId, options } = started.value;
  const response = await startRegistration({ optionsJSON: options }).catch(() => null);
  if (response === null) return { text: notMade, isOver: true };
  const finished = await finishKey({ stepUpId, label, response });
  return finished.ok ? null : { text: finished.text, isOver: true };
}
