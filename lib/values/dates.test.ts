import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addDays,
  dayRange,
  daysRange,
  formatDate,
  formatDateTime,
  formatMoment,
  formatTime,
  isDay,
  isoInZone,
  dayIn,
  monthDays,
  periodDays,
  periodRange,
} from './dates.ts';
import type { Locale } from './locale.ts';

const anyInstant = fc
  .date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2060-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const anyZone = fc.constantFrom(
  'Europe/Istanbul',
  'UTC',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Australia/Adelaide',
);

describe('days of Istanbul', () => {
  test.each([
    ['2026-03-05T20:59:59.999Z', '2026-03-05'],
    ['2026-03-05T21:00:00.000Z', '2026-03-06'],
    ['2026-03-05T21:30:00Z', '2026-03-06'],
    ['2026-03-06T00:30:00+03:00', '2026-03-06'],
    ['2026-07-05T21:30:00.1234567Z', '2026-07-06'],
    // Turkey still had summer time in 2015: UTC+2 in January, UTC+3 in July.
    ['2015-01-15T21:30:00Z', '2015-01-15'],
    ['2015-01-15T22:00:00Z', '2015-01-16'],
    ['2015-07-15T21:00:00Z', '2015-07-16'],
  ])('%s is on %s', (iso, day) => {
    expect(dayIn(iso)).toBe(day);
  });

  test.each([
    ['2026-03-06', '2026-03-05T21:00:00.000Z', '2026-03-06T21:00:00.000Z'],
    ['2026-01-01', '2025-12-31T21:00:00.000Z', '2026-01-01T21:00:00.000Z'],
    ['2015-01-15', '2015-01-14T22:00:00.000Z', '2015-01-15T22:00:00.000Z'],
    ['2015-03-29', '2015-03-28T22:00:00.000Z', '2015-03-29T21:00:00.000Z'],
    ['2015-11-08', '2015-11-07T21:00:00.000Z', '2015-11-08T22:00:00.000Z'],
  ])('%s runs from %s to before %s', (day, from, to) => {
    expect(dayRange(day)).toEqual({ from, to });
  });

  it('start at the first instant of the day even where clocks jump at midnight', () => {
    // In São Paulo 23:59:59 on the 3rd was followed by 01:00 on the 4th.
    expect(dayRange('2018-11-04', 'America/Sao_Paulo')).toEqual({
      from: '2018-11-04T03:00:00.000Z',
      to: '2018-11-05T02:00:00.000Z',
    });
  });

  it('cover every instant exactly once, in any zone', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (iso, zone) => {
        const day = dayIn(iso, zone);
        const { from, to } = dayRange(day, zone);
        return from <= iso && iso < to && dayRange(addDays(day, 1), zone).from === to;
      }),
      { numRuns: 300 },
    );
  });
});

