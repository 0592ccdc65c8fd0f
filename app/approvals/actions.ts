'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { approveMany } from '#lib/approvals/approve-many.ts';
import { approveMovement } from '#lib/approvals/approve.ts';
import { sendBackMovement } from '#lib/approvals/send-back.ts';
import { moneyAction } from '#lib/login/action.ts';
import { takeAnswerOf } from '../step-up/take-answer.ts';

/** Approves exactly the content that the page showed. Each verb checks role, maker and content. */
export async function approveWaiting(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act(async (actor) => {
    const stepUpId = await takeAnswerOf(actor, form);
    return approveMovement(actor, seenIn(form), { overrideReason: null, stepUpId });
  });
}

/** An owner releases it without the approvals that are missing. */
export async function overrideWaiting(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act(async (actor) => {
    assertMay(actor, 'movement.override');
    const stepUpId = await takeAnswerOf(actor, form);
    const overrideReason = text(form, 'reason');
    return approveMovement(actor, seenIn(form), { overrideReason, stepUpId });
  });
}

export async function sendBackWaiting(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act(async (actor) => {
    await sendBackMovement(actor, { ...seenIn(form), reason: text(form, 'reason') });
    return 'sentBack' as const;
  });
}

/**
 * Approves the ticked payments; the number that the person typed has to be theirs. `isDecided`: each
 * of them was tried; otherwise none was.
 */
export async function approvePicked(
  _before: ActionMessage,
  form: FormData,
): Promise<{ isDecided: boolean; message: ActionMessage }> {
  const picked = form.getAll('pick').map((value) => {
    const [id = '', seenHash = ''] = String(value).split(' ');
    return { id, seenHash };
  });
  const done = await moneyAction(async (actor) => {
    assertMay(actor, 'movement.approve');
    if (text(form, 'count').trim() !== String(picked.length)) throw new Refusal('miscounted');
    const stepUpId = await takeAnswerOf(actor, form);
    return { kind: 'given' as const, given: await approveMany(actor, picked, stepUpId) };
  });
  if (done.kind !== 'given') return { isDecided: false, message: await messageOf(done) };
  revalidatePath('/approvals', 'layout');
  const refused = done.given.filter((one) => one.refused !== null).length;
  const t = await getTranslations('approvals.many');
  const words = t('done', { approved: done.given.length - refused, refused });
  return { isDecided: true, message: { ok: refused === 0, text: words } };
}

async function act(
  verb: (actor: Person) => Promise<'approved' | 'given' | 'sentBack'>,
): Promise<ActionMessage> {
  const done = await moneyAction(verb);
  if (typeof done !== 'string') return messageOf(done);
  revalidatePath('/approvals', 'layout');
  return { ok: true, text: (await getTranslations('approvals.done'))(done) };
}

function seenIn(form: FormData): { id: string; seenHash: string } {
  return { id: text(form, 'id'), seenHash: text(form, 'seenHash') };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
