import { expect, test } from 'vitest';
import { balancesAfter, balancesAfterPicked, sumsOf } from './balance-after.ts';

const wallet = (number: string, available: string | null) => ({
  number,
  name: `Wallet ${number}`,
  currency: 'TRY',
  available,
});

test('a wallet shows what is left after everything that waits; an unknown balance shows nothing', () => {
  const pending = new Map([
    ['1', 150_00n],
    ['2', 1n],
  ]);
  const shown = balancesAfter(
    [wallet('1', '100.00'), wallet('2', null), wallet('3', '5.00')],
    pending,
  );
  expect(shown).toEqual([{ ...wallet('1', '100.00'), after: '-50.00' }]);
});

test('what is ticked is summed by currency, and each wallet shows what is left after it alone', () => {
  const picked = [
    { wallet: '1', amount: '10.10', currency: 'TRY' },
    { wallet: '1', amount: '0.90', currency: 'TRY' },
    { wallet: '9', amount: '3.00', currency: 'USD' },
  ];
  expect(sumsOf(picked)).toEqual([
    { currency: 'TRY', amount: '11.00' },
    { currency: 'USD', amount: '3.00' },
  ]);
  const balances = balancesAfter(
    [wallet('1', '100.00'), wallet('2', '7.00')],
    new Map([
      ['1', 5_000n],
      ['2', 1n],
    ]),
  );
  expect(balancesAfterPicked(balances, picked)).toEqual([
    { ...wallet('1', '100.00'), after: '89.00' },
  ]);
  expect(sumsOf([])).toEqual([]);
});
