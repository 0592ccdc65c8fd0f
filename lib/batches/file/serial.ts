/** Dates as spreadsheets count them: days since an epoch, the time as a fraction. Pure. */

const DAY_MS = 86_400_000;
const MINUTES = 1_440;
/** Excel's own calendar has a 29 February 1900, so that earlier numbers mean other days. */
const FIRST = 61;
/** 31 December 9999. */
const LAST = 2_958_465;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** Numbers that may be meant as a day where nothing says so: the years 2000 to 2099. */
const PLAUSIBLE_FROM = 36_526;
const PLAUSIBLE_TO = 73_050;

/**
 * '45985' → '2025-11-24', with ' 18:00' behind it for '45985.75'; null when the text is no number
 * of a day. Only days are computed here, never money.
 */
export function dateOfSerial(text: string, epoch1904: boolean): string | null {
  const match = /^(\d{1,7})(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const days = Number(match[1]) + (epoch1904 ? DAYS_TO_1904 : 0);
  if (days < FIRST || days > LAST) return null;
  const minutes = Math.round(Number(`0.${match[2] ?? '0'}`) * MINUTES);
  const iso = new Date(EPOCH_1900 + days * DAY_MS + minutes * 60_000).toISOString();
  return minutes === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}

/** As {@link dateOfSerial}, for a number that no style shows as a date. */
export function plausibleDate(text: string, epoch1904: boolean): string | null {
  const days = Number(/^\d{5}/.exec(text)?.[0] ?? 0) + (epoch1904 ? DAYS_TO_1904 : 0);
  return days < PLAUSIBLE_FROM || days > PLAUSIBLE_TO ? null : dateOfSerial(text, epoch1904);
}
