import type { SignInState } from './sign-in-state.ts';

/** Step one of the sign-in: sends the e-mail address and the password. */
export async function startSignIn(form: FormData): Promise<SignInState> {
  const [email, password] = [
    String(form.get('email') ?? '').trim(),
    String(form.get('password') ?? ''),
  ];
  const missing = [
    ...(email.includes('@') ? [] : ['email' as const]),
    ...(password === '' ? ['password' as const] : []),
  ];
  if (missing.length > 0) return { step: 'password', error: { code: 'bad_input', missing } };
  return ask({ step: 'start', email, password });
}

/**
 * Requests another code. When a refusal leaves the challenge valid, the person stays on the same
 * step.
 */
export async function resendCode(prev: SignInState): Promise<SignInState> {
  const answer = await ask({ step: 'resend' });
  const over =
    answer.step === 'password' &&
    ['code_expired', 'wrong_credentials'].includes(answer.error?.code ?? '');
  return answer.step === 'code' || over || prev.step !== 'code' || !('error' in answer)
    ? answer
    : { ...prev, error: answer.error };
}

async function ask(
  question: { step: 'start'; email: string; password: string } | { step: 'resend' },
): Promise<SignInState> {
  try {
    const answer = await fetch('/api/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
    });
    return (await answer.json()) as SignInState;
  } catch {
    return { step: 'password', error: { code: 'unavailable' } };
  }
}
