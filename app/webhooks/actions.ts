'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { isWebhookId } from '#lib/webhooks/filter.ts';
import { replayWebhook } from '#lib/webhooks/receive.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** Runs a stored webhook through our own handler again. The verb checks the role. */
export async function replay(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = String(form.get('id') ?? '');
    if (!isWebhookId(id)) throw new Refusal('not_found');
    await replayWebhook(actor, id);
    return 'replayed' as const;
  });
  if (done !== 'replayed') return messageOf(done);
  revalidatePath('/webhooks');
  return { ok: true, text: (await getTranslations('webhooks'))('detail.replayed') };
}
