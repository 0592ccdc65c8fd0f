'use server';

import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { getLocale, getTranslations } from 'next-intl/server';
import { messageOf } from '#app/action-message.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import type { Person } from '#lib/access/actor.ts';
import { moneyAction } from '#lib/login/action.ts';
import { chooseNotifications } from '#lib/notifications/choose.ts';
import { addPushDevice, removePushDevice } from '#lib/notifications/push/devices.ts';
import { markAllNotificationsRead, markNotificationRead } from '#lib/notifications/mark-read.ts';

/** The person has read one notification. */
export async function readNotification(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act((actor) => markNotificationRead(actor, String(form.get('id') ?? '')), 'marked');
}

/** The person has read everything that their page showed or counted. */
export async function readAllNotifications(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  return act((actor) => markAllNotificationsRead(actor, String(form.get('until') ?? '')), 'marked');
}

/** What the person is told, by which channel, and their quiet hours. */
export async function chooseChannels(
  _before: ActionMessage,
  form: FormData,
): Promise<ActionMessage> {
  const all = (name: string): string[] => form.getAll(name).map(String);
  const time = (name: string): string => String(form.get(name) ?? '');
  return act(
    (actor) =>
      chooseNotifications(actor, {
        app: all('app'),
        mail: all('mail'),
        push: all('push'),
        quiet: { from: time('from'), to: time('to') },
      }),
    'choices.saved',
  );
}

/** The browser in which the person sits shows notifications from now on. */
export async function addDevice(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const text = (name: string): string => String(form.get(name) ?? '');
  return act(
    async (actor) =>
      addPushDevice(actor, {
        endpoint: text('endpoint'),
        p256dh: text('p256dh'),
        auth: text('auth'),
        identity: text('identity'),
        locale: await getLocale(),
        agent: (await headers()).get('user-agent'),
      }),
    'devices.added',
  );
}

/** A device of the person shows none any more: named by its id, or by its browser's endpoint. */
export async function removeDevice(_before: ActionMessage, form: FormData): Promise<ActionMessage> {
  const endpoint = form.get('endpoint');
  return act(
    (actor) =>
      removePushDevice(
        actor,
        typeof endpoint === 'string' ? { endpoint } : { id: String(form.get('id') ?? '') },
      ),
    'devices.removed',
  );
}

async function act(
  verb: (actor: Person) => Promise<void>,
  result: 'marked' | 'choices.saved' | 'devices.added' | 'devices.removed',
): Promise<ActionMessage> {
  const done = await moneyAction(async (actor) => {
    await verb(actor);
    return 'done' as const;
  });
  if (done !== 'done') return messageOf(done);
  revalidatePath('/notifications');
  revalidatePath('/settings');
  return { ok: true, text: (await getTranslations('notifications'))(result) };
}
