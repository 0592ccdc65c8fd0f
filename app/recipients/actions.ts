'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import type { Person } from '#lib/access/actor.ts';
import { archiveRecipient, editRecipient } from '#lib/recipients/edit.ts';
import { isRecipientId } from '#lib/recipients/filter.ts';
import { archiveAccount, redirectRecipient } from '#lib/recipients/redirect.ts';
import { readAccountNumber, readRecipientFields } from '#lib/recipients/schema.ts';
import type { ReadField } from '#lib/recipients/schema.ts';
import { Refusal } from '#lib/access/refusal.ts';

/** Name, nickname and tax number of a saved recipient. Each verb checks the role. */
export async function saveRecipient(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const read = readRecipientFields(text(form, 'name'), text(form, 'taxNumber'));
  if (read.kind === 'error') return wrong(read);
  return act(form, 'saved', (actor, id) =>
    editRecipient(
      actor,
      id,
      { ...read.value, nickname: text(form, 'nickname') },
      {
        name: text(form, 'nameShown'),
        taxNumber: text(form, 'taxNumberShown'),
        nickname: text(form, 'nicknameShown'),
      },
    ),
  );
}

/** Replaces an account by another one, or adds one. */
export async function redirectAccount(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const read = readAccountNumber(text(form, 'number'));
  if (read.kind === 'error') return wrong(read);
  const from = text(form, 'from');
  return act(form, 'saved', (actor, id) =>
    redirectRecipient(actor, id, { from: isRecipientId(from) ? from : null, number: read.value }),
  );
}

/** Archives or restores a recipient, or with `account` one account of it. */
export async function archiveSaved(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const archived = text(form, 'archived') === 'yes';
  const account = text(form, 'account');
  return act(form, archived ? 'archivedDone' : 'restored', (actor, id) =>
    isRecipientId(account)
      ? archiveAccount(actor, id, account, archived)
      : archiveRecipient(actor, id, archived),
  );
}

async function act(
  form: FormData,
  result: 'saved' | 'archivedDone' | 'restored',
  verb: (actor: Person, id: string) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    const id = text(form, 'id');
    if (!isRecipientId(id)) throw new Refusal('not_found');
    await verb(actor, id);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/recipients', 'layout');
  return { ok: true, text: (await getTranslations('recipients.one'))(result) };
}

async function wrong({
  code,
  params,
}: Extract<ReadField<unknown>, { kind: 'error' }>): Promise<ActionMessage> {
  return { ok: false, text: (await getTranslations('payoutErrors.errors'))(code, params) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
