import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSnapshot, saw, sawAllOf } from './snapshot.ts';

/** What a reading at a snapshot saw, and which of two readings saw more. */

const FIRST = 5;
const LAST = 12;
const snapshots = fc
  .record({
    next: fc.integer({ min: FIRST, max: LAST }),
    below: fc.subarray(Array.from({ length: LAST - FIRST }, (_, n) => FIRST + n)),
  })
  .map(({ next, below }) => {
    const open = below.filter((tx) => tx < next);
    return `${open[0] ?? next}:${next}:${open.join(',')}`;
  });
const transactions = Array.from({ length: LAST + 2 }, (_, tx) => String(tx));

test('a reading saw what was over, not what was open or had not begun', () => {
  const seen = transactions.filter((tx) => saw('7:11:7,9', tx));
  expect(seen).toEqual(['0', '1', '2', '3', '4', '5', '6', '8', '10']);
});

test('a reading saw all of another exactly when it saw each of its transactions', () => {
  fc.assert(
    fc.property(snapshots, snapshots, (later, earlier) => {
      const all = transactions.every((tx) => !saw(earlier, tx) || saw(later, tx));
      expect(sawAllOf(later, earlier)).toBe(all);
    }),
  );
});

test.each(['', '1', '1:2', '1:2:3,', ':2:', 'a:b:c', '1:2:3 ', `1:2:${'9,'.repeat(2_000)}9`, null])(
  'what PostgreSQL does not print is no snapshot: %s',
  (text) => expect(isSnapshot(text)).toBe(false),
);
