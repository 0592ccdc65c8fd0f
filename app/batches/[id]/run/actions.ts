'use server';

import { getLocale, getTranslations } from 'next-intl/server';
import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { messageOf } from '#app/action-message.ts';
import { takeAnswerOf } from '#app/step-up/take-answer.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { approveBatch } from '#lib/batches/approval/approve.ts';
import { sendBackBatch } from '#lib/batches/approval/send-back.ts';
import { pauseBatch, resumeBatch, stopBatch } from '#lib/batches/run/control.ts';
import { retryUnpaid } from '#lib/batches/run/retry.ts';
import { submitBatch } from '#lib/batches/run/submit.ts';
import { moneyAction } from '#lib/login/action.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * Sends a draft exactly as the person saw it, and shows it running. After a refusal the page stays as
 * it is, so that a second press cannot send rows that nobody looked at.
 */
export async function sendBatch(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const id = String(form.get('batch') ?? '');
  const version = Number(form.get('version'));
  const seenHash = String(form.get('seenHash') ?? '');
  const locale = (await getLocale()) as Locale;
  const answer = await moneyAction(async (actor) => {
    await submitBatch(actor, { id, version, seenHash }, locale);
    return { kind: 'done' } as const;
  });
  if (answer.kind !== 'done') return messageOf(answer);
  revalidatePath(`/batches/${id}`);
  return null;
}

export async function pause(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut(form, 'paused', pauseBatch);
}

export async function resume(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut(form, 'resumed', resumeBatch);
}

export async function stop(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const id = String(form.get('batch') ?? '');
  const done = await moneyAction((actor) => stopBatch(actor, id));
  if (!('cancelled' in done)) return messageOf(done);
  revalidatePath(`/batches/${id}`);
  const t = await getTranslations('batchRun');
  return { ok: true, text: t('stop.done', { count: done.cancelled }) };
}

/** Approves exactly the rows that the page showed. */
export async function approve(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return decide(form, async (actor, seen) => {
    const stepUpId = await takeAnswerOf(actor, form);
    return approveBatch(actor, seen, { overrideReason: null, stepUpId });
  });
}

/** An owner releases it without the approvals that are missing. */
export async function override(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return decide(form, async (actor, seen) => {
    assertMay(actor, 'movement.override');
    const stepUpId = await takeAnswerOf(actor, form);
    const overrideReason = String(form.get('reason') ?? '');
    return approveBatch(actor, seen, { overrideReason, stepUpId });
  });
}

/** Sends it back; the ticked rows are those to leave out. */
export async function sendBack(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return decide(form, async (actor, seen) => {
    const without = form.getAll('without').map(Number);
    const reason = String(form.get('reason') ?? '');
    await sendBackBatch(actor, seen, { reason, without });
    return 'sentBack';
  });
}

async function decide(
  form: FormData,
  verb: (
    actor: Person,
    seen: { id: string; seenHash: string },
  ) => Promise<'approved' | 'given' | 'sentBack'>,
): Promise<ActionMessage> {
  const [id, seenHash] = [String(form.get('id') ?? ''), String(form.get('seenHash') ?? '')];
  const done = await moneyAction((actor) => verb(actor, { id, seenHash }));
  if (typeof done !== 'string') return messageOf(done);
  revalidatePath('/batches', 'layout');
  return { ok: true, text: (await getTranslations('batchRun.approval.done'))(done) };
}

/** Opens the new draft. */
export async function retry(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction((actor) => retryUnpaid(actor, String(form.get('batch') ?? '')));
  if (!('id' in done)) return messageOf(done);
  redirect(`/batches/${done.id}`);
}

async function carryOut(
  form: FormData,
  done: 'paused' | 'resumed',
  verb: (actor: Person, id: string) => Promise<void>,
): Promise<ActionMessage> {
  const id = String(form.get('batch') ?? '');
  const answer = await moneyAction(async (actor) => {
    await verb(actor, id);
    return { kind: 'done' } as const;
  });
  if (answer.kind !== 'done') return messageOf(answer);
  revalidatePath(`/batches/${id}`);
  return { ok: true, text: (await getTranslations('batchRun'))(done) };
}
