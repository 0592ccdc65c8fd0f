'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { acknowledgeDifference } from '#lib/reports/reconciliation/acknowledge.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

/** Stores a person's explanation of a difference. */
export async function acknowledge(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = String(form.get('id') ?? '');
    if (!UUID.test(id)) throw new Refusal('not_found');
    const [recorded, reason] = ['recorded', 'reason'].map((name) => String(form.get(name) ?? ''));
    await acknowledgeDifference(actor, id, recorded!, reason!);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/reports/reconciliation', 'layout');
  return { ok: true, text: (await getTranslations('reconciliation'))('acknowledge.done') };
}
