import { describe, expect, test } from 'vitest';
import {
  COMPARED_KINDS,
  comparisons,
  journalState,
  judgeLine,
  mayBeLost,
  notComparable,
} from './compare-journal.ts';
import type { JournalFacts } from './compare-journal.ts';

describe('a line of the send journal', () => {
  const waiting = { sends: 0, isWaiting: true, saysNotSent: false };
  test.each([
    [
      'that the books know of is matched',
      1,
      { sends: 1, isWaiting: false, saysNotSent: false },
      'matched',
    ],
    ['whose row waits and never left is recalled', 1, waiting, 'recall'],
    [
      'of a second send, whose row waits after a first one that never left, is recalled',
      2,
      { ...waiting, sends: 1 },
      'recall',
    ],
    ['of a send that came back unsent is matched', 1, { ...waiting, sends: 1 }, 'matched'],
    ['whose reference is unknown is lost', 1, null, 'lost'],
    [
      'whose row was called off contradicts the books',
      1,
      { sends: 0, isWaiting: false, saysNotSent: true },
      'contradiction',
    ],
    [
      'of a resend, whose row is unknown already, is matched',
      2,
      { sends: 1, isWaiting: false, saysNotSent: false },
      'matched',
    ],
  ] as const)('%s', (_what, attempt, entry, finding) => {
    expect(judgeLine(attempt, entry)).toBe(finding);
  });
});

describe('what was compared with what', () => {
  const whole: JournalFacts = { files: 1, lines: 3, unreadable: 0, missing: 0 };
  test('with a whole journal every kind was compared, and the card gateway has no list', () => {
    const all = comparisons(whole, true);
    expect(all.map((one) => one.kind)).toEqual(COMPARED_KINDS);
    expect(notComparable(all)).toEqual([]);
    expect(all.filter((one) => !one.hasList).map((one) => one.kind)).toEqual([
      'card_capture',
      'card_release',
      'card_refund',
      'cashout',
      'plan_charge',
      'card_charge',
    ]);
  });
  test.each([
    ['absent', { ...whole, files: 0 }],
    ['incomplete', { ...whole, missing: 1 }],
    ['incomplete', { ...whole, unreadable: 1 }],
    ['not_compared', null],
  ] as const)(
    'with a journal that is %s, what the gateway alone knows is named as not comparable',
    (state, facts) => {
      expect(journalState(facts)).toBe(state);
      expect(notComparable(comparisons(facts, true))).toEqual([
        'card_capture',
        'card_release',
        'card_refund',
        'cashout',
        'plan_charge',
        'card_charge',
      ]);
    },
  );
  test('without either nothing was compared', () => {
    expect(notComparable(comparisons(null, false))).toEqual(COMPARED_KINDS);
  });
});

describe('a send of a row that is older than a recovery', () => {
  const whole: JournalFacts = { files: 1, lines: 3, unreadable: 0, missing: 0 };
  test.each([
    ['was not lost when the whole journal lacks it', [{ journal: whole, named: false }], false],
    ['may be lost when a record names it', [{ journal: whole, named: true }], true],
    ['may be lost when nothing was compared', [{ journal: null, named: false }], true],
    ['may be lost without a journal', [{ journal: { ...whole, files: 0 }, named: false }], true],
    [
      'may be lost when the journal lacks others',
      [{ journal: { ...whole, missing: 1 }, named: false }],
      true,
    ],
    [
      'may be lost by one recovery of two',
      [
        { journal: whole, named: false },
        { journal: null, named: false },
      ],
      true,
    ],
    ['was not lost where no recovery is newer', [], false],
  ])('%s', (_what, olderThan, isLost) => {
    expect(mayBeLost(olderThan)).toBe(isLost);
  });
});
