import { describe, expect, it } from 'vitest';
import { waitAtMidnight } from './midnight.ts';

describe('tests that would begin around midnight', () => {
  it.each([
    ['noon', '2026-11-28T12:00:00Z', 0],
    ['six minutes before midnight in Istanbul', '2026-11-28T20:54:00Z', 0],
    ['five minutes before', '2026-11-28T20:55:00Z', 7],
    ['midnight in Istanbul', '2026-11-28T21:00:00Z', 2],
    ['two minutes after', '2026-11-28T21:02:00Z', 0],
    ['a minute before midnight in UTC', '2026-11-30T23:59:00Z', 3],
    ['a minute after midnight in UTC', '2026-12-01T00:01:00Z', 1],
  ])('wait until it is over, at %s', (_when, at, minutes) => {
    expect(waitAtMidnight(Date.parse(at))).toBe(minutes * 60_000);
  });

  it('wait earlier when the clock of the sandbox is ahead', () => {
    const [at, ahead] = [Date.parse('2026-11-28T20:46:00Z'), 10 * 60_000];
    expect([waitAtMidnight(at), waitAtMidnight(at, ahead)]).toEqual([0, 16 * 60_000]);
  });
});
