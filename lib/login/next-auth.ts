import 'server-only';
import { cookies } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { env } from '#lib/runtime/env.ts';
import { resolveLocale } from '#lib/runtime/i18n.ts';
import { callerAddress } from '#lib/runtime/origin.ts';
import { challengeCookie, deviceCookie, SESSION_SECONDS, sessionCookie } from './session.ts';
import { answerChallenge } from './challenge.ts';
import { DEVICE_DAYS } from './device.ts';
import { cookieName, workspace } from '#lib/runtime/workspace.ts';

const DEVICE_SECONDS = DEVICE_DAYS * 24 * 60 * 60;

/**
 * next-auth with one credentials provider, step two of the sign-in. Its JWT carries only the opaque
 * session id: the person and the validity are queried from the database on every call
 * (`lib/login/session.ts`).
 */
export function authOptions(): NextAuthOptions {
  const { appOrigin, authSecret } = env();
  process.env.NEXTAUTH_URL = appOrigin;
  return {
    secret: authSecret,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/login', error: '/login', signOut: '/login' },
    cookies: {
      sessionToken: sessionCookie(),
      callbackUrl: nextAuthCookie('callback-url'),
      csrfToken: nextAuthCookie('csrf-token'),
    },
    providers: [
      CredentialsProvider({
        credentials: { code: {} },
        authorize: (given) => authorize(given?.code),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user ? user.id : token.sid }),
      session: () => ({ expires: '', user: undefined }),
    },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  };
}

function nextAuthCookie(name: string): {
  name: string;
  options: { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean };
} {
  return {
    name: cookieName(`next-auth.${name}`),
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: workspace().secure },
  };
}

/**
 * A failure is thrown as an error whose text next-auth passes on: a code and, after a colon, a
 * number.
 */
async function authorize(given: unknown): Promise<{ id: string }> {
  // A body in JSON may hold anything under this name.
  const code = typeof given === 'string' ? given.replace(/\s/g, '') : '';
  const jar = await cookies();
  const { name, options } = challengeCookie();
  const secret = jar.get(name)?.value;
  if (!secret) throw new Error('code_expired');
  if (!/^\d{4,8}$/.test(code)) throw new Error('bad_input');
  const answer = await answerChallenge(secret, code, {
    ...(await callerAddress()),
    locale: await resolveLocale(),
    device: jar.get(deviceCookie().name)?.value ?? null,
  });
  if ('sessionId' in answer) {
    // Not `delete`: a browser removes a `__Host-` cookie only if the response has all its
    // attributes.
    jar.set(name, '', { ...options, maxAge: 0 });
    const device = deviceCookie();
    jar.set(device.name, answer.device, { ...device.options, maxAge: DEVICE_SECONDS });
    return { id: answer.sessionId };
  }
  if (answer.code === 'wrong_code') throw new Error(`wrong_code:${answer.attemptsLeft}`);
  throw new Error(answer.code === 'too_many' ? `too_many:${answer.seconds}` : answer.code);
}
