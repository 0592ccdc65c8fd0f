'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { acknowledgeRecord } from '#lib/send-control/recovery/acknowledge.ts';
import { askRecovery } from '#lib/send-control/recovery/begin.ts';
import { Refusal } from '#lib/access/refusal.ts';

const ID = /^[1-9]\d{0,17}$/;

/** A person reports that a backup was restored. */
export async function beginRecoveryNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await askRecovery(actor, textOf(form, 'reason'));
    return 'done' as const;
  });
  return done === 'done' ? perform('begin.done') : messageOf(done);
}

export async function lookAtRecord(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = textOf(form, 'id');
    if (!ID.test(id)) throw new Refusal('not_found');
    await acknowledgeRecord(actor, id, textOf(form, 'reason'));
    return 'done' as const;
  });
  return done === 'done' ? perform('look.done') : messageOf(done);
}

async function perform(words: 'begin.done' | 'look.done'): Promise<ActionMessage> {
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('recovery'))(words) };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
