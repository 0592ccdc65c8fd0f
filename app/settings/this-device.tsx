'use client';

import { startTransition, useActionState, useEffect, useEffectEvent, useState } from 'react';
import type { ReactNode } from 'react';
import { addDevice, removeDevice } from '#app/notifications/actions.ts';
import type { ActionMessage } from '#components/action-button.tsx';
import { orUnanswered } from '#components/unanswered.ts';
import { Button } from '#components/ui/button.tsx';

const SERVICE_WORKER = '/service-worker.js';

type State = 'checking' | 'unsupported' | 'insecure' | 'denied' | 'off' | 'on' | 'failed';
type Props = {
  /** The public key for which a subscription is made. */
  identity: string;
  /** SHA-256 of the endpoints that the server has for this person. */
  marks: readonly string[];
  words: { states: Record<string, string>; add: string; stop: string };
};

/** Whether this browser shows notifications, with a button to begin and to stop. */
export function ThisDevice({ identity, marks, words }: Props): ReactNode {
  const [state, setState] = useState<State>('checking');
  const [message, submit, pending] = useActionState(
    (before: ActionMessage, form: FormData): Promise<ActionMessage> =>
      orUnanswered((form.has('identity') ? addDevice : removeDevice)(before, form), 'reload'),
    null,
  );
  const look = useEffectEvent(async () => setState(await stateOf(identity, marks)));
  const known = marks.join(' ');
  useEffect(() => void look(), [known]);

  const begin = async (): Promise<void> => {
    if ((await Notification.requestPermission()) !== 'granted') {
      setState(Notification.permission === 'denied' ? 'denied' : 'off');
      return;
    }
    const subscription = await subscribe(identity).catch(() => null);
    const form = subscription && formOf(subscription, identity);
    if (form === null) setState('failed');
    else startTransition(() => submit(form));
  };
  const stop = async (): Promise<void> => {
    const subscription = await currentSubscription();
    if (subscription === null) return setState('off');
    const form = new FormData();
    form.set('endpoint', subscription.endpoint);
    await subscription.unsubscribe().catch(() => false);
    startTransition(() => submit(form));
  };
  const isProblem = message?.ok === false && (state === 'on' || state === 'off');
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="font-medium">
        {isProblem ? message.text : words.states[state]}
      </p>
      {(state === 'off' || state === 'failed') && (
        <Button type="button" disabled={pending} onClick={() => void begin()}>
          {words.add}
        </Button>
      )}
      {state === 'on' && (
        <Button type="button" disabled={pending} onClick={() => void stop()}>
          {words.stop}
        </Button>
      )}
    </div>
  );
}

async function stateOf(identity: string, marks: readonly string[]): Promise<State> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await currentSubscription();
  if (subscription === null || !isFor(subscription, identity)) return 'off';
  const bytes = new TextEncoder().encode(subscription.endpoint);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const mark = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return marks.includes(mark) ? 'on' : 'off';
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** A subscription that was made for an older key of this installation is given up first. */
async function subscribe(identity: string): Promise<PushSubscription> {
  // Fails where the browser forbids service workers: `ready` alone would wait for one for ever.
  const registration = await navigator.serviceWorker.register(SERVICE_WORKER);
  await navigator.serviceWorker.ready;
  const before = await registration.pushManager.getSubscription();
  if (before !== null) {
    if (isFor(before, identity)) return before;
    await before.unsubscribe();
  }
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(identity),
  });
}

function isFor(subscription: PushSubscription, identity: string): boolean {
  const key = subscription.options.applicationServerKey;
  return key !== null && textOf(key) === identity;
}

function formOf(subscription: PushSubscription, identity: string): FormData | null {
  const [p256dh, auth] = [subscription.getKey('p256dh'), subscription.getKey('auth')];
  if (p256dh === null || auth === null) return null;
  const form = new FormData();
  form.set('endpoint', subscription.endpoint);
  form.set('p256dh', textOf(p256dh));
  form.set('auth', textOf(auth));
  form.set('identity', identity);
  return form;
}

/** Bytes as base64url without padding, and back. */
function textOf(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
