import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { expect, it, vi } from 'vitest';
import { MessageArea } from '#components/message-area.tsx';
import { PushDevices } from './push-devices.tsx';
import { Sessions } from './sessions.tsx';

/** Where the settings say that a session was ended, or a device removed: its row is gone by then. */

// The tests run without a page: the panels are called as functions.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  createContext: () => null,
}));
// These need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/pill.tsx', () => ({ Pill: 'span' }));
vi.mock('#components/ui/table.tsx', () => ({ Table: 'table', Head: 'th' }));
vi.mock('next-intl/server', () => ({
  getTranslations: async () => Object.assign((key: string) => key, { raw: (key: string) => key }),
  getLocale: async () => 'tr',
  getTimeZone: async () => 'UTC',
}));
vi.mock('#app/notifications/actions.ts', () => ({ removeDevice: null }));
vi.mock('./actions.ts', () => ({ endOneSession: null }));
vi.mock('./this-device.tsx', () => ({ ThisDevice: 'div' }));
vi.mock('#app/sign-out-button.tsx', () => ({ SignOutButton: 'button' }));

it.each([
  ['sessions', async () => Sessions({ sessions: [] })],
  ['devices', async () => PushDevices({ settings: { identity: '', devices: [] } })],
])('the %s have a place for the answer that stays when a row is gone', async (_what, draw) => {
  expect(typesIn(await draw())).toContain(MessageArea);
});

function typesIn(node: React.ReactNode): unknown[] {
  return Children.toArray(node)
    .filter((one) => isValidElement<{ children?: React.ReactNode }>(one))
    .flatMap((one) => [one.type, ...typesIn(one.props.children)]);
}
