import type { Locale } from './locale.ts';

/**
 * Days as the workspace counts them. Instants are ISO strings in UTC, days are 'YYYY-MM-DD' in the
 * workspace's zone. Offsets come from the platform's own zone data (Istanbul is UTC+3 since 2016
 * but kept summer time before), month names from a table here, so that server and browser print the
 * same text whatever locale data they have.
 */

export const WORKSPACE_ZONE = 'Europe/Istanbul';

const DAY_MS = 86_400_000;
export const MONTHS: Record<Locale, { short: readonly string[]; long: readonly string[] }> = {
  tr: {
    short: ['Oca', 'Şub', 'Mar', 'Nis', 'May', 'Haz', 'Tem', 'Ağu', 'Eyl', 'Eki', 'Kas', 'Ara'],
    long: [
      'Ocak',
      'Şubat',
      'Mart',
      'Nisan',
      'Mayıs',
      'Haziran',
      'Temmuz',
      'Ağustos',
      'Eylül',
      'Ekim',
      'Kasım',
      'Aralık',
    ],
  },
  en: {
    short: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    long: [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ],
  },
};

const WEEKDAYS: Record<Locale, { short: readonly string[]; long: readonly string[] }> = {
  tr: {
    short: ['Paz', 'Pzt', 'Sal', 'Çar', 'Per', 'Cum', 'Cmt'],
    long: ['Pazar', 'Pazartesi', 'Salı', 'Çarşamba', 'Perşembe', 'Cuma', 'Cumartesi'],
  },
  en: {
    short: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    long: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  },
};

/** A half-open range of instants: from ≤ t < to, both ISO in UTC. */
export type InstantRange = { from: string; to: string };

/** A closed range of days: both ends included. */
export type DayRange = { from: string; to: string };

export type Period =
  | { kind: 'today' | 'yesterday' | 'last7' | 'last30' | 'thisWeek' | 'thisMonth' | 'lastMonth' }
  | { kind: 'range'; from: string; to: string };

/** The day an instant belongs to: '2026-03-05T21:30:00Z' → '2026-03-06' in Istanbul. */
export function dayIn(iso: string, zone: string = WORKSPACE_ZONE): string {
  return dayOfLocal(localMs(instant(iso), zone));
}

/** The instants of a day: '2026-03-06' → 2026-03-05T21:00Z ≤ t < 2026-03-06T21:00Z in Istanbul. */
export function dayRange(day: string, zone: string = WORKSPACE_ZONE): InstantRange {
  return daysRange({ from: day, to: day }, zone);
}

/** The instants of several days, first to last. */
export function daysRange(days: DayRange, zone: string = WORKSPACE_ZONE): InstantRange {
  return {
    from: new Date(startOfDay(days.from, zone)).toISOString(),
    to: new Date(startOfDay(addDays(days.to, 1), zone)).toISOString(),
  };
}

/**
 * The days of a filter. `now` is an ISO instant, passed in; a reversed range is turned round.
 */
export function periodDays(period: Period, now: string, zone: string = WORKSPACE_ZONE): DayRange {
  const today = dayIn(now, zone);
  switch (period.kind) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last7':
      return { from: addDays(today, -6), to: today };
    case 'last30':
      return { from: addDays(today, -29), to: today };
    case 'thisWeek':
      return { from: mondayOf(today), to: today };
    case 'thisMonth':
      return { from: monthDays(today).from, to: today };
    case 'lastMonth':
      return monthDays(addDays(monthDays(today).from, -1));
    case 'range':
      return period.from <= period.to
        ? { from: period.from, to: period.to }
        : { from: period.to, to: period.from };
  }
}

/** The instants of a filter: {@link periodDays} as a half-open UTC range. */
export function periodRange(
  period: Period,
  now: string,
  zone: string = WORKSPACE_ZONE,
): InstantRange {
  return daysRange(periodDays(period, now, zone), zone);
}

/** First and last day of the month that contains a day. */
export function monthDays(day: string): DayRange {
  const { year, month } = parts(day);
  return {
    from: dayOfLocal(Date.UTC(year, month - 1, 1)),
    to: dayOfLocal(Date.UTC(year, month, 0)),
  };
}

/** The day `count` calendar days later (or earlier). */
export function addDays(day: string, count: number): string {
  return dayOfLocal(dayMs(day) + count * DAY_MS);
}

/** The Monday of the week that contains a day. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(dayMs(day)).getUTCDay() + 6) % 7));
}

/** True for 'YYYY-MM-DD' of an existing day (not 2026-02-30). */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && dayOfLocal(ms) === text;
}

