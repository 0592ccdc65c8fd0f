'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import * as z from 'zod';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { handleCase } from '#lib/money-in/handle-case.ts';

const asked = z.object({
  id: z.uuid(),
  lastAt: z.iso.datetime(),
  reason: z.string().max(2_000).catch(''),
});

/** A person states what became of a top-up that failed. */
export async function closeCase(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const read = asked.safeParse(Object.fromEntries(form));
    if (!read.success) throw new Refusal('not_found');
    await handleCase(actor, read.data.id, read.data.lastAt, read.data.reason);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/money-in', 'layout');
  return { ok: true, text: (await getTranslations('moneyIn'))('failed.closed') };
}
