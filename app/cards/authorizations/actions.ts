'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { markReminderSeen } from '#lib/cards/reminders/mark-seen.ts';

export async function seeReminder(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await markReminderSeen(actor, String(form.get('id') ?? ''));
    return 'seen' as const;
  });
  if (done !== 'seen') return messageOf(done);
  revalidatePath('/');
  revalidatePath('/cards/authorizations');
  return { ok: true, text: (await getTranslations('cardReminders'))('done') };
}
