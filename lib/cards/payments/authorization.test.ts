import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, CAPTURE_LIFE_MS, captureEndsAt, lapsesAt } from './authorization.ts';
import { nextLook } from './schedule.ts';

const ZONE = 'Europe/Istanbul';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (iso: string): number => Date.parse(iso);

describe('a hold', () => {
  it('that can be captured until 21:30 UTC is due on the next day of Istanbul', () => {
    const now = at('2026-03-05T10:00:00Z');
    expect(bucketOf(at('2026-03-05T20:30:00Z') - CAPTURE_LIFE_MS, now, ZONE)).toBe('today');
    expect(bucketOf(at('2026-03-05T21:30:00Z') - CAPTURE_LIFE_MS, now, ZONE)).toBe('days3');
  });

  it('whose day was stated, and whose last moment is midnight, is due on the day before it at every hour', () => {
    const midnight = at('2026-03-05T21:00:00Z');
    for (let hour = 1; hour <= 24; hour += 1)
      expect(bucketOf(midnight - CAPTURE_LIFE_MS, midnight - hour * HOUR, ZONE)).toBe('today');
    for (const [days, bucket] of [
      [3, 'days3'],
      [7, 'days7'],
      [8, 'later'],
    ] as const)
      expect(bucketOf(midnight - CAPTURE_LIFE_MS, midnight - (days + 1) * DAY, ZONE)).toBe(bucket);
  });

  it('of an age that nobody knows is in no bucket that says when', () => {
    expect(bucketOf(null, at('2026-03-05T10:00:00Z'), ZONE)).toBe('age_unknown');
  });

  it('is in one due bucket at a time for 21 days, until the last moment at which it is captured here', () => {
    const order = ['later', 'days7', 'days3', 'today', 'too_old', 'lapsed'];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 365 }),
        fc.integer({ min: 0, max: 86_399 }),
        (day, second) => {
          const since = at('2026-01-01T00:00:00Z') + day * DAY + second * 1_000;
          let before = 0;
          for (let hour = 0; hour <= 21 * 24; hour += 1) {
            const now = since + hour * HOUR;
            const place = order.indexOf(bucketOf(since, now, ZONE));
            expect(place).toBeGreaterThanOrEqual(before);
            expect(order[place] === 'lapsed').toBe(now >= lapsesAt(since));
            expect(place >= order.indexOf('too_old')).toBe(now >= captureEndsAt(since));
            before = place;
          }
          expect(before).toBe(5);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the next look at a payment', () => {
  const asked = (heldSince: number | null, now: number) =>
    nextLook({ state: 'held', problem: null, heldSince }, { now, since: 0, tries: 0 });

  it('comes more often the nearer a hold is to its end, and once just after it', () => {
    const since = at('2026-03-01T00:00:00Z');
    const end = lapsesAt(since);
    expect(asked(since, since)! - since).toBe(6 * HOUR);
    expect(asked(since, end - 2 * DAY)! - (end - 2 * DAY)).toBe(HOUR);
    expect(asked(since, end - HOUR / 6)).toBe(end + 60_000);
    expect(asked(since, end + 15 * DAY)).toBeNull();
  });

  it('comes as long as the record is of another amount and nothing was ever read, and it ends nothing', () => {
    const never = { state: null, problem: 'mismatch', heldSince: null } as const;
    const wait = (now: number) => nextLook(never, { now, since: 0, tries: 40 })! - now;
    expect([0, HOUR, 2 * DAY, 30 * DAY].map(wait)).toEqual([30_000, HOUR / 4, HOUR, DAY]);
    expect(nextLook({ ...never, state: 'failed' }, { now: DAY, since: 0, tries: 40 })).toBeNull();
  });

  it('comes while nobody has answered, and ends with what has ended', () => {
    expect(
      nextLook({ state: null, problem: null, heldSince: null }, { now: 1_000, since: 0, tries: 1 }),
    ).toBe(16_000);
    expect(
      nextLook(
        { state: null, problem: 'not_found', heldSince: null },
        { now: 8 * DAY, since: 0, tries: 40 },
      ),
    ).toBeNull();
    expect(
      nextLook(
        { state: 'held', problem: 'no_answer', heldSince: 0 },
        { now: 30 * DAY, since: 0, tries: 40 },
      ),
    ).not.toBeNull();
    for (const problem of ['no_answer', 'not_found', null] as const)
      expect(
        nextLook(
          { state: null, problem, heldSince: null },
          { now: 8 * DAY, since: 0, tries: 20, isSent: true },
        ),
        'a charge that was sent may have been taken',
      ).toBe(8 * DAY + 6 * HOUR);
    for (const state of ['failed', 'cancelled', 'refunded', 'charged_back'] as const)
      expect(
        nextLook({ state, problem: null, heldSince: null }, { now: 0, since: 0, tries: 0 }),
      ).toBeNull();
    for (const state of ['completed', 'captured', 'partly_refunded'] as const)
      expect(
        nextLook({ state, problem: null, heldSince: null }, { now: DAY, since: 0, tries: 0 }),
      ).toBe(2 * DAY);
  });
});
