import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APPROVAL_LIFE_MS, alertByAge, mayResend, nextAction, nextLook } from './schedule.ts';
import { LEASE_MS, SEND_DEADLINE_MS } from '#lib/begin-check/start-limit.ts';
import type { Policy } from './schedule.ts';
import { reduce } from './reduce.ts';
import { isDead, isFinal, STATES } from './state.ts';
import type { Movement, State } from './state.ts';
import { EVIDENCE, inState, T0 } from './testing/movement.ts';
import { applyEvidence } from './apply-evidence.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const policy: Policy = { quietMs: 30 * MINUTE, manualAfterMs: 30 * MINUTE, autoResend: true };
const middle = () => 0.5;
/** The quiet time of 30 min after the last send, its timeout of 30 s and its tail of 180 s. */
const QUIET_END = 30 * MINUTE + 30 * SECOND + 180 * SECOND;

it('an unknown card-balance payout is checked once for its age, though no provider is ever asked', () => {
  const silent = inState('UNKNOWN', { kind: 'cashout' });
  expect(nextLook(silent, T0 + 1, policy, middle)).toBe(T0 + DAY + 1);
  expect([nextAction(silent, T0 + DAY, policy), nextAction(silent, T0 + DAY + 1, policy)]).toEqual([
    'rest',
    'pending_too_long',
  ]);
  const weighed = applyEvidence(
    silent,
    { source: 'worker', kind: 'pending_too_long' },
    T0 + DAY + 1,
  );
  expect(weighed).toMatchObject({ state: 'UNKNOWN', alert: 'unknown_too_long' });
  expect(nextLook(weighed, T0 + DAY + 2, policy, middle)).toBeNull();
  expect(nextLook(inState('PENDING', { kind: 'cashout' }), T0 + 1, policy, middle)).toBeNull();
  expect(nextAction(inState('PENDING', { kind: 'cashout' }), T0 + 60 * DAY, policy)).toBe('rest');
});

describe('reads of what is open', () => {
  it('follow 3 s, 8 s, 20 s, 45 s, 90 s, 3, 6 and 12 minutes from the moment the wait began', () => {
    for (const state of ['UNKNOWN', 'MANUAL_REVIEW'] as const) {
      const seen: number[] = [];
      for (let now = T0; seen.length < 8;) {
        now = nextLook(inState(state), now, policy, middle)!;
        seen.push((now - T0) / SECOND);
      }
      expect(seen).toEqual([3, 8, 20, 45, 90, 180, 360, 720]);
    }
  });

  it('then come every 15 minutes to 24 h, hourly to 7 days, then daily, each within ±20 %', () => {
    const bases = [
      [12 * MINUTE, 15 * MINUTE],
      [DAY - 1, 15 * MINUTE],
      [DAY, HOUR],
      [7 * DAY - 1, HOUR],
      [7 * DAY, DAY],
      [90 * DAY, DAY],
    ] as const;
    for (const [age, base] of bases) {
      const at = (random: number) =>
        nextLook(inState('UNKNOWN'), T0 + age, policy, () => random)! - (T0 + age);
      expect([at(0), at(0.5), at(1)].map(Math.round), `age ${age}`).toEqual([
        base * 0.8,
        base,
        base * 1.2,
      ]);
    }
  });

  it('need at most 100 looks for a manual operation of 20 hours', () => {
    let looks = 0;
    for (let now = T0; now < T0 + 20 * HOUR; looks++)
      now = nextLook(inState('MANUAL_REVIEW'), now, policy, middle)!;
    expect(looks).toBeLessThanOrEqual(100);
  });

  it('a pending payment is called manual review at 30 minutes, not before', () => {
    expect(nextAction(inState('PENDING'), T0 + 30 * MINUTE, policy)).toBe('read');
    expect(nextAction(inState('PENDING'), T0 + 30 * MINUTE + 1, policy)).toBe('pending_too_long');
    expect(nextLook(inState('PENDING'), T0 + 29 * MINUTE, policy, middle)).toBe(
      T0 + 30 * MINUTE + 1,
    );
  });

  it('nothing looks at what has ended without money, unless somebody asks', () => {
    for (const state of ['FAILED', 'CANCELLED', 'EXPIRED'] as const)
      expect(nextLook(inState(state), T0, policy, middle)).toBeNull();
    expect(nextLook(inState('REJECTED', { requestId: '7' }), T0, policy, middle)).toBeNull();
    for (const state of ['REJECTED', 'FAILED'] as const)
      expect(nextAction(inState(state), T0, policy)).toBe('read');
    for (const state of ['CANCELLED', 'EXPIRED'] as const)
      expect(nextAction(inState(state), T0, policy)).toBe('read');
  });

  it('an approval that nobody gives runs out after a day', () => {
    const movement = inState('AWAITING_APPROVAL');
    expect(nextAction(movement, T0 + DAY, policy)).toBe('rest');
    expect(nextLook(movement, T0 + DAY, policy, middle)).toBe(T0 + APPROVAL_LIFE_MS + 1);
    expect(nextAction(movement, T0 + DAY + 1, policy)).toBe('approval_expired');
  });
});