/**
 * '6 Mar 2026 00:30' for lists, with `seconds` '6 Mar 2026 00:30:15' for details. With `now`, an
 * instant of the same day is its time alone. 24-hour clock in both languages.
 */
export function formatDateTime(
  iso: string,
  locale: Locale,
  options: { seconds?: boolean; now?: string; zone?: string } = {},
): string {
  const zone = options.zone ?? WORKSPACE_ZONE;
  const time = formatTime(iso, { zone, seconds: options.seconds ?? false });
  const isToday = options.now !== undefined && dayIn(options.now, zone) === dayIn(iso, zone);
  return isToday ? time : `${formatDate(iso, locale, { zone })} ${time}`;
}

/** '6 Mar 2026', or '6 Mart 2026' with `long`. Takes an instant or a day. */
export function formatDate(
  isoOrDay: string,
  locale: Locale,
  options: { long?: boolean; zone?: string } = {},
): string {
  const { year, month, day } = parts(isDay(isoOrDay) ? isoOrDay : dayIn(isoOrDay, options.zone));
  const name = MONTHS[locale][options.long === true ? 'long' : 'short'][month - 1] ?? '';
  return `${day} ${name} ${year}`;
}

/** 'Cuma', in English 'Friday'; 'Cum' and 'Fri' when short. */
export function weekdayOf(day: string, locale: Locale, length: 'long' | 'short' = 'long'): string {
  return WEEKDAYS[locale][length][new Date(dayMs(day)).getUTCDay()] ?? '';
}

/**
 * A deadline, with its weekday: '6 Mar 2026 Cuma 00:30', in English 'Friday 6 Mar 2026 00:30'.
 */
export function formatMoment(iso: string, locale: Locale, zone: string = WORKSPACE_ZONE): string {
  const weekday = weekdayOf(dayIn(iso, zone), locale);
  const date = formatDate(iso, locale, { zone });
  return `${locale === 'tr' ? `${date} ${weekday}` : `${weekday} ${date}`} ${formatTime(iso, { zone })}`;
}

/** '00:30', or '00:30:15' with `seconds`. */
export function formatTime(
  iso: string,
  options: { seconds?: boolean; zone?: string } = {},
): string {
  const clock = new Date(localMs(instant(iso), options.zone ?? WORKSPACE_ZONE))
    .toISOString()
    .slice(11);
  return clock.slice(0, options.seconds === true ? 8 : 5);
}

/**
 * The instant written with the zone's own offset, for the hover text: '2026-03-06T00:30:15+03:00'.
 */
export function isoInZone(iso: string, zone: string = WORKSPACE_ZONE): string {
  const ms = instant(iso);
  const offset = Math.round((localMs(ms, zone) - ms) / 60_000);
  const digits = (value: number): string => String(value).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const size = Math.abs(offset);
  const clock = new Date(localMs(ms, zone)).toISOString().slice(0, 19);
  return `${clock}${sign}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Zones change their offset only on a quarter of an hour (America/St_Johns did so at 00:01 until
 * 2011), so one offset is valid for all of it: a list needs a few of them many times.
 */
const STEADY_MS = 900_000;
const OFFSETS_MAX = 10_000;
const offsets = new Map<string, number>();

/** The zone's wall clock at an instant, as if it were UTC. */
function localMs(ms: number, zone: string): number {
  const quarter = Math.floor(ms / STEADY_MS);
  const key = `${zone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readClock(quarter * STEADY_MS, zone) - quarter * STEADY_MS;
    if (offsets.size >= OFFSETS_MAX) offsets.clear();
    offsets.set(key, offset);
  }
  return ms + offset;
}

/** The zone's wall clock at `ms`, a whole second, as if it were UTC. */
function readClock(ms: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  const read: Record<string, number> = {};
  for (const part of clock.formatToParts(ms)) read[part.type] = Number(part.value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The first instant of a day. Where the clocks change at midnight that is not 00:00, so it is
 * searched.
 */
function startOfDay(day: string, zone: string): number {
  const wall = dayMs(day);
  const candidates = [wall - DAY_MS, wall + DAY_MS]
    .map((near) => wall - (localMs(near, zone) - near))
    .sort((a, b) => a - b);
  return candidates.find((ms) => dayOfLocal(localMs(ms, zone)) === day) ?? candidates[1] ?? wall;
}

function instant(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RangeError('Not an ISO instant.');
  return ms;
}

function dayMs(day: string): number {
  if (!isDay(day)) throw new RangeError('Not a day of the form YYYY-MM-DD.');
  return Date.parse(`${day}T00:00:00Z`);
}

function dayOfLocal(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function parts(day: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, day: date };
}
