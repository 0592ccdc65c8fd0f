import { describe, expect, it } from 'vitest';
import {
  closeClaims,
  closeRefusal,
  isLookFresh,
  lookSays,
  needsWrittenAnswer,
  peopleNeeded,
} from './closable.ts';
import type { CloseFacts, Look } from './closable.ts';
import { closingOf } from './closing.ts';

const NOW = 100 * 24 * 3_600_000;
const DAY = 24 * 3_600_000;
const QUIET = 30 * 60_000;

function facts(kind: string, more: Partial<CloseFacts> = {}): CloseFacts {
  const sent = NOW - DAY;
  return {
    kind,
    state: 'UNKNOWN',
    alert: null,
    lastSendAt: sent,
    unclearSince: sent,
    acceptedAt: null,
    stateSince: sent,
    notFoundReads: 3,
    ...more,
  };
}
const look = (says: Look['says'], ago = 0): Look => ({ says, at: NOW - ago });

describe('an unknown payout or transfer', () => {
  it.each(['payout', 'transfer_person', 'transfer_business', 'transfer_own'])(
    '%s is closed as not carried out a day after the first unclear moment, by a record that does not know it',
    (kind) => {
      expect(closeRefusal(facts(kind), 'not_done', look('not_found'), NOW, QUIET)).toBeNull();
      expect(
        closeRefusal(
          facts(kind, { unclearSince: NOW - DAY + 1 }),
          'not_done',
          look('not_found'),
          NOW,
          QUIET,
        ),
      ).toBe('close_not_a_day');
      expect(
        closeRefusal(facts(kind, { notFoundReads: 2 }), 'not_done', look('not_found'), NOW, QUIET),
      ).toBe('close_too_early');
      expect(
        closeRefusal(
          facts(kind, { lastSendAt: NOW - QUIET + 1 }),
          'not_done',
          look('not_found'),
          NOW,
          QUIET,
        ),
      ).toBe('close_too_early');
      expect([
        peopleNeeded(facts(kind), 'not_done', look('not_found')),
        needsWrittenAnswer(facts(kind), look('not_found')),
      ]).toEqual([2, true]);
    },
  );

  it.each([
    ['payout', 'unknown_level'],
    ['transfer_own', 'unknown_level'],
    ['card_refund', 'unknown_state'],
  ] as const)(
    '%s is closed by people when its record answers with a word that no table names (%s)',
    (kind, why) => {
      const says = lookSays(kind, { kind: 'no_answer', why });
      expect(says).toBe('cannot_say');
      for (const claim of ['done', 'not_done'] as const)
        expect(closeRefusal(facts(kind), claim, look(says), NOW, QUIET)).toBeNull();
    },
  );

  it('is not closed on absence alone, on silence, or against a record that speaks', () => {
    expect(closeRefusal(facts('payout'), 'not_done', null, NOW, QUIET)).toBe('close_unverified');
    expect(closeRefusal(facts('payout'), 'not_done', look('no_answer'), NOW, QUIET)).toBe(
      'close_unverified',
    );
    expect(closeRefusal(facts('payout'), 'not_done', look('found'), NOW, QUIET)).toBe(
      'close_record_says',
    );
    expect(closeRefusal(facts('payout'), 'done', look('not_found'), NOW, QUIET)).toBe(
      'close_not_unknown',
    );
    expect(isLookFresh(facts('payout'), look('not_found', 59_999), NOW)).toBe(true);
    expect(isLookFresh(facts('payout'), look('not_found', 60_000), NOW)).toBe(false);
    expect(isLookFresh(facts('payout'), null, NOW)).toBe(false);
    // The clock was set back since this read.
    expect(isLookFresh(facts('payout'), look('not_found', -1), NOW)).toBe(false);
  });

  it('of which the provider has spoken is not called unpaid by people', () => {
    expect(
      closeRefusal(
        facts('payout', { alert: 'contradiction' }),
        'not_done',
        look('not_found'),
        NOW,
        QUIET,
      ),
    ).toBe('close_not_unknown');
    expect(closeClaims(facts('payout', { alert: 'contradiction' }), look('cannot_say'))).toEqual([
      'done',
    ]);
  });
});

