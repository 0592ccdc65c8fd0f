import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Button } from '#components/ui/button.tsx';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { ThisDevice } from './this-device.tsx';

/** What a press shows in a browser that has no service worker, or no subscription any more. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
}));
// The links of Next.js need the complete React, and the actions a server.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#app/notifications/actions.ts', () => ({}));
vi.mock('#components/unanswered.ts', () => ({ orUnanswered: async () => null }));

const ENDPOINT = 'https://push.example/1';
const WORDS = {
  states: { checking: 'Checking', off: 'Off', on: 'On', failed: 'Failed' },
  ...{ add: 'Show here', stop: 'Stop' },
};
const subscription = {
  endpoint: ENDPOINT,
  options: { applicationServerKey: new Uint8Array([1]).buffer },
  unsubscribe: async () => true,
};
const has = { worker: false, subscription: false };
const getSubscription = async () => (has.subscription ? subscription : null);
const registration = { pushManager: { getSubscription } };

beforeEach(() => {
  hooks.held = [];
  Object.assign(has, { worker: false, subscription: false });
  vi.stubGlobal('window', { isSecureContext: true, PushManager: {}, Notification: {} });
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: async () => 'granted',
  });
  vi.stubGlobal('navigator', {
    serviceWorker: {
      ready: new Promise(() => undefined),
      register: async () => {
        throw new Error('forbidden');
      },
      getRegistration: async () => (has.worker ? registration : undefined),
    },
  });
});

type Found = React.ReactElement<{
  children?: React.ReactNode;
  role?: string;
  onClick?: () => void;
}>;

function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) =>
    isValidElement<Found['props']>(child) ? [child, ...elementsIn(child.props.children)] : [],
  );
}

function drawn(marks: readonly string[] = []): { says: React.ReactNode; press: () => void } {
  hooks.next = 0;
  const all = elementsIn(ThisDevice({ identity: 'AQ', marks, words: WORDS }));
  runEffects();
  return {
    says: all.find(({ props }) => props.role === 'status')?.props.children,
    press: () => all.find(({ type }) => type === Button)?.props.onClick?.(),
  };
}

it('a browser that forbids service workers is shown to have failed, and does not wait for ever', async () => {
  drawn();
  await vi.waitFor(() => expect(drawn().says).toBe('Off'), 15_000);
  drawn().press();
  await vi.waitFor(() => expect(drawn().says).toBe('Failed'), 15_000);
});

it('stopping where the browser has no subscription any more shows that it is off', async () => {
  Object.assign(has, { worker: true, subscription: true });
  const marks = [await sha256(ENDPOINT)];
  drawn(marks);
  await vi.waitFor(() => expect(drawn(marks).says).toBe('On'), 15_000);
  has.subscription = false;
  drawn(marks).press();
  await vi.waitFor(() => expect(drawn(marks).says).toBe('Off'), 15_000);
});

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  );
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
