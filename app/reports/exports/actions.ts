'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { removeExport } from '#lib/exports/remove.ts';

/** Deletes the file of an export, or cancels one that is being written. */
export async function deleteExport(_before: Said, form: FormData): Promise<Said> {
  const removed = await moneyAction((actor) => removeExport(actor, String(form.get('id') ?? '')));
  if (removed !== undefined) return saidOf(removed);
  revalidatePath('/reports/exports');
  return { ok: true, text: (await getTranslations('exports'))('deleted') };
}
