import { expect, it } from 'vitest';
import { besideOurs } from './match-status.ts';

const request = { level: 'completed', amountMinor: 100n, currency: 'TRY' } as const;
const payout = {
  state: 'COMPLETED',
  returned: 'NONE',
  amountMinor: 100n,
  currency: 'TRY',
} as const;

it.each([
  ['not ours', request, null, 'not_ours'],
  ['both paid', request, payout, 'agrees'],
  ['another amount', { ...request, amountMinor: 101n }, payout, 'differs'],
  ['another currency', { ...request, currency: 'USD' }, payout, 'differs'],
  ['theirs failed, ours paid', { ...request, level: 'failed' as const }, payout, 'differs'],
  ['theirs paid, ours never sent', request, { ...payout, state: 'CANCELLED' as const }, 'differs'],
  ['theirs paid, ours on its way', request, { ...payout, state: 'PENDING' as const }, 'behind'],
  [
    'returned, and theirs says not paid',
    { ...request, level: 'rejected' as const },
    { ...payout, returned: 'CONFIRMED' as const },
    'agrees',
  ],
])('%s', (_what, theirs, ours, expected) => {
  expect(besideOurs(theirs, ours)).toBe(expected);
});
