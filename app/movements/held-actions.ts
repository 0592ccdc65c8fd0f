'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { cancelMovement } from '#lib/movements/cancel.ts';
import { cancelHeldCharge, confirmSend } from '#lib/send-control/confirm-send.ts';
import { UUID } from '#lib/values/uuid.ts';

/** "Send it", for one row that waits since a recovery. */
export async function sendHeld(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await confirmSend(actor, idOf(form));
    return 'done' as const;
  });
  return done === 'done' ? perform('confirmed') : messageOf(done);
}

export async function cancelHeld(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    if (form.get('kind') === 'plan_charge') return cancelHeldCharge(actor, idOf(form));
    await cancelMovement(actor, idOf(form));
    return 'cancelled' as const;
  });
  return done === 'cancelled' || done === 'called_off_unproven' ? perform(done) : messageOf(done);
}

async function perform(
  words: 'confirmed' | 'cancelled' | 'called_off_unproven',
): Promise<ActionMessage> {
  revalidatePath('/', 'layout');
  return { ok: true, text: (await getTranslations('recovery.held'))(words) };
}

/** @throws Refusal not_found */
function idOf(form: FormData): string {
  const id = form.get('id');
  if (typeof id !== 'string' || !UUID.test(id)) throw new Refusal('not_found');
  return id;
}
