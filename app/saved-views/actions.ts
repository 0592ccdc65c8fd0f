'use server';

import { revalidatePath } from 'next/cache';
import { getTimeZone, getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { keptAddress } from '#lib/saved-views/address.ts';
import { removeView, renameView, restoreView, saveView } from '#lib/saved-views/keep.ts';
import { isViewList } from '#lib/saved-views/lists.ts';

/** Saves a list's address under a name, or renames a saved view (`id`). */
export async function keepView(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const text = (name: string): string => String(form.get(name) ?? '');
  const kept = await moneyAction(async (actor) => {
    if (form.has('id')) return renameView(actor, text('id'), text('name'));
    const list = text('list');
    if (!isViewList(list)) throw new Refusal('not_found');
    const address = keptAddress(
      text('address'),
      text('period'),
      new Date().toISOString(),
      await getTimeZone(),
    );
    return void (await saveView(actor, { list, name: text('name'), address }));
  });
  if (kept !== undefined) return messageOf(kept);
  revalidatePath('/', 'layout');
  return { ok: true, text: (await getTranslations('views'))('saved') };
}

/** Deletes a saved view, or restores it (`undo`). */
export async function dropView(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const [id, undo] = [String(form.get('id') ?? ''), form.get('undo') === 'yes'];
  const done = await moneyAction((actor) =>
    undo ? restoreView(actor, id) : removeView(actor, id),
  );
  if (done !== undefined) return messageOf(done);
  revalidatePath('/', 'layout');
  return { ok: true, text: (await getTranslations('views'))(undo ? 'restored' : 'removed') };
}
