import { isValidElement } from 'react';
import { createTranslator } from 'use-intl/core';
import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { NO_CARD_FILTER } from '#lib/cards/payments/filter.ts';
import type { Sales } from '#lib/cards/payments/sales.ts';
import tr from '../../../messages/tr/cards.json' with { type: 'json' };
import { SalesPanel } from './sales.tsx';

/** The heading of the sales above the list of card payments. */

const shown = vi.hoisted(() => ({ days: [] as string[] }));
vi.mock('next-intl/server', () => ({
  getTranslations: async () =>
    createTranslator({ locale: 'tr', messages: tr, namespace: 'sales' as never }),
  getLocale: async () => 'tr',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#app/wallets/flow/plot.tsx', () => ({ Plot: () => null }));
vi.mock('#components/ui/link.tsx', () => ({ Link: () => null }));
vi.mock('#components/ui/panel.tsx', () => ({ Panel: () => null }));
vi.mock('#components/ui/table.tsx', () => ({}));
vi.mock('./installments.tsx', () => ({ Installments: () => null }));
vi.mock('#lib/runtime/workspace.ts', () => ({
  workspace: () => ({ timeZone: 'Europe/Istanbul' }),
}));
vi.mock('#lib/cards/payments/sales.ts', () => ({
  LIRA: 'TRY',
  salesFilter: () => null,
  viewSales: async (): Promise<Sales> => ({
    days: shown.days.map((day) => ({ day, sold: 100n })),
    sold: { sum: 100n, count: 1 },
    attempts: { sold: 1, failed: 0, unused_link: 0, undecided: 0 },
  }),
}));

async function headingOf(...days: string[]): Promise<string> {
  shown.days = days;
  const panel = await SalesPanel({
    person: { role: 'auditor' } as Person,
    filter: NO_CARD_FILTER,
    now: '2026-11-28T12:00:00Z',
  });
  if (!isValidElement<{ title: string }>(panel)) throw new Error('there is no panel');
  return panel.props.title;
}

it('names a single day once, and a range by its two ends', async () => {
  expect(await headingOf('2026-11-28')).toBe('Satışlar, 28 Kas 2026');
  expect(await headingOf('2026-11-27', '2026-11-28')).toBe('Satışlar, 27 Kas 2026 – 28 Kas 2026');
});
