import { isValidElement } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { MonthView } from '#lib/reports/day-close/view.ts';
import { MonthTable } from './month-table.tsx';

/** The last line of a month's table, before it is drawn. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: () => null }));
vi.mock('#components/ui/pill.tsx', () => ({ ICON_HAND: null, Pill: () => null }));
vi.mock('#components/ui/table.tsx', () => ({
  Table: () => null,
  Head: () => null,
  Row: () => null,
  Cell: () => null,
}));

function textOf(tree: ReactNode): string {
  if (Array.isArray(tree)) return tree.map(textOf).join(' ');
  if (isValidElement<{ children?: ReactNode }>(tree)) return textOf(tree.props.children);
  return typeof tree === 'string' ? tree : '';
}

async function sumsOf(sums: MonthView['sums']): Promise<string> {
  const view = { wallet: { currency: 'TRY' }, days: [] as MonthView['days'], sums } as MonthView;
  const table = (await MonthTable({
    view,
    caption: '',
    open: null,
    address: () => '',
  })) as ReactElement<{ children: ReactNode[] }>;
  const line = table.props.children.at(-1) as ReactElement<object, (props: object) => ReactNode>;
  return textOf(line.type(line.props));
}

it('sums a month with the signs of its days', async () => {
  const text = await sumsOf({ in: '1187997.44', out: '290732.59', fees: '174.00' });
  expect(text).toMatch(/\+₺1\.187\.997,44 .*−₺290\.732,59 .*−₺174,00/);
});

it('sums nothing as a dash, as the days do', async () => {
  expect(await sumsOf({ in: '0.00', out: '0.00', fees: '0.00' })).not.toMatch(/[+−₺]/);
});
