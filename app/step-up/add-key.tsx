'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, TextInput } from '#components/ui/field.tsx';
import { AnswerForm } from './answer-form.tsx';
import { useNewKey } from './use-new-key.ts';
import type { NewKey } from './use-new-key.ts';

/**
 * Adds a passkey: the person shows who they are, with a key that they have or with password and
 * code, and the browser makes the key.
 */
export function AddKey({ onAdded }: { onAdded?: () => void }): ReactNode {
  const t = useTranslations('stepUp.add');
  const id = useId();
  const [label, setLabel] = useState('');
  const words = { notMade: t('notMade'), added: t('added') };
  const newKey = useNewKey(label, words, () => {
    setLabel('');
    onAdded?.();
  });
  const { message } = newKey;
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
      <Steps newKey={newKey} />
      <p
        role="status"
        className={`text-label font-medium empty:hidden ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
      >
        {message?.text}
      </p>
    </div>
  );
}

/** What the person presses or answers now, and a way back to the beginning. */
function Steps({ newKey }: { newKey: NewKey }): ReactNode {
  const t = useTranslations('stepUp.add');
  const { step, pending, begin, answer, make, leave } = newKey;
  if (step.at === 'start')
    return (
      <div>
        <Button aria-disabled={pending} onClick={() => void begin()}>
          {t('begin')}
        </Button>
      </div>
    );
  return (
    <>
      {step.at === 'allowed' ? (
        <div>
          <Button look="primary" aria-disabled={pending} onClick={() => void make()}>
            {t('make')}
          </Button>
        </div>
      ) : (
        <>
          <p className="text-body">
            {t(step.asked.passkey === null ? 'signInFirst' : 'signFirst')}
          </p>
          <AnswerForm
            key={step.asked.challengeId}
            asked={step.asked}
            button={t('useKey')}
            pending={pending}
            onAnswer={(given) => void answer(given)}
          />
        </>
      )}
      <div>
        <Button look="ghost" aria-disabled={pending} onClick={leave}>
          {t('leave')}
        </Button>
      </div>
    </>
  );
}
