/** Signs a demo person in over HTTP as a browser would, for requests without a browser. */
import type { Stand } from './stand.ts';

const PASSWORD = 'demo-Parola-1';

const sessions = new Map<string, Promise<Record<string, string>>>();

/**
 * Returns the cookies of a person's session by name. The whole run uses one session: a person may
 * have three, and a further sign-in ends the session that was used longest ago.
 */
export function signIn(stand: Stand, email = 'ayse@demo.test'): Promise<Record<string, string>> {
  const session = sessions.get(email) ?? openSession(stand, email);
  sessions.set(email, session);
  return session;
}

/** Opens another session: one that nothing has used for a quarter of an hour has ended. */
export function signInAgain(stand: Stand): Promise<Record<string, string>> {
  sessions.clear();
  return signIn(stand);
}

async function openSession(stand: Stand, email: string): Promise<Record<string, string>> {
  const jar: Record<string, string> = {};
  const ask = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const headers = {
      ...init.headers,
      origin: stand.origin,
      'sec-fetch-site': 'same-origin',
      cookie: cookieHeader(jar),
    };
    const answer = await fetch(`${stand.origin}${path}`, { ...init, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar[name!] = value!;
    }
    return answer;
  };
  await ask('/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ step: 'start', email, password: PASSWORD }),
  });
  const [message] = await stand.sandbox<{ code: string }[]>(
    'GET',
    `messages?to=${encodeURIComponent(email)}`,
  );
  const { csrfToken } = (await (await ask('/api/auth/csrf')).json()) as { csrfToken: string };
  const answer = await ask('/api/auth/callback/credentials', {
    method: 'POST',
    body: new URLSearchParams({
      csrfToken,
      code: message?.code ?? '',
      json: 'true',
      callbackUrl: '/',
    }),
  });
  if (!('sid' in jar))
    throw new Error(`${email} was not signed in: ${answer.status} ${await answer.text()}`);
  return jar;
}

export function cookieHeader(jar: Record<string, string>): string {
  return Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}
