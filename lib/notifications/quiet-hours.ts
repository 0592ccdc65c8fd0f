import { formatTime } from '#lib/values/dates.ts';

/**
 * The hours in which a person gets no mail, as minutes of the day in the workspace's zone: from
 * ≤ t < to, over midnight when `from` is later. Pure.
 */
export type QuietHours = { from: number; to: number };

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;

export function isQuiet(minute: number, { from, to }: QuietHours): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The minute of the day of an instant (ISO) in a zone. */
export function minuteOfDay(iso: string, zone: string): number {
  return readClock(formatTime(iso, { zone })) ?? 0;
}

/** '22:30' → 1350; null for anything that is no time of day. */
export function readClock(text: string): number | null {
  const [, hours, minutes] = CLOCK.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** 1350 → '22:30'. */
export function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
