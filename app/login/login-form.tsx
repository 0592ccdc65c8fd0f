'use client';

import { useActionState, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { secondsUntil, useServerClock } from '#components/server-clock.ts';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, TextInput } from '#components/ui/field.tsx';
import { resendCode, startSignIn } from './ask.ts';
import { confirmCode } from './confirm-code.ts';
import type { SignInError, SignInField, SignInState } from './sign-in-state.ts';

/** The people of the sandbox, who sign in with one published password. */
export type Demo = {
  people: readonly { email: string; name: string; role: string }[];
  phone: string;
  words: { title: string; text: string; codeText: string; phone: string };
};

export type LoginWords = Record<
  | 'title'
  | 'email'
  | 'password'
  | 'continue'
  | 'codeTitle'
  | 'code'
  | 'codeHint'
  | 'confirm'
  | 'resend'
  | 'resendIn'
  | 'expiresIn'
  | 'other'
  | 'going'
  | 'sheetTitle'
  | 'sheetText'
  | 'close',
  string
> & {
  errors: Record<SignInError['code'], string>;
  missing: Record<SignInField, string>;
};

const START: SignInState = { step: 'password' };

/**
 * Both steps of a sign-in: on its own page (`next`), or in the sheet over a half-filled form
 * (`onDone`).
 */
export function LoginForm({
  words,
  next,
  onDone,
  heading = false,
  demo = null,
}: {
  words: LoginWords;
  next?: string;
  onDone?: () => void;
  heading?: boolean;
  demo?: Demo | null;
}): ReactNode {
  const [state, act, pending] = useActionState(step, START);
  const [email, setEmail] = useState('');
  useEffect(() => {
    if (state.step !== 'done') return;
    if (onDone) onDone();
    else location.assign(next ?? '/');
  }, [state.step, onDone, next]);
  return (
    // A second press while the first is under way would use up another challenge.
    <form
      action={act}
      onSubmit={(event) => {
        if (pending) event.preventDefault();
      }}
      className="grid gap-4"
      noValidate
    >
      {state.step === 'password' && (
        <PasswordStep
          error={state.error}
          email={email}
          setEmail={setEmail}
          words={words}
          pending={pending}
          heading={heading}
        />
      )}
      {state.step === 'code' && (
        <CodeStep state={state} words={words} pending={pending} heading={heading} />
      )}
      {demo && state.step !== 'done' && (
        <DemoPeople demo={demo} choose={state.step === 'password' ? setEmail : null} />
      )}
      {state.step === 'done' && (
        <p role="status" className="text-muted">
          {words.going}
        </p>
      )}
    </form>
  );
}

const PERSON =
  'min-h-8 rounded-full border border-hairline bg-raised px-3 text-label font-medium ' +
  'hover:border-control aria-pressed:border-accent pointer-coarse:min-h-11';

/**
 * Buttons for the demo people: each fills in the e-mail address. The page of the demo phone shows
 * the password and the code.
 */
function DemoPeople({
  demo: { people, phone, words },
  choose,
}: {
  demo: Demo;
  choose: ((email: string) => void) | null;
}): ReactNode {
  return (
    <section className="grid gap-2 border-t border-hairline pt-4" aria-label={words.title}>
      <p className="text-label text-muted">
        {choose ? words.text : words.codeText}{' '}
        <a
          href={phone}
          target="_blank"
          rel="noreferrer"
          className="font-medium text-accent underline underline-offset-2"
        >
          {words.phone}
        </a>
      </p>
      {choose && (
        <ul className="flex flex-wrap gap-2">
          {people.map(({ email, name, role }) => (
            <li key={email}>
              <button
                type="button"
                className={PERSON}
                onClick={() => {
                  choose(email);
                  document.getElementById('password')?.focus();
                }}
              >
                {name} <span className="font-normal text-muted">· {role}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function step(state: SignInState, form: FormData): Promise<SignInState> {
  switch (form.get('step')) {
    case 'confirm':
      return confirmCode(state, form);
    case 'resend':
      return resendCode(state);
    case 'other':
      return START;
    default:
      return startSignIn(form);
  }
}

type StepProps = { words: LoginWords; pending: boolean; heading: boolean };

function PasswordStep({
  error,
  email,
  setEmail,
  words,
  pending,
  heading,
}: StepProps & {
  error: SignInError | undefined;
  email: string;
  setEmail: (email: string) => void;
}): ReactNode {
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error && email !== '') password.current?.focus();
  }, [error, email]);
  const lacks = (field: SignInField): string | undefined =>
    error?.missing?.includes(field) ? words.missing[field] : undefined;
  const described = (field: SignInField): string | undefined =>
    [describedBy('sign-in', { error }), describedBy(field, { error: lacks(field) })]
      .filter(Boolean)
      .join(' ') || undefined;
  return (
    <>
      {heading && <h1 className="text-title">{words.title}</h1>}
      <Field id="email" label={words.email} error={lacks('email')}>
        <TextInput
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={lacks('email') !== undefined || undefined}
          aria-describedby={described('email')}
        />
      </Field>
      <Field id="password" label={words.password} error={lacks('password')}>
        <TextInput
          ref={password}
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={lacks('password') !== undefined || undefined}
          aria-describedby={described('password')}
        />
      </Field>
      <Problem error={error} words={words} />
      <Button look="primary" type="submit" aria-disabled={pending} name="step" value="start">
        {words.continue}
      </Button>
    </>
  );
}

function CodeStep({
  state,
  words,
  pending,
  heading,
}: StepProps & { state: Extract<SignInState, { step: 'code' }> }): ReactNode {
  const now = useServerClock(state.now, true);
  const resend = secondsUntil(state.resendAt, now);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state.step === 'code') input.current?.focus();
  }, [state]);
  return (
    <>
      {heading && <h1 className="text-title">{words.codeTitle}</h1>}
      <p className="text-muted">{words.codeHint}</p>
      <Field
        id="code"
        label={words.code}
        error={state.error?.missing?.includes('code') && words.missing.code}
        trailing={
          <span aria-live="off">
            {fill(words.expiresIn, { time: clock(secondsUntil(state.expiresAt, now)) })}
          </span>
        }
      >
        <TextInput
          ref={input}
          id="code"
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          pattern="[0-9 ]*"
          maxLength={9}
          required
          mono
          className="h-11 text-center text-[18px]! tracking-[0.3em]"
          aria-invalid={
            state.error?.code === 'wrong_code' || state.error?.code === 'bad_input' || undefined
          }
          aria-describedby={describedBy('sign-in', { error: state.error })}
        />
      </Field>
      <Problem error={state.error} words={words} />
      <Button look="primary" type="submit" name="step" value="confirm" aria-disabled={pending}>
        {words.confirm}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="ghost" type="submit" name="step" value="resend" disabled={resend > 0}>
          {resend > 0 ? fill(words.resendIn, { seconds: resend }) : words.resend}
        </Button>
        <Button look="ghost" type="submit" name="step" value="other">
          {words.other}
        </Button>
      </div>
    </>
  );
}

function Problem({
  error,
  words,
}: {
  error: SignInError | undefined;
  words: LoginWords;
}): ReactNode {
  if (!error) return null;
  return (
    <p
      id="sign-in-error"
      role="alert"
      className="rounded-control bg-failed-ground px-3 py-2 text-body text-failed"
    >
      {fill(words.errors[error.code], {
        seconds: error.seconds ?? 0,
        attemptsLeft: error.attemptsLeft ?? 0,
      })}
    </p>
  );
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_gap, name: string) => String(values[name] ?? ''));
}
