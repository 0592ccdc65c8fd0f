import { describe, expect, it } from 'vitest';
import { readTypedRules } from './form.ts';

const typed = (given: Record<string, unknown> = {}) => ({
  when: 'amount',
  classes: ['payout'],
  wallets: '',
  amount: '25.000,00',
  currency: 'TRY',
  approvals: '1',
  who: 'approver',
  ...given,
});
const read = (...rules: unknown[]) => readTypedRules(JSON.stringify(rules), 'tr');

describe('typed rules', () => {
  it('are read with the amount as the person’s language writes it', () => {
    expect(read(typed({ wallets: '4410270001, 4410270002', approvals: '2' }))).toEqual({
      kind: 'rules',
      rules: [
        {
          when: 'amount',
          classes: ['payout'],
          wallets: ['4410270001', '4410270002'],
          fromMinor: 2_500_000n,
          currency: 'TRY',
          approvals: 2,
          who: 'approver',
        },
      ],
    });
    expect(read()).toEqual({ kind: 'rules', rules: [] });
  });

  it.each([
    { amount: 'abc' },
    { amount: '0' },
    { amount: '100 USD' },
    { classes: [] },
    { wallets: 'main' },
    { wallets: Array.from({ length: 21 }, (_, n) => String(1000 + n)).join(' ') },
    { currency: 'ABC' },
    { approvals: '0' },
    { who: 'clerk' },
    { when: 'never' },
  ])('name the first that cannot be read: %o', (given) => {
    expect(read(typed(), typed(given))).toEqual({ kind: 'incomplete', number: 2 });
  });

  it('name each class and wallet once', () => {
    const given = { classes: ['payout', 'payout', 'refund'], wallets: '4410270001 4410270001' };
    expect(read(typed(given))).toMatchObject({
      rules: [{ classes: ['payout', 'refund'], wallets: ['4410270001'] }],
    });
  });

  it('are refused whole when they are no list', () => {
    for (const text of ['', 'null', '{}', '"x"'])
      expect(readTypedRules(text, 'tr').kind).toBe('incomplete');
  });
});
