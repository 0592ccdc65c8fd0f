import 'server-only';
import { cookies } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { env } from '#lib/env.ts';
import { resolveLocale } from '#lib/i18n.ts';
import { callerAddress } from '#lib/origin.ts';
import { SESSION_SECONDS, sessionCookie } from '#lib/session.ts';
import { answerChallenge } from '#lib/sign-in/challenge.ts';

/** The browser's half of a sign-in between its two steps: a secret that finds our row, nothing else. */
export const CHALLENGE_COOKIE = 'challenge';

/**
 * next-auth with one credentials provider, step two of the sign-in. Its JWT carries the opaque session id and nothing more:
 * who that is, and whether still, is asked of the database on every call (`lib/session.ts`).
 */
export function authOptions(): NextAuthOptions {
  const { appOrigin, authSecret } = env();
  process.env.NEXTAUTH_URL = appOrigin;
  return {
    secret: authSecret,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/login', error: '/login', signOut: '/login' },
    cookies: { sessionToken: sessionCookie() },
    providers: [CredentialsProvider({ credentials: { code: {} }, authorize: (given) => authorize(given?.code ?? '') })],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user ? user.id : token.sid }),
      session: () => ({ expires: '', user: undefined }),
    },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  };
}

/** What went wrong travels as the error's text, which next-auth hands back: a code and, after a colon, a number. */
async function authorize(code: string): Promise<{ id: string }> {
  const jar = await cookies();
  const secret = jar.get(CHALLENGE_COOKIE)?.value;
  if (!secret) throw new Error('code_expired');
  if (!/^\d{4,8}$/.test(code.replace(/\s/g, ''))) throw new Error('bad_input');
  const answer = await answerChallenge(secret, code.replace(/\s/g, ''), { ...(await callerAddress()), locale: await resolveLocale() });
  if ('sessionId' in answer) {
    jar.delete(CHALLENGE_COOKIE);
    return { id: answer.sessionId };
  }
  if (answer.code === 'wrong_code') throw new Error(`wrong_code:${answer.attemptsLeft}`);
  throw new Error(answer.code === 'too_many' ? `too_many:${answer.seconds}` : answer.code);
}
