'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { saidOf } from '#app/said.ts';
import type { Said } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { askForReceipt } from '#lib/receipts/ask-again.ts';
import { requestReceipt } from '#lib/receipts/request.ts';

/** Asks the worker to fetch the document, or first its ledger line, as soon as it can. */
export async function askAgain(_before: Said, form: FormData): Promise<Said> {
  const asked = await moneyAction((actor) => askForReceipt(actor, String(form.get('id') ?? '')));
  if (typeof asked !== 'string') return saidOf(asked);
  revalidatePath('/receipts', 'layout');
  return { ok: true, text: (await getTranslations('receipts'))(`asked.${asked}`) };
}

/** "Dekont iste": asks for the receipt of a line of the ledger and goes where it appears. */
export async function wantReceiptOf(_before: Said, form: FormData): Promise<Said> {
  const wanted = await moneyAction((actor) =>
    requestReceipt(actor, String(form.get('record') ?? '')),
  );
  return typeof wanted === 'string' ? redirect(`/receipts/${wanted}`) : saidOf(wanted);
}
