import { isoInZone } from '#lib/values/dates.ts';

/**
 * Converts instants as PostgreSQL prints them to local time. Cached by the hour: a hundred thousand
 * rows have few distinct hours. Pure.
 */

const HOURS_KEPT = 20_000;
const DAY_SECONDS = 86_400;
/** Spreadsheets count days from the end of 1899; this is the number of 1 January 1970. */
const EPOCH_DAY = 25_569;

export type WallClock = {
  /** `06.03.2026 00:30:00` */
  text(instant: string): string;
  /** Days since the end of 1899, to the second: a spreadsheet's representation of a time. */
  serial(instant: string): string;
};

/** `2026-03-05 21:30:00.123456+00` → `2026-03-05T21:30:00.123456Z`, in full precision. */
export function isoInstant(instant: string): string {
  return `${instant.slice(0, 10)}T${instant.slice(11, -3)}Z`;
}

export function wallClock(zone: string): WallClock {
  const hours = new Map<string, { text: string; day: number; seconds: number }>();
  const hourOf = (instant: string) => {
    // Some zones are offset by half or three quarters of an hour, so the minutes differ from UTC.
    const key = instant.slice(0, 13);
    const known = hours.get(key);
    if (known !== undefined) return known;
    if (hours.size >= HOURS_KEPT) hours.clear();
    const local = isoInZone(`${key.replace(' ', 'T')}:00:00Z`, zone);
    const [date = '', time = ''] = local.split('T');
    const [year, month, day] = date.split('-');
    const hour = {
      text: `${day}.${month}.${year} ${time.slice(0, 2)}`,
      day: Date.parse(`${date}T00:00:00Z`) / (DAY_SECONDS * 1_000) + EPOCH_DAY,
      seconds: Number(time.slice(0, 2)) * 3_600 + Number(time.slice(3, 5)) * 60,
    };
    hours.set(key, hour);
    return hour;
  };
  return {
    text(instant) {
      const hour = hourOf(instant);
      return hour.seconds % 3_600 === 0
        ? `${hour.text}${instant.slice(13, 19)}`
        : slowText(instant, zone);
    },
    serial(instant) {
      const hour = hourOf(instant);
      const seconds =
        hour.seconds + Number(instant.slice(14, 16)) * 60 + Number(instant.slice(17, 19));
      return String(Math.round((hour.day + seconds / DAY_SECONDS) * 1e7) / 1e7);
    },
  };
}

function slowText(instant: string, zone: string): string {
  const local = isoInZone(isoInstant(instant), zone);
  return `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`;
}
