'use server';

import { getLocale, getTranslations } from 'next-intl/server';
import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type { Person } from '#lib/access/actor.ts';
import { draftFromBatch } from '#lib/batches/draft/from-earlier.ts';
import {
  deleteTemplate,
  draftFromTemplate,
  renameTemplate,
  saveTemplate,
} from '#lib/batches/draft/saved-rows.ts';
import { moneyAction } from '#lib/login/action.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Drafts of the rows of an earlier batch, and the templates that name these. */

/** Makes a draft of the rows of a template or a submitted batch, and opens it. */
export async function repeatRows(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const locale = (await getLocale()) as Locale;
  const withoutAmounts = form.has('without');
  const [template, batchId] = [text(form, 'template'), text(form, 'batch')];
  const done = await moneyAction((actor) =>
    template === ''
      ? draftFromBatch(actor, { batchId, withoutAmounts }, locale)
      : draftFromTemplate(actor, { id: template, withoutAmounts }, locale),
  );
  if ('kind' in done) return messageOf(done);
  revalidatePath('/batches', 'layout');
  redirect(`/batches/${done.id}`);
}

/** Gives the rows of a submitted batch a name. */
export async function keepRows(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return act('saved', (actor) =>
    saveTemplate(actor, { batchId: text(form, 'batch'), name: text(form, 'name') }),
  );
}

export async function renameTemplateNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act('renamed', (actor) =>
    renameTemplate(actor, text(form, 'template'), text(form, 'name')),
  );
}

export async function removeTemplate(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act('deleted', (actor) => deleteTemplate(actor, text(form, 'template')));
}

async function act(
  result: 'saved' | 'renamed' | 'deleted',
  verb: (actor: Person) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/batches', 'layout');
  return { ok: true, text: (await getTranslations('batches.earlier'))(result) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
