'use server';

import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { messageOf } from '#app/action-message.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { askStepUp } from '#lib/approvals/ask-step-up.ts';
import type { Signing } from '#lib/approvals/ask-step-up.ts';
import { askToSignBatch } from '#lib/batches/approval/ask-step-up.ts';
import { moneyAction } from '#lib/login/action.ts';
import { addKey, askToAddKey, newKeyOptions } from '#lib/passkeys/add.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import { sendStepUpCode } from './code.ts';
import { takeAnswer } from './take-answer.ts';

/** The value of a step, or what went wrong as a sentence. `retype`: as in `ActionMessage`. */
export type Reply<T> = { ok: true; value: T } | { ok: false; text: string; retype?: boolean };

/** The answer that allows a new key, and what the browser needs to make it, for ten minutes. */
export type AllowedKey = { stepUpId: string; options: PublicKeyCredentialCreationOptionsJSON };

const seen = z.object({ id: z.string().max(40), seenHash: z.string().max(100) });
const toSign = z.object({
  /** What the ids are: movements, or one batch. */
  of: z.enum(['movement', 'batch']),
  picked: z.array(seen).max(100),
  purpose: z.enum(['approve', 'override']),
});
const password = z.object({ challengeId: z.uuid(), password: z.string().min(1).max(200) });
const newKey = z.object({ stepUpId: z.uuid(), label: z.string().max(200), response: z.unknown() });

/** What a person has to sign before they approve; the verb checks the role. */
export async function askToSign(input: unknown): Promise<Reply<Signing>> {
  return reply(async (actor) => {
    const { of, picked, purpose } = read(toSign, input);
    return of === 'batch'
      ? askToSignBatch(actor, picked[0] ?? { id: '', seenHash: '' }, purpose)
      : askStepUp(actor, picked, purpose);
  });
}

/** Sends a code to the person's own phone, for one challenge. Returns the secret that finds it. */
export async function sendCode(input: unknown): Promise<Reply<string>> {
  return reply((actor) => sendStepUpCode(actor, read(password, input)));
}

/** What a person has to sign before a key of theirs is added. */
export async function askForKey(): Promise<Reply<AskedStepUp>> {
  return reply(askToAddKey);
}

/** The answer to that, and what the browser needs to make the key. */
export async function startKey(answer: unknown): Promise<Reply<AllowedKey>> {
  return reply(async (actor) => {
    const stepUpId = await takeAnswer(actor, answer);
    if (stepUpId === null) throw new Refusal('step_up_needed');
    return { stepUpId, options: await newKeyOptions(actor, stepUpId) };
  });
}

export async function finishKey(input: unknown): Promise<Reply<'added'>> {
  const done = await reply(async (actor) => {
    const { stepUpId, label, response } = read(newKey, input);
    await addKey(actor, { stepUpId, label, response });
    return 'added' as const;
  });
  if (done.ok) revalidatePath('/settings/passkeys');
  return done;
}

async function reply<T>(verb: (actor: Person) => Promise<T>): Promise<Reply<T>> {
  const done = await moneyAction(async (actor) => ({
    kind: 'value' as const,
    value: await verb(actor),
  }));
  if (done.kind === 'value') return { ok: true, value: done.value };
  const { text, retype = false } = await messageOf(done);
  return { ok: false, text, retype };
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new Refusal('step_up_refused');
  return parsed.data;
}
