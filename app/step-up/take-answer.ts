import 'server-only';
import * as z from 'zod';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { answerWithCode, answerWithPasskey } from '#lib/passkeys/answer.ts';
import { readCaller, signInRefusal } from './code.ts';

/** What a browser sends as the answer to a challenge. */
const answerSchema = z.union([
  z.strictObject({ challengeId: z.uuid(), passkey: z.unknown() }),
  z.strictObject({
    challengeId: z.uuid(),
    secret: z.string().max(100),
    code: z.string().regex(/^\d{4,8}$/),
  }),
]);

/**
 * Checks and stores an answer; returns its id. Null where none was given, which the verbs refuse if
 * they need one.
 *
 * @throws Refusal step_up_refused, step_up_expired, step_up_code_wrong
 */
export async function takeAnswer(actor: Person, given: unknown): Promise<string | null> {
  if (given === null) return null;
  const read = answerSchema.safeParse(given);
  if (!read.success) throw new Refusal('step_up_refused');
  if ('passkey' in read.data)
    return answerWithPasskey(actor, read.data.challengeId, read.data.passkey);
  const answered = await answerWithCode(actor, read.data, await readCaller());
  if (typeof answered !== 'string') throw signInRefusal(answered);
  return answered;
}

/** The answer in a form's hidden field. */
export async function takeAnswerOf(actor: Person, form: FormData): Promise<string | null> {
  const text = form.get('stepUp');
  return takeAnswer(actor, typeof text === 'string' && text !== '' ? parsed(text) : null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('step_up_refused');
  }
}
