import { cookies } from 'next/headers';
import * as z from 'zod';
import type { SignInError, SignInState } from '#app/login/sign-in-state.ts';
import { resolveLocale } from '#lib/runtime/i18n.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { callerAddress, fromOwnOrigin } from '#lib/runtime/origin.ts';
import { challengeCookie, deviceCookie } from '#lib/login/session.ts';
import { CHALLENGE_SECONDS, resendChallenge, startChallenge } from '#lib/login/challenge.ts';
import type { Caller, Challenge } from '#lib/login/challenge.ts';

export const dynamic = 'force-dynamic';

const EVEN_ANSWER_MS = 400;

/** What is answered to a person who asked too often. */
const TOO_OFTEN: readonly SignInError['code'][] = ['too_many', 'resend_later', 'resend_no_more'];

const question = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('start'),
    email: z.email().max(254),
    password: z.string().min(1).max(200),
  }),
  z.object({ step: z.literal('resend') }),
]);

/**
 * Step one of the sign-in, and resending the code for step two. Deliberately not a server action:
 * an action that sets a cookie redraws its page, and under the sign-in sheet over a half-filled
 * form that page would find no session, redirect, and lose everything typed.
 */
export async function POST(request: Request): Promise<Response> {
  if (!(await fromOwnOrigin()) || request.headers.get('content-type') !== 'application/json')
    return refuse({ code: 'origin' }, 403);
  const asked = question.safeParse(await request.json().catch(() => null));
  if (!asked.success) return refuse({ code: 'bad_input' }, 400);
  try {
    return await (asked.data.step === 'start' ? start(asked.data) : resend());
  } catch (error) {
    log.error('sign-in not started', errorFields(error));
    return refuse({ code: 'unavailable' }, 503);
  }
}

/** A wrong password and an unknown person get the same answer after the same time. */
async function start(input: { email: string; password: string }): Promise<Response> {
  const [answer] = await Promise.all([
    startChallenge(input, await readCaller()),
    new Promise((done) => setTimeout(done, EVEN_ANSWER_MS)),
  ]);
  return 'secret' in answer ? showCodeStep(answer) : refuse(answer);
}

async function resend(): Promise<Response> {
  const secret = (await cookies()).get(challengeCookie().name)?.value;
  if (!secret) return refuse({ code: 'code_expired' });
  const answer = await resendChallenge(secret, await readCaller());
  return 'secret' in answer ? showCodeStep(answer) : refuse(answer);
}

async function readCaller(): Promise<Caller> {
  return {
    ...(await callerAddress()),
    locale: await resolveLocale(),
    device: (await cookies()).get(deviceCookie().name)?.value ?? null,
  };
}

async function showCodeStep(challenge: Challenge): Promise<Response> {
  const { name, options } = challengeCookie();
  (await cookies()).set(name, challenge.secret, { ...options, maxAge: CHALLENGE_SECONDS });
  return Response.json({
    step: 'code',
    now: new Date().toISOString(),
    expiresAt: challenge.expiresAt,
    resendAt: challenge.resendAt,
  } satisfies SignInState);
}

function refuse(
  error: NonNullable<Extract<SignInState, { step: 'password' }>['error']>,
  status = TOO_OFTEN.includes(error.code) ? 429 : 200,
): Response {
  const headers: HeadersInit =
    error.seconds === undefined ? {} : { 'retry-after': String(error.seconds) };
  return Response.json({ step: 'password', error } satisfies SignInState, { status, headers });
}
