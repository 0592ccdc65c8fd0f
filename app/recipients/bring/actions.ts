'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { bringRecipients } from '#lib/recipients/bring.ts';

/** Saves the ticked payees; their IBANs come in one field with spaces between. */
export async function bringPayees(form: FormData): Promise<NonNullable<ActionMessage>> {
  const ibans = String(form.get('ibans') ?? '').split(' ');
  const done = await moneyAction((actor) => bringRecipients(actor, ibans));
  if (!('saved' in done)) return messageOf(done);
  revalidatePath('/recipients', 'layout');
  return {
    ok: true,
    text: (await getTranslations('bringRecipients'))('saved', { count: done.saved }),
  };
}
