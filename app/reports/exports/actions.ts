'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { removeExport } from '#lib/exports/remove.ts';

/** Deletes the file of an export, or cancels one that is being written. */
export async function deleteExport(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const removed = await moneyAction((actor) => removeExport(actor, String(form.get('id') ?? '')));
  if (removed !== undefined) return messageOf(removed);
  revalidatePath('/reports/exports');
  return { ok: true, text: (await getTranslations('exports'))('deleted') };
}
