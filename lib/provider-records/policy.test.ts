import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askedFor,
  isComplete,
  LAG_MS,
  MOVED,
  nextReading,
  readingFrom,
  retryAt,
} from './policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The beginning of 6 March in Istanbul. */
const FROM = Date.parse('2026-03-05T21:00:00Z');
const day = { from: FROM, to: FROM + DAY };

describe('a day is read again', () => {
  it.each([
    ['every 5 s while somebody looks at today', FROM + HOUR, true, 5_000],
    ['every minute while nobody does', FROM + HOUR, false, MINUTE],
    ['every minute while late lines may appear', day.to + 10 * MINUTE, true, MINUTE],
    ['every quarter of an hour on the day after', day.to + 2 * HOUR, true, 15 * MINUTE],
    ['a few times a day in the week after', day.to + 3 * DAY, true, 6 * HOUR],
    ['once a day while returns are possible', day.to + 20 * DAY, true, DAY],
  ])('%s', (_what, at, looks, every) => {
    expect(nextReading(day, { begunAt: at, endedAt: at }, looks)).toBe(at + every);
  });

  it('after older days had their turn, however long its reading took', () => {
    const begunAt = FROM + HOUR;
    const after = (took: number): number | null =>
      nextReading(day, { begunAt, endedAt: begunAt + took }, true);
    expect([after(100), after(4_500), after(20_000)]).toEqual([
      begunAt + 5_000,
      begunAt + 5_500,
      begunAt + 21_000,
    ]);
  });

  it('no more when nothing in it can change', () => {
    const at = day.to + 31 * DAY;
    expect(nextReading(day, { begunAt: at, endedAt: at + HOUR }, true)).toBeNull();
  });

  it('ever less often as it grows old, whether or not somebody looks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 * DAY }),
        fc.integer({ min: 0, max: 40 * DAY }),
        fc.boolean(),
        (a, b, looks) => {
          const [early, late] = [day.to + Math.min(a, b), day.to + Math.max(a, b)];
          const pause = (at: number): number =>
            (nextReading(day, { begunAt: at, endedAt: at }, looks) ?? Number.POSITIVE_INFINITY) -
            at;
          expect(pause(early)).toBeLessThanOrEqual(pause(late));
        },
      ),
    );
  });

  it('until a reading began after its last line had had time to appear', () => {
    expect([
      isComplete(day, null),
      isComplete(day, day.to),
      isComplete(day, day.to + LAG_MS - 1),
      isComplete(day, day.to + LAG_MS),
    ]).toEqual([false, false, false, true]);
    fc.assert(
      fc.property(fc.integer({ min: -DAY, max: 60 * DAY }), fc.boolean(), (after, looks) => {
        const begun = day.to + after;
        const next = nextReading(day, { begunAt: begun, endedAt: begun }, looks);
        expect(isComplete(day, begun) || next !== null).toBe(true);
      }),
    );
  });
});

describe('a reading of today', () => {
  const now = FROM + 10 * HOUR + 7_000;

  it('begins at its first line when it was never read, and when it is over', () => {
    expect(readingFrom(day, { readAt: null, records: 0 }, now)).toBe(FROM);
    expect(readingFrom(day, { readAt: day.to + 1_000, records: 0 }, day.to + 2_000)).toBe(FROM);
  });

  it('begins before the last reading by more than the lag of the ledger, but not before the day', () => {
    expect(readingFrom(day, { readAt: now - 5_000, records: 0 }, now)).toBe(
      now - 5_000 - LAG_MS - 5 * MINUTE,
    );
    expect(readingFrom(day, { readAt: FROM + MINUTE, records: 0 }, FROM + MINUTE + 5_000)).toBe(
      FROM,
    );
  });

  it('is whole every few minutes, and less often the longer the day is', () => {
    const wholes = (records: number): number => {
      let count = 0;
      for (let at = FROM + HOUR; at < FROM + 5 * HOUR; at += 5_000)
        if (readingFrom(day, { readAt: at - 5_000, records }, at) === FROM) count += 1;
      return count;
    };
    expect([wholes(100), wholes(100_000)]).toEqual([48, 8]);
  });
});

describe('a day that is asked for', () => {
  const known = (readAt: number | null, tries = 0) => ({ readAt, tries });

  it('is read at once when it never was, and when what is here is old', () => {
    expect(askedFor(day, null, day.to + 400 * DAY)).toBe(day.to + 400 * DAY);
    expect(askedFor(day, known(null), FROM + HOUR)).toBe(FROM + HOUR);
    expect(askedFor(day, known(FROM + HOUR), FROM + HOUR + 5_000)).toBe(FROM + HOUR + 5_000);
    expect(askedFor(day, known(day.to - 1_000), day.to + 1_000), 'its end was not seen').toBe(
      day.to + 1_000,
    );
    expect(askedFor(day, known(day.to + 1_000), day.to + 400 * DAY), 'it was never whole').toBe(
      day.to + 400 * DAY,
    );
  });

  it('is left alone while what is here is as fresh as it would be anyway', () => {
    expect(askedFor(day, known(FROM + HOUR), FROM + HOUR + 4_999)).toBeNull();
    expect(askedFor(day, known(day.to + HOUR), day.to + 70 * MINUTE)).toBeNull();
    expect(
      askedFor(day, known(day.to + 31 * DAY), day.to + 400 * DAY),
      'nothing in it changes any more',
    ).toBeNull();
  });

  it('waits a moment when the provider did not answer: pages that are opened do not ask in its stead', () => {
    expect(askedFor(day, known(null, 3), FROM)).toBe(FROM + 5_000);
  });
});

it('is tried again ever more slowly when the provider does not answer, and at once when lines came in between', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((tries) => retryAt(0, tries, 'refused') / 1_000)).toEqual([
    5, 10, 20, 40, 80, 160, 300, 300,
  ]);
  expect([1, 7, 8].map((tries) => retryAt(0, tries, MOVED) / 1_000)).toEqual([1, 1, 300]);
});
