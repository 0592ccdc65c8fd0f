import { describe, expect, it } from 'vitest';
import { addDays, dayRange } from '#lib/values/dates.ts';
import { dueDay, keyOf, readingOf, WINDOW_DAYS } from './due-day.ts';
import type { Known } from './due-day.ts';

const ZONE = 'Europe/Istanbul';
const TODAY = '2026-03-10';
const MINUTE = 60_000;
const NOW = Date.parse('2026-03-10T09:00:00Z');
const end = (day: string): number => Date.parse(dayRange(day, ZONE).to);
const read = (...days: [day: string, at: number][]): Map<string, number> =>
  new Map(
    days.flatMap(
      ([day, at]) =>
        [
          [keyOf('ledger', day), at],
          [keyOf('withdrawals', day), at],
        ] as [string, number][],
    ),
  );
const due = (known: Partial<Known>): string | null =>
  dueDay(
    {
      now: NOW,
      today: TODAY,
      firstDay: '2026-03-01',
      read: new Map(),
      compared: new Map(),
      ...known,
    },
    ZONE,
  );
const compared = (day: string, at: number | null, { unsettled = false, leased = false } = {}) =>
  new Map([[day, { at, unsettled, leased }]]);

describe('the day that is compared next', () => {
  it('is the newest closed one that both listings tell whole; today never', () => {
    expect(due({ read: read(['2026-03-08', NOW], ['2026-03-09', NOW], [TODAY, NOW]) })).toBe(
      '2026-03-09',
    );
    expect(due({ read: read([TODAY, NOW]) })).toBeNull();
    expect(
      due({ read: new Map([[keyOf('ledger', '2026-03-09'), NOW]]) }),
      'one listing',
    ).toBeNull();
  });

  it('waits until every line had time to appear', () => {
    expect(due({ read: read(['2026-03-09', end('2026-03-09') + 20 * MINUTE - 1]) })).toBeNull();
    expect(due({ read: read(['2026-03-09', end('2026-03-09') + 20 * MINUTE]) })).toBe('2026-03-09');
  });

  it('lies neither before our books began nor before the window, but for what still differs there', () => {
    expect(due({ read: read(['2026-02-28', NOW]) })).toBeNull();
    const old = addDays(TODAY, -WINDOW_DAYS - 5);
    expect(due({ firstDay: old, read: read([old, NOW]) })).toBeNull();
    expect(
      due({
        firstDay: old,
        read: read([old, NOW - 120 * MINUTE]),
        compared: compared(old, NOW - 60 * MINUTE, { unsettled: true }),
      }),
    ).toBe(old);
  });

  it('comes again when it was read since, sooner when it differs, and not while another worker has it', () => {
    const day = '2026-03-09';
    const known = (at: number, more = {}) =>
      due({ read: read([day, NOW - 600 * MINUTE + 1]), compared: compared(day, at, more) });
    expect(known(NOW - 600 * MINUTE), 'read since').toBe(day);
    expect([known(NOW - 359 * MINUTE), known(NOW - 360 * MINUTE)]).toEqual([null, day]);
    expect([
      known(NOW - 4 * MINUTE, { unsettled: true }),
      known(NOW - 5 * MINUTE, { unsettled: true }),
    ]).toEqual([null, day]);
    expect([
      known(NOW - 600 * MINUTE, { leased: true }),
      due({ read: read([day, NOW]), compared: compared(day, null, { leased: true }) }),
    ]).toEqual([null, null]);
    expect(
      due({
        read: read(['2026-03-05', NOW - 600 * MINUTE]),
        compared: compared('2026-03-05', NOW - 59 * MINUTE, { unsettled: true }),
      }),
      'an older one more rarely',
    ).toBeNull();
  });
});

describe('what is known of a reading', () => {
  it('is as old as the oldest day of the span, and nothing when one was never read', () => {
    const reading = readingOf(
      { read: read(['2026-03-08', 5], ['2026-03-09', 3]) },
      {
        booksBegan: 0,
        ownWallets: new Set(),
        dayOf: (ms) => new Date(ms).toISOString().slice(0, 10),
      },
    );
    const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);
    expect(reading.readAt('ledger', at('2026-03-08'), at('2026-03-08'))).toBe(5);
    expect(reading.readAt('ledger', at('2026-03-08'), at('2026-03-09'))).toBe(3);
    expect(reading.readAt('withdrawals', at('2026-03-08'), at('2026-03-10'))).toBeNull();
  });
});
