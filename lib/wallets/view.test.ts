import { describe, expect, it, vi } from 'vitest';
import { totalsOf } from './view.ts';
import type { WalletView } from './view.ts';

vi.mock('./ask.ts', () => ({}));

const wallet = (parts: Partial<WalletView>): WalletView =>
  ({ number: '1', currency: 'TRY', access: 'active', available: '100.00', ...parts }) as WalletView;

describe('what the wallets hold together', () => {
  it('is summed a currency, and what lies in a blocked, banned or closed wallet is not called available', () => {
    expect(
      totalsOf([
        wallet({}),
        wallet({ access: 'blocked', available: '7.05' }),
        wallet({ access: 'unknown', available: '0.50' }),
        wallet({ access: 'closed', available: '0.01' }),
        wallet({ currency: 'USD' }),
      ]),
    ).toEqual([
      {
        currency: 'TRY',
        count: 2,
        available: '100.50',
        stopped: { currency: 'TRY', count: 2, available: '7.06' },
      },
      { currency: 'USD', count: 1, available: '100.00', stopped: null },
    ]);
  });

  it('is not known where one part is not', () => {
    expect(totalsOf([wallet({}), wallet({ available: null })])).toMatchObject([
      { available: null, stopped: null },
    ]);
    expect(totalsOf([wallet({}), wallet({ access: 'banned', available: null })])).toMatchObject([
      { available: '100.00', stopped: { available: null } },
    ]);
  });
});
