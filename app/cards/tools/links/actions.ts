'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { moneyAction } from '#lib/login/action.ts';
import {
  readPanelLinkForm,
  readPanelLinkQuery,
  readReceiver,
} from '#lib/cards/tools/panel-link-form.ts';
import { makePanelLink, sendPanelLink } from '#lib/cards/tools/panel-links.ts';

/** Creates a payment link in the merchant panel, one for each press. */
export async function makeLinkInPanel(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const t = await getTranslations('cardTools.links');
  const read = readPanelLinkForm(Object.fromEntries(form));
  const done = await moneyAction(async (actor) =>
    read.ok ? makePanelLink(actor, read.form) : { kind: 'wrong' as const, error: read.error },
  );
  if (done.kind === 'wrong') return { ok: false, text: t(`errors.${done.error}`) };
  if (
    done.kind === 'signed_out' ||
    done.kind === 'failed' ||
    done.kind === 'fields' ||
    (done.kind === 'refused' && 'code' in done)
  )
    return messageOf(done);
  revalidatePath('/cards/tools/links');
  return { ok: done.kind === 'done', text: t(`made.${done.kind}`) };
}

/** Result of sending a link; `address` is the payer's page. */
export type LinkSent = (NonNullable<ActionMessage> & { address?: string }) | null;

export async function sendLinkFromPanel(_before: LinkSent, form: FormData): Promise<LinkSent> {
  const t = await getTranslations('cardTools.links');
  const to = readReceiver(form.get('way'), form.get('to'));
  const { open: id } = readPanelLinkQuery({ link: String(form.get('id') ?? '') });
  const use = form.get('use') === 'multi' ? 'multi' : 'single';
  const done = await moneyAction(async (actor) =>
    to !== null && id !== null ? sendPanelLink(actor, { id, use }, to) : { kind: 'wrong' as const },
  );
  if (done.kind === 'wrong') return { ok: false, text: t('errors.receiver') };
  if (
    done.kind === 'signed_out' ||
    done.kind === 'failed' ||
    done.kind === 'fields' ||
    (done.kind === 'refused' && 'code' in done)
  )
    return messageOf(done);
  return {
    ok: done.kind === 'done',
    text: t(`sent.${done.kind}`),
    ...(done.kind === 'done' ? { address: done.value.address } : {}),
  };
}
