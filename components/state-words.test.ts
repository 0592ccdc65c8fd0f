import { describe, expect, test } from 'vitest';
import type { State } from '#lib/movements/state.ts';
import en from '../messages/en/states.json' with { type: 'json' };
import tr from '../messages/tr/states.json' with { type: 'json' };
import { toneOf, wordOf } from './state-words.ts';

const STATES: State[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'SUBMITTING',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
];
const RETURNS = ['NONE', 'REPORTED', 'CONFIRMED'] as const;
const ALL = STATES.flatMap((state) => RETURNS.map((returned) => ({ state, returned })));

describe('what a state looks like and is called', () => {
  test.each(ALL)('$state with return $returned has a word in both languages', (shown) => {
    expect(tr[wordOf(shown)]).toBeTruthy();
    expect(en[wordOf(shown)]).toBeTruthy();
  });

  test('only what is completed and was not returned looks settled', () => {
    expect(ALL.filter((shown) => toneOf(shown) === 'settled')).toEqual([
      { state: 'COMPLETED', returned: 'NONE' },
    ]);
  });

  test('only what did not happen looks failed; what nobody knows has a tone of its own', () => {
    expect(
      new Set(ALL.filter((shown) => toneOf(shown) === 'failed').map((shown) => shown.state)),
    ).toEqual(new Set(['REJECTED', 'FAILED']));
    expect(ALL.filter((shown) => toneOf(shown) === 'unknown').map((shown) => shown.state)).toEqual([
      'UNKNOWN',
      'UNKNOWN',
      'UNKNOWN',
    ]);
  });

  test('what was sent back is not called cancelled', () => {
    const back = { state: 'CANCELLED', returned: 'NONE', isSentBack: true } as const;
    expect(wordOf(back)).toBe('SENT_BACK');
    expect(tr[wordOf(back)]).toBeTruthy();
    expect(en[wordOf(back)]).toBeTruthy();
  });

  test('a return that is only announced is not called a return', () => {
    expect(wordOf({ state: 'COMPLETED', returned: 'REPORTED' })).toBe('RETURN_REPORTED');
    expect(toneOf({ state: 'COMPLETED', returned: 'REPORTED' })).toBe('attention');
  });
});
