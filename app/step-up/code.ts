import 'server-only';
import { cookies } from 'next/headers';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { startChallenge } from '#lib/login/challenge.ts';
import type { Caller, SignInProblem } from '#lib/login/challenge.ts';
import { deviceCookie } from '#lib/login/session.ts';
import { resolveLocale } from '#lib/runtime/i18n.ts';
import { callerAddress } from '#lib/runtime/origin.ts';

/**
 * The first half of a fresh sign-in that answers a challenge: the password sends a code.
 *
 * @throws Refusal those of `signInRefusal`
 */
export async function sendStepUpCode(
  actor: Person,
  { challengeId, password }: { challengeId: string; password: string },
): Promise<string> {
  const started = await startChallenge(
    { email: actor.email, password },
    await readCaller(),
    challengeId,
  );
  if ('code' in started) throw signInRefusal(started);
  return started.secret;
}

export async function readCaller(): Promise<Caller> {
  return {
    ...(await callerAddress()),
    locale: await resolveLocale(),
    device: (await cookies()).get(deviceCookie().name)?.value ?? null,
  };
}

export function signInRefusal(problem: SignInProblem): Refusal {
  switch (problem.code) {
    case 'wrong_code':
      return new Refusal('step_up_code_wrong', { left: problem.attemptsLeft });
    case 'too_many':
      return new Refusal('too_many', { seconds: problem.seconds });
    case 'wrong_credentials':
      return new Refusal('step_up_password_wrong');
    case 'unavailable':
      return new Refusal('step_up_unavailable');
    default:
      return new Refusal('step_up_expired');
  }
}
