import { expect, it } from 'vitest';
import { absolute } from './figures.ts';
import { pairedTable, pairsOf } from './paired.ts';

const round = (ours: number, theirs: number) => ({
  ours: [absolute('payouts a second', ours, '')],
  theirs: [absolute('payouts a second', theirs, '')],
});

it('the ratio of two products is the median of its pairs, not the ratio of medians', () => {
  // A machine that is twice as slow in the second pair slows both.
  const rows = pairedTable('HEAD~1', pairsOf([round(200, 100), round(90, 50), round(160, 100)]));
  expect(rows.split('\n').at(-1)).toBe('| payouts a second | 160 | 100 | 1.8 | 2, 1.8, 1.6 |');
});

it('what the earlier commit could not measure has no ratio', () => {
  const rows = pairedTable('HEAD~1', pairsOf([{ ours: [absolute('new', 2, '')], theirs: [] }]));
  expect(rows.split('\n').at(-1)).toBe('| new | 2 | – | – | – |');
});
