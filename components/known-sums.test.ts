import { expect, test } from 'vitest';
import { knownSums } from './known-sums.ts';

const words = (sums: Parameters<typeof knownSums>[0]) =>
  knownSums(sums, 'tr', (count) => `${count} bilinmiyor`);

test('amounts that are not known stand beside the sum of the others, and are never a zero', () => {
  expect(words([{ currency: 'TRY', sum: '120.50', unknown: 0 }])).toEqual(['₺120,50']);
  expect(words([{ currency: 'TRY', sum: '120.50', unknown: 2 }])).toEqual([
    '₺120,50',
    '2 bilinmiyor',
  ]);
  expect(
    words([
      { currency: 'TRY', sum: null, unknown: 1 },
      { currency: 'USD', sum: null, unknown: 2 },
    ]),
  ).toEqual(['3 bilinmiyor']);
});
