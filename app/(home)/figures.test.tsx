import { isValidElement } from 'react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import type { CardTotal } from '#lib/cards/payments/list.ts';
import { Figures } from './figures.tsx';

/** The figures of the home page, before they are drawn. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
  getTimeZone: async () => 'Europe/Istanbul',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: () => null }));
vi.mock('#components/known-first.tsx', () => ({ KnownFirst: () => null }));
vi.mock('#components/ui/panel.tsx', () => ({ Skeleton: () => null }));
vi.mock('#components/balances-as-of.tsx', () => ({ timeOf: async () => '' }));
vi.mock('#lib/payouts/list.ts', () => ({ sumPayouts: async () => [] }));
vi.mock('#lib/wallets/view.ts', () => ({ totalsOf: () => [] }));
vi.mock('./wallets.ts', () => ({ keptWalletsOf: async () => null, walletsOf: async () => null }));
vi.mock('#lib/cards/payments/authorizations.ts', () => ({
  sumAuthorizations: async () =>
    ['today', 'days3', 'days7', 'too_old', 'age_unknown'].map((bucket) => ({ bucket, sums: [] })),
}));
vi.mock('#lib/cards/payments/list.ts', () => ({
  sumCardPayments: async (): Promise<CardTotal[]> => [
    { part: 'taken', currency: 'TRY', count: 2, unknown: 0, sum: '200.00' },
    { part: 'failed', currency: 'TRY', count: 1, unknown: 0, sum: '999.00' },
    { part: 'partly_refunded', currency: 'TRY', count: 1, unknown: 0, sum: '50.10' },
    { part: 'refunded', currency: 'USD', count: 1, unknown: 1, sum: null },
    { part: 'held', currency: 'TRY', count: 1, unknown: 0, sum: '7.00' },
  ],
}));

type Line = { label: string; href: string; sums: unknown };

/** The element with that key in a tree that is not drawn yet. */
function elementOf(tree: ReactNode, key: string): { line: Line; lines: Line[] } | null {
  if (Array.isArray(tree))
    return tree.reduce<ReturnType<typeof elementOf>>(
      (found, one) => found ?? elementOf(one, key),
      null,
    );
  if (!isValidElement<{ children?: ReactNode; line: Line; lines: Line[] }>(tree)) return null;
  return tree.key === key ? tree.props : elementOf(tree.props.children, key);
}

it('counts a sale that was refunded since among the card sales, as the list that it opens', async () => {
  const cards = elementOf(await Figures({ person: { role: 'auditor' } as Person }), 'cards');
  const sales = [cards!.line, ...cards!.lines].filter(({ href }) => href.includes('part=sold'));
  expect(sales.map(({ label }) => label)).toEqual(['cards', 'week', 'sameDay']);
  for (const { sums } of sales)
    expect(sums).toEqual([
      { currency: 'TRY', unknown: 0, sum: '250.10' },
      { currency: 'USD', unknown: 1, sum: null },
    ]);
  expect(cards!.lines.find(({ label }) => label === 'held')!.sums).toEqual([
    { currency: 'TRY', unknown: 0, sum: '7.00' },
  ]);
});
