'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { erasePersonalValues } from '#lib/audit/erase.ts';

/** Erases a person's personal values from the trail. */
export async function erasePersonalData(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const erased = await moneyAction((actor) =>
    erasePersonalValues(actor, {
      personId: String(form.get('personId') ?? ''),
      reason: String(form.get('reason') ?? ''),
    }),
  );
  if (typeof erased !== 'number') return messageOf(erased);
  revalidatePath('/audit');
  return { ok: true, text: (await getTranslations('audit.erase'))('done', { count: erased }) };
}
