import { isValidElement } from 'react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import type { WalletView } from '#lib/wallets/view.ts';
import { WalletCard } from './wallet-card.tsx';

/** A wallet's card on the home page, before it is drawn. */

vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => 'tr',
}));
// Nothing is drawn, and these need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: () => null }));
vi.mock('#components/ui/panel.tsx', () => ({ Skeleton: () => null }));
vi.mock('#components/wallet-access.tsx', () => ({ WalletAccessPill: () => null }));

function textOf(tree: ReactNode): string {
  if (Array.isArray(tree)) return tree.map(textOf).join(' ');
  if (isValidElement<{ children?: ReactNode }>(tree)) return textOf(tree.props.children);
  return typeof tree === 'string' ? tree : '';
}

async function cardOf(access: WalletView['access']): Promise<string> {
  const wallet = {
    name: 'Teminat Cüzdanı',
    number: '4410270004',
    currency: 'TRY',
    access,
    available: '200000.00',
    blocked: '0.00',
    limits: [{ kind: 'withdrawal', left: '200000.00' }],
  } as WalletView;
  return textOf(await WalletCard({ wallet, fresh: true }));
}

it.each(['blocked', 'banned', 'closed'] as const)(
  'calls nothing of a %s wallet available, and says that no money leaves it',
  async (access) => {
    const card = await cardOf(access);
    expect(card).toContain('₺200.000,00');
    expect(card).toContain('balances');
    expect(card).toContain('nothingLeaves');
    expect(card).not.toMatch(/available|limitLeft/);
  },
);

it('shows what is available in an active wallet, and what is left of its limit', async () => {
  const card = await cardOf('active');
  expect(card).toMatch(/available.*₺200\.000,00.*limitLeft/);
  expect(card).not.toContain('nothingLeaves');
});
