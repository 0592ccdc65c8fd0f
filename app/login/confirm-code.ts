import type { SignInError, SignInState } from './sign-in-state.ts';

const CODES: readonly SignInError['code'][] = [
  'wrong_code',
  'code_expired',
  'too_many',
  'unavailable',
  'other_merchant',
  'disabled',
  'bad_input',
];

/**
 * Step two, through next-auth's own endpoint. It runs in the browser, because the endpoint sets the
 * session cookie on its response.
 */
export async function confirmCode(prev: SignInState, form: FormData): Promise<SignInState> {
  if (prev.step !== 'code') return prev;
  if (String(form.get('code') ?? '').trim() === '')
    return { ...prev, error: { code: 'bad_input', missing: ['code'] } };
  try {
    const { csrfToken } = (await (await fetch('/api/auth/csrf')).json()) as { csrfToken: string };
    const body = new URLSearchParams({
      csrfToken,
      code: String(form.get('code') ?? ''),
      json: 'true',
      callbackUrl: '/',
    });
    const answer = await fetch('/api/auth/callback/credentials', { method: 'POST', body });
    if (answer.ok) return { step: 'done' };
    const { url } = (await answer.json()) as { url: string | null };
    return withError(
      prev,
      url === null
        ? 'origin'
        : (new URL(url, location.origin).searchParams.get('error') ?? 'unavailable'),
    );
  } catch {
    return withError(prev, 'unavailable');
  }
}

function withError(prev: Extract<SignInState, { step: 'code' }>, text: string): SignInState {
  const [name, number] = text.split(':');
  const code = CODES.find((one) => one === name) ?? 'unavailable';
  const error: SignInError = {
    code,
    ...(code === 'wrong_code' ? { attemptsLeft: Number(number) } : {}),
    ...(code === 'too_many' ? { seconds: Number(number) } : {}),
  };
  return code === 'code_expired' || code === 'other_merchant' || code === 'disabled'
    ? { step: 'password', error }
    : { ...prev, error };
}
