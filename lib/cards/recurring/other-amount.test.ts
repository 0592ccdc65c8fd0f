import { expect, test } from 'vitest';
import { isOtherAmount } from './charge.ts';
import type { KnownCharge } from './plan.ts';

test('a charge that took more or less than was asked for is flagged, and only one that did', () => {
  const taken: KnownCharge = {
    id: null,
    orderId: 'VP2',
    number: 2,
    amountMinor: '12340',
    status: 'completed',
    at: null,
    attempts: 1,
    remarks: null,
  };
  expect(isOtherAmount(12_339n, taken), 'more').toBe(true);
  expect(isOtherAmount(12_341n, taken), 'less').toBe(true);
  expect(isOtherAmount(12_340n, taken)).toBe(false);
});
