import { Children, isValidElement } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { WalletMovement } from '#lib/wallets/movements.ts';
import { MovementTable } from './movement-table.tsx';

/** The two columns of money in the list of a wallet's entries. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string, values?: { amount?: string }) =>
    values?.amount === undefined ? key : `${key} ${values.amount}`,
  getLocale: async () => 'en',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#app/reports/transactions/status-pill.tsx', () => ({ StatusPill: 'span' }));
vi.mock('#app/receipts/receipt-link.tsx', () => ({ ReceiptLink: 'a' }));
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('#components/ui/table.tsx', () => ({ Cell: 'td', Head: 'th', Row: 'tr', Table: 'table' }));
vi.mock('#components/when.tsx', () => ({ When: 'time' }));

const entry = {
  ...{ transactionId: '1', kind: 'transfer', type: null, status: 'completed', statusText: null },
  ...{ amount: '100.00', currency: 'TRY', at: null, completedAt: null, description: null },
  ...{ otherWallet: null, extId: null, receiptNumber: null, refersTo: null, payoutId: null },
} as const;

it.each<[WalletMovement['direction'], fee: string, columns: [into: string, out: string]]>([
  ['in', '0.70', ['+₺100.00 feeIs ₺0.70', '']],
  ['in', '0.00', ['+₺100.00', '']],
  ['out', '6.40', ['', '−₺100.00 feeIs ₺6.40']],
  ['out', '0.00', ['', '−₺100.00']],
])(
  'money that goes %s is in its column, with the fee of %s that the wallet paid',
  async (direction, fee, columns) => {
    const table = await MovementTable({
      rows: [{ ...entry, direction, fee }],
      filter: { from: '2026-03-01', to: '2026-03-31' },
      now: '2026-03-31T09:00:00Z',
      receipts: new Map(),
    } as unknown as ComponentProps<typeof MovementTable>);
    const cells = (await drawnIn(table)).filter(({ type }) => type === 'td').slice(-2);
    expect(cells.map(({ props }) => textOf(props.children))).toEqual(columns);
  },
);

type Found = ReactElement<{ children?: ReactNode }>;

/** The elements of the list, with those of its own components. */
async function drawnIn(node: ReactNode): Promise<Found[]> {
  const all: Found[] = [];
  for (const one of Children.toArray(node)) {
    if (!isValidElement<Found['props']>(one)) continue;
    all.push(one);
    const { type, props } = one;
    const draw = type as (props: object) => Promise<ReactNode>;
    all.push(...(await drawnIn(typeof type === 'function' ? await draw(props) : props.children)));
  }
  return all;
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((one) => (isValidElement<Found['props']>(one) ? textOf(one.props.children) : String(one)))
    .join(' ');
}
