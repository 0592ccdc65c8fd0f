import type { ReactElement } from 'react';
import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import type { StoppableKind } from '#lib/send-control/stops.ts';
import { SendingStopped } from './sending-stopped.tsx';

const off = new Set<StoppableKind>();

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string, values?: { kind?: string }) =>
    values?.kind === undefined ? key : `${key} ${values.kind}`,
  getLocale: async () => 'tr',
  getTimeZone: async () => 'Europe/Istanbul',
}));
// Nothing is drawn, and it needs the complete React.
vi.mock('#components/ui/banner.tsx', () => ({ Banner: () => null }));
vi.mock('#lib/send-control/view.ts', () => ({
  viewStop: async (_person: Person, kind: StoppableKind) => {
    const stopped = (['all', kind] as const).find((one) => off.has(one));
    const about = { cause: 'person', reason: 'x', by: 'y', since: '2026-11-28T00:00:00.000Z' };
    return stopped === undefined ? null : { ...about, kind: stopped };
  },
}));

/** The titles that the transfer form shows while these kinds are stopped. */
async function titlesWhile(...stopped: StoppableKind[]): Promise<string[]> {
  off.clear();
  for (const kind of stopped) off.add(kind);
  const shown = await SendingStopped({ person: {} as Person, kinds: TRANSFER_KINDS });
  return (shown as ReactElement<{ title: string }>[]).map(({ props }) => props.title);
}

it('a form of several kinds names each of them that is stopped, and no other', async () => {
  expect(await titlesWhile()).toEqual([]);
  expect(await titlesWhile('payout')).toEqual([]);
  expect(await titlesWhile('transfer_own')).toEqual(['form.titleOf kinds.transfer_own']);
  expect(await titlesWhile('transfer_person', 'transfer_business')).toEqual([
    'form.titleOf kinds.transfer_person',
    'form.titleOf kinds.transfer_business',
  ]);
  expect(await titlesWhile('all')).toEqual(['form.title']);
});
