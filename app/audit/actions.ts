'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import { moneyAction } from '#lib/login/action.ts';
import { erasePersonalValues } from '#lib/audit/erase.ts';

/** A refusal returns the typed reason, because React resets the form. */
export type Erased =
  | { ok: true; text: string }
  | { ok: false; text: string; reason: string }
  | null;

/** Erases a person's personal values from the trail. */
export async function erasePersonalData(_before: Erased, form: FormData): Promise<Erased> {
  const reason = String(form.get('reason') ?? '');
  const erased = await moneyAction((actor) =>
    erasePersonalValues(actor, { personId: String(form.get('personId') ?? ''), reason }),
  );
  if (typeof erased !== 'number')
    return { ok: false, text: (await messageOf(erased)).text, reason };
  revalidatePath('/audit');
  return { ok: true, text: (await getTranslations('audit.erase'))('done', { count: erased }) };
}