describe('what is ready to leave', () => {
  it('leaves at once, and backs off when the provider cannot be reached', () => {
    const seen = [0, 1, 2, 3, 4, 5, 6, 7, 8, 50].map(
      (notSentTries) =>
        (nextLook(inState('APPROVED', { notSentTries }), T0, policy, middle)! - T0) / SECOND,
    );
    expect(seen).toEqual([0, 2, 5, 15, 30, 60, 120, 300, 300, 300]);
  });

  it('after 326 waits 65 s from its last send', () => {
    const movement = inState('APPROVED', { sends: 1, ibanWaits: 1, lastSendAt: T0 });
    expect(nextLook(movement, T0 + SECOND, policy, middle)).toBe(T0 + 65 * SECOND);
  });

  it('after a 326 nothing is sent before its record was read, however long nobody answers', () => {
    const waited = inState('APPROVED', { sends: 1, ibanWaits: 1, lastSendAt: T0 });
    const opensAt = T0 + 65 * SECOND;
    expect(nextAction(waited, opensAt, policy)).toBe('read');
    const silent = reduce(waited, EVIDENCE.read_no_answer, opensAt);
    expect(nextLook(silent, opensAt, policy, middle)).toBe(opensAt + 10 * SECOND);
    expect(nextAction(silent, opensAt + 10 * SECOND, policy)).toBe('read');
    expect(alertByAge(silent, opensAt + 2 * MINUTE - 1)).toBeNull();
    expect(alertByAge(silent, opensAt + 2 * MINUTE)).toBe('provider_unreachable');
    expect(nextAction(silent, opensAt + DAY, policy)).toBe('read');
    const waits = [2 * MINUTE - 1, 2 * MINUTE, HOUR - 1, HOUR, DAY].map(
      (age) => nextLook(silent, opensAt + age, policy, middle)! - opensAt - age,
    );
    expect(waits, 'fewer reads the longer nobody answers').toEqual([
      10 * SECOND,
      MINUTE,
      MINUTE,
      5 * MINUTE,
      5 * MINUTE,
    ]);
    const absent = reduce(waited, EVIDENCE.read_not_found, opensAt);
    expect(nextLook(absent, opensAt, policy, middle)).toBe(opensAt);
    expect(nextAction(absent, opensAt, policy)).toBe('send');
  });

  it('a record found after a 326 stops the next send, and a person is told', () => {
    const waited = inState('APPROVED', { sends: 1, ibanWaits: 1, lastSendAt: T0 });
    const found = reduce(waited, EVIDENCE.read_completed, T0 + 65 * SECOND);
    expect(found).toMatchObject({ state: 'APPROVED', alert: 'contradiction' });
    expect(nextAction(found, T0 + 65 * SECOND, policy)).toBe('rest');
  });

  it('after six 326 rests for a person, and so does what somebody says was paid', () => {
    for (const alert of ['iban_wait_exhausted', 'contradiction', 'mismatch'] as const) {
      expect(nextLook(inState('APPROVED', { alert }), T0, policy, middle)).toBeNull();
      expect(nextAction(inState('APPROVED', { alert }), T0, policy)).toBe('rest');
    }
  });

  it('a send that began in time ends before its lease', () => {
    expect(LEASE_MS).toBeGreaterThan(SEND_DEADLINE_MS);
  });

  it('a claim whose worker is gone becomes unknown, never ready again', () => {
    const action = nextAction(inState('SUBMITTING'), T0 + LEASE_MS, policy);
    expect(action).toBe('lease_expired');
    expect(reduce(inState('SUBMITTING'), EVIDENCE.lease_expired, T0 + LEASE_MS)).toMatchObject({
      state: 'UNKNOWN',
      everAmbiguous: true,
    });
  });
});

