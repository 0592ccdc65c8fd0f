'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { markReminderSeen } from '#lib/cards/reminders/mark-seen.ts';

export async function seeReminder(_before: Said, form: FormData): Promise<Said> {
  const done = await moneyAction(async (actor) => {
    await markReminderSeen(actor, String(form.get('id') ?? ''));
    return 'seen' as const;
  });
  if (done !== 'seen') return saidOf(done);
  revalidatePath('/');
  revalidatePath('/cards/authorizations');
  return { ok: true, text: (await getTranslations('cardReminders'))('done') };
}
