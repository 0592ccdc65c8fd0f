import { expect, it } from 'vitest';
import { shortMoney, shortMoneys } from './short-money.ts';

it.each([
  [125_000_000n, '₺1,2\u00a0Mn', '₺1.2M'],
  [100_000_000n, '₺1\u00a0Mn', '₺1M'],
  [99_999_999n, '₺999,9\u00a0B', '₺999.9K'],
  [123_456_700_000_000n, '₺1.234,5\u00a0Mr', '₺1,234.5B'],
  [100_000n, '₺1\u00a0B', '₺1K'],
  [99_999n, '₺999', '₺999'],
  [0n, '₺0', '₺0'],
  [-250_000n, '−₺2,5\u00a0B', '−₺2.5K'],
])('%s is short, and never more than it is', (minor, tr, en) => {
  expect([shortMoney(minor, 'TRY', 'tr'), shortMoney(minor, 'TRY', 'en')]).toEqual([tr, en]);
});

it('of several, those that would look the same are whole', () => {
  expect(shortMoneys([120_000_000n, 130_000_000n], 'TRY', 'tr')).toEqual([
    '₺1,2\u00a0Mn',
    '₺1,3\u00a0Mn',
  ]);
  expect(shortMoneys([120_000_000n, 125_000_000n, 130_000_000n], 'TRY', 'tr')).toEqual([
    '₺1.200.000',
    '₺1.250.000',
    '₺1.300.000',
  ]);
  expect(shortMoneys([100n, 150n, 200n], 'TRY', 'en')).toEqual(['₺1.00', '₺1.50', '₺2.00']);
});
