'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { chooseListColumns } from '#lib/list-columns/choose.ts';
import { moneyAction } from '#lib/login/action.ts';

/** Remembers the columns of a list that a person wants to see. */
export async function chooseColumns(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const done = await moneyAction((actor) =>
    chooseListColumns(actor, {
      list: String(form.get('list') ?? ''),
      shown: form.getAll('shown').map(String),
    }),
  );
  if (done !== undefined) return messageOf(done);
  revalidatePath('/', 'layout');
  return { ok: true, text: (await getTranslations('columns'))('saved') };
}
