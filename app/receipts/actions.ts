'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/action.ts';
import { askForReceipt } from '#lib/receipts/ask-again.ts';

/** Asks the worker to fetch the document, or first its ledger line, as soon as it can. */
export async function askAgain(_before: Said, form: FormData): Promise<Said> {
  const asked = await moneyAction((actor) => askForReceipt(actor, String(form.get('id') ?? '')));
  if (typeof asked !== 'string') return saidOf(asked);
  revalidatePath('/receipts', 'layout');
  return { ok: true, text: (await getTranslations('receipts'))(`asked.${asked}`) };
}