describe('the resend of the same id', () => {
  /**
   * When a record must be listed: 20 minutes, 210 s of the request's tail, and 5 minutes for a
   * clock jump.
   */
  const LISTED_BY = 28.5 * MINUTE;
  const ripe = inState('UNKNOWN', { notFoundReads: 3, lastReadAt: T0 + LISTED_BY });
  const after = T0 + QUIET_END + 1;

  it('is allowed only when all of it holds', () => {
    expect(mayResend(ripe, after, policy)).toBe(true);
  });

  it.each([
    ['at the end of the quiet time, not after it', ripe, T0 + QUIET_END],
    ['after two clean "not found" reads', { ...ripe, notFoundReads: 2 }, after],
    [
      'when nobody has said "not found" since a record must be listed',
      { ...ripe, lastReadAt: T0 + LISTED_BY - 1 },
      after,
    ],
    ['when no read was ever answered', { ...ripe, lastReadAt: null }, after],
    ['after any word of a duplicate', { ...ripe, duplicateSeen: true }, after],
    ['after two resends', { ...ripe, sends: 3 }, after],
    ['24 hours after its first send', { ...ripe, lastSendAt: T0, createdAt: T0 - DAY }, T0 + DAY],
    ['while a record of another amount answers to its id', { ...ripe, alert: 'mismatch' }, after],
    ['after a contradiction', { ...ripe, alert: 'contradiction' }, after],
    ['when the provider has named a request', { ...ripe, requestId: '7' }, after],
    ...STATES.filter((state) => state !== 'UNKNOWN').map((state): [string, Movement, number] => [
      `in ${state}`,
      { ...ripe, state },
      after,
    ]),
  ] as [string, Movement, number][])('is not made %s', (_why, movement, now) => {
    expect(mayResend(movement, now, policy)).toBe(false);
    if (movement.state === 'UNKNOWN') expect(nextAction(movement, now, policy)).toBe('read');
  });

  it('is not made when it is switched off', () => {
    expect(mayResend(ripe, after, { ...policy, autoResend: false })).toBe(false);
    expect(nextAction(ripe, after, { ...policy, autoResend: false })).toBe('read');
  });

  it('is never made where the provider promises no answer to a known id: reads and a person decide', () => {
    for (const kind of ['payout', 'transfer_person', 'transfer_business', 'transfer_own'])
      expect(nextAction({ ...ripe, kind }, after, policy)).toBe('send');
    for (const kind of [
      'card_capture',
      'card_refund',
      'capture',
      'returned',
      'transfer',
      'PAYOUT',
      '',
    ]) {
      for (let now = after; now < T0 + DAY; now += HOUR)
        expect(nextAction({ ...ripe, kind }, now, policy), kind).toBe('read');
      expect(alertByAge({ ...ripe, kind }, T0 + DAY + 1)).toBe('unknown_too_long');
    }
  });

  it('is made too early after a database clock jump of over five minutes, unless it is switched off', () => {
    // The row was queried three times within 20 s of the send, and once after a jump of forty
    // minutes.
    const jumped = { ...ripe, lastReadAt: T0 + 40 * MINUTE + 20 * SECOND };
    expect(mayResend(jumped, T0 + 40 * MINUTE + 20 * SECOND, policy)).toBe(true);
    expect(
      mayResend(jumped, T0 + 40 * MINUTE + 20 * SECOND, { ...policy, autoResend: false }),
    ).toBe(false);
    const within = { ...ripe, lastReadAt: T0 + 5 * MINUTE + 210 * SECOND + 20 * MINUTE - SECOND };
    expect(mayResend(within, after, policy)).toBe(false);
  });

  it('of a payout that was held for 25 hours before its first send is made as of any other', () => {
    expect(mayResend({ ...ripe, createdAt: T0 - 25 * HOUR }, after, policy)).toBe(true);
  });

  it('is made just before a day is over, and the second one too; sends that never left cost nothing', () => {
    expect(mayResend(ripe, T0 + DAY - 1, policy)).toBe(true);
    expect(mayResend({ ...ripe, sends: 2 }, after, policy)).toBe(true);
    expect(mayResend({ ...ripe, sends: 12, notSentTries: 6, ibanWaits: 4 }, after, policy)).toBe(
      true,
    );
    expect(mayResend({ ...ripe, sends: 13, notSentTries: 6, ibanWaits: 4 }, after, policy)).toBe(
      false,
    );
  });

  it('has its moment in the schedule, and so has the look that it rests on', () => {
    const late = T0 + 29 * MINUTE;
    expect(
      nextLook({ ...ripe, lastReadAt: T0 + 24 * MINUTE }, T0 + 24 * MINUTE, policy, middle),
    ).toBe(T0 + LISTED_BY);
    expect(nextLook(ripe, late, policy, middle)).toBe(T0 + QUIET_END + 1);
    expect(nextAction(ripe, T0 + QUIET_END + 1, policy)).toBe('send');
  });

  it('any combination: exactly the conjunction of the conditions', () => {
    // Most conditions are drawn as met: with an even draw, no result would ever depend on a single
    // condition.
    const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });
    const parts = fc.record({
      notFoundReads: mostly(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 0, max: 2 })),
      duplicateSeen: mostly(fc.constant(false), fc.constant(true)),
      sends: mostly(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 3, max: 5 })),
      requestId: mostly<string | null>(fc.constant(null), fc.constant('7')),
      alert: mostly<Movement['alert']>(
        fc.constantFrom(null, 'unknown_too_long'),
        fc.constantFrom('mismatch', 'contradiction'),
      ),
      state: mostly<State>(fc.constant('UNKNOWN'), fc.constantFrom(...STATES)),
    });
    const times = fc.record({
      sinceRead: mostly(fc.constant(0), fc.integer({ min: 0, max: 30 * MINUTE })),
      sentAfter: mostly(fc.constant(0), fc.integer({ min: 0, max: DAY })),
      sinceSend: mostly(
        fc.integer({ min: QUIET_END + 1, max: QUIET_END + HOUR }),
        fc.oneof(fc.constantFrom(QUIET_END - 1, QUIET_END), fc.integer({ min: 0, max: 2 * DAY })),
      ),
    });
    fc.assert(
      fc.property(
        parts,
        times,
        mostly(fc.constant(true), fc.constant(false)),
        (given, { sinceSend, sentAfter, sinceRead }, autoResend) => {
          const lastSendAt = T0 + sentAfter;
          const now = lastSendAt + sinceSend;
          const movement = inState('UNKNOWN', {
            ...given,
            lastSendAt,
            unclearSince: T0,
            lastReadAt: now - sinceRead,
          });
          const allowed =
            autoResend &&
            given.state === 'UNKNOWN' &&
            !given.duplicateSeen &&
            given.requestId === null &&
            given.alert !== 'mismatch' &&
            given.alert !== 'contradiction' &&
            given.notFoundReads >= 3 &&
            given.sends - 1 < 2 &&
            now - T0 < DAY &&
            now - lastSendAt > QUIET_END &&
            now - sinceRead >= lastSendAt + LISTED_BY;
          expect(mayResend(movement, now, { ...policy, autoResend })).toBe(allowed);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('a rehearsal with a shorter quiet time shortens the tail alike', () => {
    const short = { ...policy, quietMs: 18 * SECOND };
    const read = { ...ripe, lastReadAt: T0 + 17_100 };
    expect(mayResend(read, T0 + 20_100, short)).toBe(false);
    expect(mayResend(read, T0 + 20_101, short)).toBe(true);
  });
});

describe('what was refused', () => {
  const refused = inState('REJECTED', { stateSince: T0 });

  it('is asked about twice more: soon, and when no copy of the request can be on its way', () => {
    expect(nextLook(refused, T0, policy, middle)).toBe(T0 + 10 * SECOND);
    expect(nextAction(refused, T0 + 10 * SECOND, policy)).toBe('read');
    const once = { ...refused, lastReadAt: T0 + 10 * SECOND };
    expect(nextLook(once, T0 + 10 * SECOND, policy, middle)).toBe(T0 + 210 * SECOND);
  });

  it('is asked about once more when its record has to be listed, and a last time after a day', () => {
    const listed = T0 + (30 + 180) * SECOND + 20 * MINUTE;
    const asked = { ...refused, lastReadAt: T0 + 210 * SECOND };
    expect(nextLook(asked, T0 + 210 * SECOND, policy, middle)).toBe(listed);
    const compared = { ...asked, lastReadAt: listed };
    expect(nextLook(compared, listed, policy, middle)).toBe(T0 + DAY);
    expect(nextLook({ ...asked, lastReadAt: T0 + DAY }, T0 + DAY, policy, middle)).toBeNull();
  });

  it('is asked again when nobody answered, for a week', () => {
    expect(nextLook(refused, T0 + 10 * SECOND, policy, middle)).toBe(T0 + 20 * SECOND);
    expect(nextLook(refused, T0 + 300 * SECOND, policy, middle)).toBe(T0 + 6 * MINUTE);
    expect(nextLook(refused, T0 + 7 * DAY + 1, policy, middle)).toBeNull();
  });

  it('is not asked about once a record said so, or contradicts it, or where no such record exists', () => {
    for (const sure of [
      { requestId: '7' },
      { alert: 'contradiction' as const },
      { kind: 'cashout' },
    ]) {
      expect(nextLook({ ...refused, ...sure }, T0, policy, middle)).toBeNull();
    }
  });

  it('of a card payment is asked about when the gateway refused it, and not when it never left', () => {
    const card = { ...refused, kind: 'card_refund' };
    expect(nextLook({ ...card, reasonCode: '49' }, T0, policy, middle)).toBe(T0 + 10 * SECOND);
    expect(nextAction({ ...card, reasonCode: '49' }, T0 + 10 * SECOND, policy)).toBe('read');
    expect(nextLook({ ...card, reasonCode: 'changed_elsewhere' }, T0, policy, middle)).toBeNull();
    expect(nextAction({ ...card, reasonCode: 'changed_elsewhere' }, T0 + 10 * SECOND, policy)).toBe(
      'rest',
    );
  });

  it('by the word of people is asked about for a capture or refund alone, until a record speaks', () => {
    const next = (kind: string, given: Partial<Movement> = {}) =>
      nextAction(
        inState('FAILED', { kind, reasonCode: 'people_said', requestId: null, ...given }),
        T0,
        policy,
      );
    expect(['card_capture', 'card_refund', 'card_release'].map((kind) => next(kind))).toEqual([
      'read',
      'read',
      'rest',
    ]);
    for (const known of [
      { reasonCode: 'level_failed' },
      { requestId: 'VP-1' },
      { alert: 'contradiction' },
    ] as const)
      expect(next('card_refund', known), JSON.stringify(known)).toBe('rest');
  });

  it('and is found after all is a contradiction that locks "pay again"', () => {
    const found = applyEvidence({ ...refused }, EVIDENCE.read_pending, T0 + 10 * SECOND);
    expect(found).toMatchObject({ state: 'REJECTED', alert: 'contradiction' });
    expect(isDead(found)).toBe(false);
  });
});

describe('the ledger of what is completed', () => {
  it('is asked often until our line is there, ever more rarely while it stays away, and for 30 days', () => {
    const gaps = (from: number) =>
      (nextLook(inState('COMPLETED'), T0 + from, policy, middle) ?? Infinity) - (T0 + from);
    expect([0, SECOND, 3 * SECOND, 6 * SECOND].map(gaps)).toEqual([
      SECOND,
      2 * SECOND,
      3 * SECOND,
      6 * SECOND,
    ]);
    expect([30 * MINUTE, 2 * HOUR].map(gaps)).toEqual([15 * MINUTE, 15 * MINUTE]);
    expect([DAY, 6 * DAY].map(gaps)).toEqual([HOUR, HOUR]);
    expect([7 * DAY, 29 * DAY].map(gaps)).toEqual([12 * HOUR, 12 * HOUR]);
    expect(gaps(30 * DAY + 1)).toBe(Infinity);
  });

  it('is asked for returns every 12 hours for 30 days once our line is there', () => {
    const seen = inState('COMPLETED', { ledgerSeenAt: T0 });
    expect(nextLook(seen, T0, policy, middle)).toBe(T0 + 12 * HOUR);
    expect(nextLook(seen, T0 + 30 * DAY, policy, middle)).toBe(T0 + 30 * DAY + 12 * HOUR);
    expect(nextLook(seen, T0 + 30 * DAY + 1, policy, middle)).toBeNull();
  });

  it('is asked on after a confirmed return: a second payment under our reference may be posted later', () => {
    const back = inState('COMPLETED', { ledgerSeenAt: T0, returned: 'CONFIRMED' });
    expect(nextLook(back, T0, policy, middle)).toBe(T0 + 12 * HOUR);
    expect(nextLook(back, T0 + 30 * DAY + 1, policy, middle)).toBeNull();
  });

  it('an announced return is looked for at once and for a day, then withdrawn, however old the payment', () => {
    for (const age of [0, 29 * DAY, 60 * DAY]) {
      const ended = reduce(
        inState('COMPLETED', { ledgerSeenAt: T0 }),
        EVIDENCE.notice_returned,
        T0 + age,
      );
      expect(nextLook(ended, T0 + age, policy, middle)).toBe(T0 + age + SECOND);
      expect(nextAction(ended, T0 + age + DAY, policy)).toBe('ledger');
      expect(nextLook(ended, T0 + age + DAY - MINUTE, policy, middle)).toBe(T0 + age + DAY + 1);
      expect(nextAction(ended, T0 + age + DAY + 1, policy)).toBe('return_unconfirmed');
    }
  });
});

describe('what a person is told when no response comes', () => {
  const flag = (movement: Movement, age: number) => alertByAge(movement, T0 + age);

  it('unknown for a day, open for a week, unreachable five times', () => {
    expect([DAY, DAY + 1].map((age) => flag(inState('UNKNOWN'), age))).toEqual([
      null,
      'unknown_too_long',
    ]);
    expect([7 * DAY, 7 * DAY + 1].map((age) => flag(inState('MANUAL_REVIEW'), age))).toEqual([
      null,
      'not_seen_for_a_week',
    ]);
    expect([4, 5].map((notSentTries) => flag(inState('APPROVED', { notSentTries }), 0))).toEqual([
      null,
      'provider_unreachable',
    ]);
  });

  it('a payout that was held for 25 hours and sent just now is not "unknown for 24 hours"', () => {
    const claimed = reduce(
      inState('APPROVED', { createdAt: T0 - 25 * HOUR }),
      EVIDENCE.claimed,
      T0,
    );
    const unclear = applyEvidence(claimed, EVIDENCE.answer_unclear, T0 + 1_000);
    expect(unclear).toMatchObject({ state: 'UNKNOWN', alert: null, unclearSince: T0 });
    expect([DAY, DAY + 1].map((age) => flag(unclear, age))).toEqual([null, 'unknown_too_long']);
  });

  it('never covers what was found out', () => {
    expect(flag(inState('UNKNOWN', { alert: 'id_collision' }), 30 * DAY)).toBe('id_collision');
  });
});

describe('any movement at any time', () => {
  const times = fc.integer({ min: 0, max: 60 * DAY });
  const anyMovement = fc
    .record({
      state: fc.constantFrom(...STATES),
      sends: fc.integer({ min: 0, max: 4 }),
      notFoundReads: fc.integer({ min: 0, max: 9 }),
      notSentTries: fc.integer({ min: 0, max: 9 }),
      ibanWaits: fc.integer({ min: 0, max: 6 }),
      returned: fc.constantFrom('NONE' as const, 'REPORTED' as const, 'CONFIRMED' as const),
      ledgerSeen: fc.boolean(),
      since: times,
      duplicateSeen: fc.boolean(),
      alert: fc.constantFrom(
        null,
        'iban_wait_exhausted' as const,
        'mismatch' as const,
        'provider_unreachable' as const,
      ),
    })
    .map(({ state, since, ledgerSeen, returned, ...given }) => {
      const at = T0 + since;
      const times = {
        stateSince: at,
        watchSince: at,
        lastSendAt: given.sends > 0 ? at : null,
        acceptedAt: at,
        returnedAt: returned === 'NONE' ? null : at,
        endedAt: isFinal(state) ? at : null,
      };
      return inState(state, {
        ...given,
        ...times,
        returned: state === 'COMPLETED' ? returned : 'NONE',
        ledgerSeenAt: ledgerSeen ? at : null,
      });
    });

  it('the next look is never in the past, and a due one moves the movement or asks a person', () => {
    fc.assert(
      fc.property(
        anyMovement,
        times,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (movement, age, random) => {
          const now = movement.stateSince + age;
          const look = nextLook(movement, now, policy, () => random);
          if (look === null) return;
          // An overdue step of another kind may also be due at once: then the action is that step,
          // and not another check.
          if (look <= now)
            expect([
              'send',
              'pending_too_long',
              'approval_expired',
              'return_unconfirmed',
            ]).toContain(nextAction(movement, now, policy));
          else expect(nextAction(movement, look, policy)).not.toBe('rest');
          if (movement.state === 'APPROVED' && movement.notSentTries > 0)
            expect(look).toBeGreaterThan(now);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('nothing open is ever left without a next look, unless a flag asks for a person', () => {
    const OPEN: readonly State[] = [
      'AWAITING_APPROVAL',
      'APPROVED',
      'SUBMITTING',
      'UNKNOWN',
      'PENDING',
      'MANUAL_REVIEW',
    ];
    fc.assert(
      fc.property(anyMovement, times, (movement, age) => {
        if (!OPEN.includes(movement.state)) return;
        if (nextLook(movement, movement.stateSince + age, policy, middle) === null)
          expect(movement.alert).not.toBeNull();
      }),
      { numRuns: 3_000 },
    );
  });

  it('a reported return is never left without a next look', () => {
    fc.assert(
      fc.property(anyMovement, times, (movement, age) => {
        if (movement.returned === 'REPORTED')
          expect(nextLook(movement, movement.stateSince + age, policy, middle)).not.toBeNull();
      }),
      { numRuns: 3_000 },
    );
  });
});
