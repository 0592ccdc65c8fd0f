import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockOf, isQuiet, minuteOfDay, readClock } from './quiet-hours.ts';

const minute = fc.integer({ min: 0, max: 1439 });

describe('quiet hours', () => {
  it.each([
    ['22:00', '07:30', '21:59', false],
    ['22:00', '07:30', '22:00', true],
    ['22:00', '07:30', '00:00', true],
    ['22:00', '07:30', '07:29', true],
    ['22:00', '07:30', '07:30', false],
    ['12:00', '13:00', '12:59', true],
    ['12:00', '13:00', '13:00', false],
    ['12:00', '13:00', '00:00', false],
  ])('from %s to %s: at %s quiet is %s', (from, to, at, quiet) => {
    expect(isQuiet(readClock(at)!, { from: readClock(from)!, to: readClock(to)! })).toBe(quiet);
  });

  it('are the whole day together with the hours turned round, and no minute is in both', () => {
    fc.assert(
      fc.property(minute, minute, minute, (at, from, to) => {
        fc.pre(from !== to);
        expect(isQuiet(at, { from, to })).toBe(!isQuiet(at, { from: to, to: from }));
      }),
    );
  });

  it('are read by the clock of the workspace, in winter and summer', () => {
    expect(minuteOfDay('2026-01-05T19:00:00Z', 'Europe/Istanbul')).toBe(22 * 60);
    expect(minuteOfDay('2026-01-05T21:00:00Z', 'Europe/Berlin')).toBe(22 * 60);
    expect(minuteOfDay('2026-07-05T20:00:00Z', 'Europe/Berlin')).toBe(22 * 60);
  });

  it('are typed as times of day; nothing else is one', () => {
    fc.assert(fc.property(minute, (at) => readClock(clockOf(at)) === at));
    for (const text of ['', '24:00', '7:30', '12:60', '12:30:00', '١٢:٣٠'])
      expect(readClock(text)).toBeNull();
  });
});
