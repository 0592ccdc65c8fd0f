import { expect, test } from 'vitest';
import { heldWhy, mayConfirm, SECOND_PERSON_WINDOW_MS } from './held.ts';
import type { HeldFacts } from './held.ts';

const BEGAN = 1_000_000;
const facts = (more: Partial<HeldFacts>): HeldFacts => ({
  createdAt: BEGAN - 1,
  recoveryBeganAt: BEGAN,
  confirmedAt: null,
  isFirstOfCardBalance: false,
  foundAgainAt: null,
  now: BEGAN + 5,
  ...more,
});

test.each([
  ['older than the recovery waits', {}, 'older'],
  ['confirmed since does not', { confirmedAt: BEGAN + 1 }, null],
  ['confirmed before the recovery waits', { confirmedAt: BEGAN - 1 }, 'older'],
  ['prepared after it began does not', { createdAt: BEGAN + 1 }, null],
  ['without any recovery does not', { recoveryBeganAt: null }, null],
  [
    'found by the recovery after it was prepared waits',
    { createdAt: BEGAN + 1, foundAgainAt: BEGAN + 2 },
    'found_again',
  ],
  [
    'found by the recovery and confirmed does not',
    { createdAt: BEGAN + 1, foundAgainAt: BEGAN + 2, confirmedAt: BEGAN + 3 },
    null,
  ],
  [
    'confirmed before the recovery found it waits again',
    { confirmedAt: BEGAN + 1, foundAgainAt: BEGAN + 2 },
    'found_again',
  ],
  [
    'first of the card balance to its payee waits',
    { createdAt: BEGAN + 1, isFirstOfCardBalance: true },
    'first_to_payee',
  ],
  [
    'first of the card balance, confirmed, does not',
    { createdAt: BEGAN + 1, isFirstOfCardBalance: true, confirmedAt: BEGAN + 2 },
    null,
  ],
  [
    'first of the card balance after the window does not',
    { createdAt: BEGAN + 1, isFirstOfCardBalance: true, now: BEGAN + SECOND_PERSON_WINDOW_MS },
    null,
  ],
] as const)('what is %s', (_what, more, why) => {
  expect(heldWhy(facts(more))).toBe(why);
});

test('of the card balance the maker may not say "send it"; of anything else anybody with the right', () => {
  expect(mayConfirm({ needsOther: true, makerId: 'a' }, 'a')).toBe(false);
  expect(mayConfirm({ needsOther: true, makerId: 'a' }, 'b')).toBe(true);
  expect(mayConfirm({ needsOther: false, makerId: 'a' }, 'a')).toBe(true);
});