describe('showing', () => {
  it('agrees with the platform’s clock at every instant, also in zones with half-hour changes', () => {
    const zones = [
      'Europe/Istanbul',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Australia/Adelaide',
      'America/Sao_Paulo',
      'Pacific/Apia',
    ];
    const clock = Object.fromEntries(
      zones.map((zone) => [
        zone,
        new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        }),
      ]),
    );
    const instants = fc.date({
      min: new Date('1980-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (at, zone) => {
        expect(
          `${dayIn(at.toISOString(), zone)} ${formatTime(at.toISOString(), { zone, seconds: true })}`,
        ).toBe(clock[zone]!.format(at));
      }),
      { numRuns: 2_000 },
    );
  });

  const iso = '2026-03-05T21:30:15.250Z';

  test.each<[Locale, string, string]>([
    ['tr', '6 Mar 2026 00:30', '6 Ağu 2026 00:30'],
    ['en', '6 Mar 2026 00:30', '6 Aug 2026 00:30'],
  ])('in %s lists', (locale, march, august) => {
    expect(formatDateTime(iso, locale)).toBe(march);
    expect(formatDateTime('2026-08-05T21:30:00Z', locale)).toBe(august);
  });

  it('shows today by its time alone, and details with seconds', () => {
    expect(formatDateTime(iso, 'tr', { now: '2026-03-06T20:59:00Z' })).toBe('00:30');
    expect(formatDateTime(iso, 'tr', { now: '2026-03-06T21:00:00Z' })).toBe('6 Mar 2026 00:30');
    expect(formatDateTime(iso, 'en', { seconds: true })).toBe('6 Mar 2026 00:30:15');
    expect(formatTime(iso, { seconds: true })).toBe('00:30:15');
  });

  it('names the weekday of Istanbul with a moment that has to be kept', () => {
    expect(formatMoment('2026-03-05T20:59:59Z', 'tr')).toBe('5 Mar 2026 Perşembe 23:59');
    expect(formatMoment('2026-03-05T21:00:00Z', 'tr')).toBe('6 Mar 2026 Cuma 00:00');
    expect(formatMoment('2026-03-07T21:30:00Z', 'en')).toBe('Sunday 8 Mar 2026 00:30');
  });

  it('writes days short and long, from an instant or a day', () => {
    expect(formatDate(iso, 'tr')).toBe('6 Mar 2026');
    expect(formatDate('2026-02-01', 'tr', { long: true })).toBe('1 Şubat 2026');
    expect(formatDate('2026-02-01', 'en', { long: true })).toBe('1 February 2026');
  });

  it('agrees with the platform on Turkish months', () => {
    for (let month = 1; month <= 12; month += 1) {
      const day = `2026-${String(month).padStart(2, '0')}-09`;
      const platform = new Intl.DateTimeFormat('tr', {
        timeZone: 'UTC',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      });
      const long = new Intl.DateTimeFormat('en-GB', {
        timeZone: 'UTC',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
      });
      expect(formatDate(day, 'tr')).toBe(platform.format(new Date(day)));
      expect(formatDate(day, 'en', { long: true })).toBe(long.format(new Date(day)));
    }
  });

  it('keeps the instant in the hover text', () => {
    expect(isoInZone(iso)).toBe('2026-03-06T00:30:15+03:00');
    expect(isoInZone('2015-01-15T21:30:00Z')).toBe('2015-01-15T23:30:00+02:00');
    expect(isoInZone('2026-01-15T21:30:00Z', 'America/St_Johns')).toBe('2026-01-15T18:00:00-03:30');
    fc.assert(
      fc.property(
        anyInstant,
        anyZone,
        (text, zone) =>
          Math.floor(Date.parse(text) / 1000) * 1000 === Date.parse(isoInZone(text, zone)),
      ),
    );
  });

  it('refuses what is no instant and no day', () => {
    expect(() => dayIn('yesterday')).toThrow(RangeError);
    expect(() => dayRange('2026-02-30')).toThrow(RangeError);
    expect([
      isDay('2026-02-28'),
      isDay('2026-02-29'),
      isDay('2024-02-29'),
      isDay('2026-2-1'),
      isDay(''),
    ]).toEqual([true, false, true, false, false]);
  });
});

describe('periods', () => {
  // 00:30 on 6 March in Istanbul, while it is still 5 March in UTC.
  const now = '2026-03-05T21:30:00Z';

  test.each([
    ['today', '2026-03-06', '2026-03-06'],
    ['yesterday', '2026-03-05', '2026-03-05'],
    ['thisWeek', '2026-03-02', '2026-03-06'],
    ['last7', '2026-02-28', '2026-03-06'],
    ['last30', '2026-02-05', '2026-03-06'],
    ['thisMonth', '2026-03-01', '2026-03-06'],
    ['lastMonth', '2026-02-01', '2026-02-28'],
  ] as const)('%s is %s to %s', (kind, from, to) => {
    expect(periodDays({ kind }, now)).toEqual({ from, to });
  });

  it('turns a backward range round and covers both ends', () => {
    expect(periodRange({ kind: 'range', from: '2026-03-06', to: '2026-03-05' }, now)).toEqual(
      daysRange({ from: '2026-03-05', to: '2026-03-06' }),
    );
    expect(periodRange({ kind: 'today' }, now)).toEqual(dayRange('2026-03-06'));
  });

  it('knows the length of months', () => {
    expect(monthDays('2024-02-10')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(monthDays('2026-12-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });
});
