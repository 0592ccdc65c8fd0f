import { expect, it } from 'vitest';
import { absolute, against, median, quantile, table, verdict } from './figures.ts';

it('a budget is met at its edge and missed beyond it, in both directions', () => {
  expect(verdict(against('', 90, 100, '', { atLeast: 0.9 }))).toBe('ok');
  expect(verdict(against('', 89, 100, '', { atLeast: 0.9 }))).toBe('short');
  expect(verdict(absolute('', 50, 'ms', { atMost: 50 }))).toBe('ok');
  expect(verdict(absolute('', 51, 'ms', { atMost: 50 }))).toBe('short');
});

it('what was not measured does not pass', () => {
  expect(verdict(absolute('', Number.NaN, 'ms', { atMost: 50 }))).toBe('short');
  expect(verdict({ what: '', ours: '', budget: { atMost: 1 } })).toBe('short');
  expect(verdict(absolute('', median([]), 'ms', { atLeast: 0 }))).toBe('short');
});

it('medians and percentiles are values that occurred', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
  expect(
    quantile(
      Array.from({ length: 100 }, (_, n) => n + 1),
      0.99,
    ),
  ).toBe(99);
});

it('the table shows each ratio beside its budget', () => {
  expect(
    table([
      against('payouts a second', 1800, 2000, '', { atLeast: 0.9 }),
      absolute('median', 12.34, 'ms', { atMost: 50 }, 'loopback'),
    ]),
  ).toBe(
    [
      '| What             | ours    | floor | ratio | budget |    | note     |',
      '| ---------------- | ------- | ----- | ----- | ------ | -- | -------- |',
      '| payouts a second | 1800    | 2000  | 0.9   | ≥ 0.9  | ok |          |',
      '| median           | 12.3 ms |       |       | ≤ 50   | ok | loopback |',
    ].join('\n'),
  );
});
