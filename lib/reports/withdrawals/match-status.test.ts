import { expect, it } from 'vitest';
import { besideOurs } from './match-status.ts';

const request = {
  level: 'completed',
  amountMinor: 100n,
  currency: 'TRY',
  iban: 'tr33 0006 1005 1978 6457 8413 26',
} as const;
const payout = {
  state: 'COMPLETED',
  returned: 'NONE',
  amountMinor: 100n,
  currency: 'TRY',
  iban: 'TR330006100519786457841326',
} as const;

it.each([
  ['not ours', request, null, 'not_ours'],
  ['both paid', request, payout, 'agrees'],
  ['another amount', { ...request, amountMinor: 101n }, payout, 'differs'],
  ['another currency', { ...request, currency: 'USD' }, payout, 'differs'],
  ['another account', { ...request, iban: 'TR350006100519786457841327' }, payout, 'differs'],
  ['an account that the record does not name', { ...request, iban: null }, payout, 'agrees'],
  ['a payout to a wallet', request, { ...payout, iban: null }, 'agrees'],
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
