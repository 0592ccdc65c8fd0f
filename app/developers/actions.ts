'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type { Person } from '#lib/access/actor.ts';
import { moneyAction } from '#lib/login/action.ts';
import { confirmKey } from '#lib/programs/keys/confirm.ts';
import { makeKey } from '#lib/programs/keys/make.ts';
import { revokeKey } from '#lib/programs/keys/revoke.ts';
import { KEY_RIGHTS } from '#lib/programs/keys/rights.ts';
import { sendAgain, sendPing } from '#lib/programs/outgoing/deliveries.ts';
import { removeEndpoint, rotateSecret, setEndpoint } from '#lib/programs/outgoing/endpoint.ts';
import type { SecretMessage } from './secret-button.tsx';

/** Makes an API key. Its secret is in this answer alone. Each verb checks the role. */
export async function makeKeyNow(_before: SecretMessage, form: FormData): Promise<SecretMessage> {
  const done = await moneyAction((actor) =>
    makeKey(actor, {
      name: text(form, 'name'),
      rights: KEY_RIGHTS.filter((right) => form.has(`right:${right}`)),
      wallet: text(form, 'wallet'),
      reason: text(form, 'reason'),
    }),
  );
  if (!('secret' in done)) return messageOf(done);
  revalidatePath('/developers', 'layout');
  const t = await getTranslations('developers.make');
  return {
    ok: true,
    text: `${t('done')} ${t(done.waits ? 'waits' : 'works')}`,
    secret: done.secret,
  };
}

export async function confirmKeyNow(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return carryOut('keys.results.confirmed', (actor) => confirmKey(actor, text(form, 'id')));
}

export async function revokeKeyNow(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut('keys.results.revoked', (actor) => revokeKey(actor, text(form, 'id')));
}

/** Sets the address of the webhooks; the first time with a secret. */
export async function setEndpointNow(
  _before: SecretMessage,
  form: FormData,
): Promise<SecretMessage> {
  return withSecret(() => moneyAction((actor) => setEndpoint(actor, text(form, 'url'))));
}

/** Makes a new secret for the webhooks. */
export async function rotateSecretNow(
  _before: SecretMessage,
  _form: FormData,
): Promise<SecretMessage> {
  return withSecret(() => moneyAction((actor) => rotateSecret(actor)));
}

export async function removeEndpointNow(
  _before: ActionMessage,
  _form: FormData,
): Promise<ActionMessage> {
  return carryOut('webhooks.removed', (actor) => removeEndpoint(actor));
}

export async function sendPingNow(_before: ActionMessage, _form: FormData): Promise<ActionMessage> {
  return carryOut('webhooks.pinged', (actor) => sendPing(actor));
}

export async function sendAgainNow(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  return carryOut('webhooks.sentAgain', (actor) => sendAgain(actor, text(form, 'id')));
}

async function withSecret(
  verb: () => ReturnType<typeof moneyAction<{ secret: string | null }>>,
): Promise<SecretMessage> {
  const done = await verb();
  if (!('secret' in done)) return messageOf(done);
  revalidatePath('/developers', 'layout');
  const t = await getTranslations('developers.webhooks');
  return done.secret === null
    ? { ok: true, text: t('saved') }
    : { ok: true, text: t('secretText'), secret: done.secret };
}

type Result =
  | 'keys.results.confirmed'
  | 'keys.results.revoked'
  | 'webhooks.removed'
  | 'webhooks.pinged'
  | 'webhooks.sentAgain';

async function carryOut(
  result: Result,
  verb: (actor: Person) => Promise<void>,
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/developers', 'layout');
  return { ok: true, text: (await getTranslations('developers'))(result) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
