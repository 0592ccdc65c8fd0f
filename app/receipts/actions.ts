'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { askForReceipt } from '#lib/receipts/ask-again.ts';
import { askForPdf } from '#lib/receipts/conversion/request.ts';
import { requestReceipt } from '#lib/receipts/request.ts';

/** Makes the worker fetch the document, or first its ledger entry, as soon as possible. */
export async function askAgain(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const asked = await moneyAction((actor) => askForReceipt(actor, String(form.get('id') ?? '')));
  if (typeof asked !== 'string') return messageOf(asked);
  revalidatePath('/receipts', 'layout');
  return { ok: true, text: (await getTranslations('receipts'))(`asked.${asked}`) };
}

/** Has a receipt that came as HTML printed by the server's browser. */
export async function makePdf(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const asked = await moneyAction((actor) => askForPdf(actor, String(form.get('id') ?? '')));
  if (typeof asked !== 'string') return messageOf(asked);
  revalidatePath('/receipts', 'layout');
  return { ok: true, text: '' };
}

/** "Dekont iste": requests the receipt of a ledger entry and redirects to it. */
export async function wantReceiptOf(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const wanted = await moneyAction((actor) =>
    requestReceipt(actor, String(form.get('record') ?? '')),
  );
  return typeof wanted === 'string' ? redirect(`/receipts/${wanted}`) : messageOf(wanted);
}
