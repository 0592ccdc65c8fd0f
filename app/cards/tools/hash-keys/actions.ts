'use server';

import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { checkHashKey, makeHashKeyFor } from '#lib/cards/tools/hash-key.ts';
import type { HashCheck, Parts } from '#lib/cards/tools/hash-key.ts';
import { HASH_PARTS, readHashSubject } from '#lib/cards/tools/hash-parts.ts';
import type { HashSubject } from '#lib/cards/tools/hash-parts.ts';

export type HashMade = { hashKey: string } | { problem: NonNullable<ActionMessage> } | null;
export type HashChecked = { check: HashCheck } | { problem: NonNullable<ActionMessage> } | null;

/** Makes a hash key for a request of this merchant. The verb checks the role. */
export async function makeHash(_before: HashMade, form: FormData): Promise<HashMade> {
  const subject = readHashSubject(form.get('subject'));
  const done = await moneyAction(async (actor) => ({
    hashKey: await makeHashKeyFor(actor, subject, partsOf(subject, form)),
  }));
  return 'hashKey' in done ? done : { problem: await messageOf(done) };
}

/** Decrypts a pasted hash key and compares it with the expected values. */
export async function checkHash(_before: HashChecked, form: FormData): Promise<HashChecked> {
  const subject = readHashSubject(form.get('subject'));
  const done = await moneyAction(async (actor) => ({
    check: await checkHashKey(
      actor,
      subject,
      String(form.get('hashKey') ?? ''),
      partsOf(subject, form),
    ),
  }));
  return 'check' in done ? done : { problem: await messageOf(done) };
}

function partsOf(subject: HashSubject, form: FormData): Parts {
  return Object.fromEntries(
    HASH_PARTS[subject].map((name) => [name, String(form.get(name) ?? '')]),
  );
}
