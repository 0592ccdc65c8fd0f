import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from './dates.ts';
import { isUsualDay, readDay, typedDay } from './typed-day.ts';

describe('a typed day', () => {
  it.each([
    '24.11.2026',
    '24/11/2026',
    '24-11-2026',
    '24 11 26',
    '24.11.26',
    '24112026',
    '24 Kas 2026',
    '24 KASIM 2026',
    '24 Nov 2026',
    '24 november 26',
    '2026-11-24',
    ' 24.11.2026 ',
  ])('%s is the 24th of November', (text) => {
    expect(readDay(text)).toBe('2026-11-24');
  });

  it.each(['1.2.2026', '01.02.26', '1 Şubat 2026', '1 feb 2026'])(
    '%s is the first of February: the day comes first in both languages',
    (text) => {
      expect(readDay(text)).toBe('2026-02-01');
    },
  );

  it.each([
    '',
    '31.02.2026',
    '29.02.2025',
    '24.13.2026',
    '0.1.2026',
    '24.11',
    'dün',
    '24 Xyz 2026',
    '11/24/2026',
    '9999-12-31',
    '0099-01-01',
    '31.12.2200',
    '1.1.1899',
  ])('%s is no day', (text) => {
    expect(readDay(text)).toBeNull();
  });

  it('of an address is an ISO day of the same years', () => {
    for (const day of ['1900-01-01', '2028-02-29', '2199-12-31'])
      expect(isUsualDay(day)).toBe(true);
    for (const day of ['0000-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '24.11.2026', ''])
      expect(isUsualDay(day)).toBe(false);
  });

  it('is read as it was written, in both languages', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30_000 }),
        fc.constantFrom('tr' as const, 'en' as const),
        (days, locale) => {
          const day = addDays('2000-01-01', days);
          expect(readDay(typedDay(day, locale))).toBe(day);
        },
      ),
    );
  });
});
