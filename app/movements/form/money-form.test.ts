import { expect, test } from 'vitest';
import { mayBeStored } from './money-form.ts';

test('a payment is called unsent only where nothing can have been stored', () => {
  expect(mayBeStored({ kind: 'unreachable' })).toBe(true);
  expect(mayBeStored({ kind: 'failed', errorId: 'an id' })).toBe(true);
  expect(mayBeStored({ kind: 'refused', code: 'not_allowed', params: {} })).toBe(false);
  expect(mayBeStored({ kind: 'outdated' })).toBe(false);
  expect(mayBeStored({ kind: 'signed_out' })).toBe(false);
  expect(mayBeStored(null)).toBe(false);
});
