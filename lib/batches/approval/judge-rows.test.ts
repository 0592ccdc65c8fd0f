import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '#lib/policy/rules.ts';
import { judgeRows } from './judge-rows.ts';

const SPLIT: PolicyRule = {
  ...{ classes: ['payout'], wallets: [], when: 'split', currency: 'TRY' },
  ...{ fromMinor: 100_000n, approvals: 1, who: 'approver' },
};

/** How many approvals rows need that pay these amounts to these accounts. */
function needed(...rows: [iban: string, amountMinor: bigint][]): number {
  return judgeRows(
    [SPLIT],
    {
      ...{ wallet: '1000000001', currency: 'TRY' },
      rows: rows.map(([iban, amountMinor]) => ({ iban, name: iban, amountMinor })),
    },
    { byMaker: [], toPayees: new Map(), isFirst: () => false, isChanged: () => false },
  ).needed;
}

describe('the rows of a batch', () => {
  it('that divide a payment to one account are judged by what that account gets', () => {
    expect(needed(['TR1', 60_000n], ['TR2', 1n], ['TR1', 40_000n])).toBe(1);
    expect(needed(['TR1', 60_000n], ['TR2', 1n], ['TR1', 39_999n])).toBe(0);
  });

  it('to several accounts divide nothing, whatever their sum', () => {
    expect(needed(['TR1', 60_000n], ['TR2', 60_000n], ['TR3', 60_000n])).toBe(0);
  });
});
