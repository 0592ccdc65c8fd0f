import { expect, test } from 'vitest';
import { unreadOperation } from './unread.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 28, 12, minute)).toISOString();
const capture = (state: 'COMPLETED' | 'UNKNOWN' | 'FAILED', endedAt: string | null) =>
  ({ operation: 'capture', amount: '50.25', currency: 'TRY', state, endedAt }) as const;

test('a capture that ended after the last reading of the record is not in the record', () => {
  for (const state of [null, 'pending', 'held', 'maybe_captured'] as const)
    expect(
      unreadOperation({ verifiedAt: at(1), state }, [capture('COMPLETED', at(2))]),
    ).not.toBeNull();
  expect(
    unreadOperation({ verifiedAt: at(1), state: 'held' }, [capture('COMPLETED', at(2))]),
  ).toMatchObject({
    operation: 'capture',
    amount: '50.25',
    endedAt: at(2),
  });
  expect(
    unreadOperation({ verifiedAt: null, state: null }, [capture('COMPLETED', at(2))]),
  ).not.toBeNull();
});

test('a record that was read at the end of the capture, or after it, says what became of it', () => {
  for (const verifiedAt of [at(2), at(3)])
    expect(
      unreadOperation({ verifiedAt, state: 'held' }, [capture('COMPLETED', at(2))]),
    ).toBeNull();
});

test('an operation that is not completed is no news about the money', () => {
  const others = [capture('FAILED', at(9)), capture('UNKNOWN', null)];
  expect(unreadOperation({ verifiedAt: at(1), state: 'held' }, others)).toBeNull();
  expect(unreadOperation({ verifiedAt: at(1), state: 'held' }, [])).toBeNull();
});

test('of several the last one is named, in whatever order they come', () => {
  const two = [capture('COMPLETED', at(2)), capture('COMPLETED', at(4))];
  for (const operations of [two, two.toReversed()])
    expect(unreadOperation({ verifiedAt: at(1), state: 'held' }, operations)?.endedAt).toBe(at(4));
});

test('a record that shows the capture or the void has read it; a refund may be one more', () => {
  const of = (operation: 'capture' | 'release' | 'refund', state: 'captured' | 'cancelled') =>
    unreadOperation({ verifiedAt: at(1), state }, [{ ...capture('COMPLETED', at(2)), operation }]);
  expect(of('capture', 'captured')).toBeNull();
  expect(of('release', 'cancelled')).toBeNull();
  expect(of('refund', 'captured')).not.toBeNull();
});