describe('a card operation', () => {
  it('with an unchanged record is closed after the quiet time, by one person, or by two for a refund', () => {
    for (const [kind, people] of [
      ['card_capture', 1],
      ['card_release', 1],
      ['card_refund', 2],
    ] as const) {
      const quiet = facts(kind, { lastSendAt: NOW - QUIET, unclearSince: NOW - QUIET });
      expect(closeRefusal(quiet, 'not_done', look('not_found'), NOW, QUIET)).toBeNull();
      expect(peopleNeeded(quiet, 'not_done', look('not_found'))).toBe(people);
      expect(needsWrittenAnswer(quiet, look('not_found'))).toBe(false);
    }
  });

  it('that was accepted and then declined is closed by two people a day later, with their letter', () => {
    const pending = facts('card_refund', {
      state: 'MANUAL_REVIEW',
      acceptedAt: NOW - DAY,
      unclearSince: null,
    });
    expect(closeRefusal(pending, 'not_done', look('not_found'), NOW, QUIET)).toBeNull();
    expect(
      closeRefusal(
        { ...pending, acceptedAt: NOW - DAY + 1 },
        'not_done',
        look('not_found'),
        NOW,
        QUIET,
      ),
    ).toBe('close_not_a_day');
    expect([
      peopleNeeded(pending, 'not_done', look('not_found')),
      needsWrittenAnswer(pending, look('not_found')),
    ]).toEqual([2, true]);
  });

  it.each(['mismatch', 'unsaid', 'order_not_found'])(
    'whose record cannot say it (%s) is closed either way by two, in every state',
    (why) => {
      for (const state of ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'] as const) {
        const says = look(lookSays('card_capture', { kind: 'no_answer', why }));
        for (const claim of ['done', 'not_done'] as const) {
          expect(
            closeRefusal(
              facts('card_capture', { state, notFoundReads: 0 }),
              claim,
              says,
              NOW,
              QUIET,
            ),
          ).toBeNull();
          expect(peopleNeeded(facts('card_capture', { state }), claim, says)).toBe(2);
        }
      }
      expect(lookSays('card_capture', { kind: 'no_answer', why: 'timeout' })).toBe('no_answer');
    },
  );
});

it('a refund that stays pending is closed by two people with a letter; a later record overrules it', () => {
  const pending = facts('card_refund', {
    state: 'MANUAL_REVIEW',
    acceptedAt: NOW - DAY,
    unclearSince: null,
  });
  const waits = look(lookSays('card_refund', { kind: 'found', level: 'pending' }));
  for (const claim of ['done', 'not_done'] as const) {
    expect(closeRefusal(pending, claim, waits, NOW, QUIET)).toBeNull();
    expect(closeRefusal({ ...pending, acceptedAt: NOW - DAY + 1 }, claim, waits, NOW, QUIET)).toBe(
      'close_not_a_day',
    );
    expect([peopleNeeded(pending, claim, waits), needsWrittenAnswer(pending, waits)]).toEqual([
      2,
      true,
    ]);
  }
  const done = look(lookSays('card_refund', { kind: 'found', level: 'completed' }));
  expect(closeRefusal(pending, 'not_done', done, NOW, QUIET)).toBe('close_record_says');
  expect(
    lookSays('payout', { kind: 'found', level: 'pending' }),
    'a payout under way is asked about until it ends',
  ).toBe('found');
});

describe('a payout from the card balance', () => {
  it('closes as taken after the quiet time and as not taken after a day, and no record is asked', () => {
    const early = facts('cashout', { lastSendAt: NOW - QUIET, unclearSince: NOW - QUIET });
    expect(closeRefusal({ ...early, lastSendAt: NOW - QUIET + 1 }, 'taken', null, NOW, QUIET)).toBe(
      'cashout_too_early',
    );
    expect(closeRefusal(early, 'taken', null, NOW, QUIET)).toBeNull();
    expect(closeRefusal(early, 'not_done', null, NOW, QUIET)).toBe('close_not_a_day');
    expect(closeRefusal(facts('cashout'), 'not_done', null, NOW, QUIET)).toBeNull();
    expect(closeClaims(facts('cashout', { state: 'PENDING' }), null)).toEqual(['done', 'not_done']);
  });
});

it('what has ended or never left is closed by nobody', () => {
  for (const state of [
    'DRAFT',
    'AWAITING_APPROVAL',
    'APPROVED',
    'SUBMITTING',
    'COMPLETED',
    'REJECTED',
    'FAILED',
    'CANCELLED',
    'EXPIRED',
  ] as const) {
    expect(closeClaims(facts('payout', { state }), look('cannot_say'))).toEqual([]);
  }
});

describe('what a page offers', () => {
  it('asks for no second person where one is enough: an unclear capture of a live authorization', () => {
    const whose = { makerId: 'maker', personId: 'other' };
    expect(
      closingOf(facts('card_capture', { lastSendAt: NOW }), look('not_found'), whose, NOW, QUIET),
    ).toMatchObject({ claims: [], people: 1 });
    expect(closingOf(facts('card_capture'), look('not_found'), whose, NOW, QUIET)).toMatchObject({
      claims: ['not_done'],
      people: 1,
    });
    expect(
      closingOf(facts('payout', { unclearSince: NOW }), look('not_found'), whose, NOW, QUIET),
    ).toMatchObject({ claims: [], people: 2 });
  });
});
