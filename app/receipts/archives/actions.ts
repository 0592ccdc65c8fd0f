'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import { PROFILES } from '#lib/exports/profile.ts';
import { FILE_TYPES } from '#lib/receipts/archives/archive.ts';
import { askForArchive } from '#lib/receipts/archives/ask.ts';
import { askForGaps } from '#lib/receipts/archives/ask-gaps.ts';
import { NAME_TEMPLATES } from '#lib/receipts/file-name.ts';
import { readReceiptQuery } from '#lib/receipts/filter.ts';

/** Stores which receipts are wanted as one file, and redirects to it. */
export async function makeArchive(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const one = (name: string): string => String(form.get(name) ?? '');
  const made = await moneyAction((actor) =>
    askForArchive(actor, {
      filter: readReceiptQuery(Object.fromEntries(new URLSearchParams(one('filter')))).filter,
      picked: form.has('pick') ? form.getAll('pick').map(String) : null,
      withLedger: form.has('ledger'),
      template: NAME_TEMPLATES.find((known) => known === one('template')) ?? 'full',
      ascii: form.has('ascii'),
      fileType: FILE_TYPES.find((known) => known === one('file')) ?? 'zip',
      profile: PROFILES.find((known) => known === one('profile')) ?? 'xlsx',
    }),
  );
  return typeof made === 'string' ? redirect(`/receipts/archives/${made}`) : messageOf(made);
}

/** Requests everything that an archive is missing, now. */
export async function askForMissing(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const asked = await moneyAction((actor) => askForGaps(actor, String(form.get('id') ?? '')));
  if (typeof asked !== 'number') return messageOf(asked);
  revalidatePath('/receipts', 'layout');
  return {
    ok: true,
    text: (await getTranslations('receipts.archives'))('askedAll', { count: asked }),
  };
}
