import * as z from 'zod';
import { monthDays } from '#lib/values/dates.ts';
import { isUsualDay } from '#lib/values/typed-day.ts';

/** The day close page's filter, read from the query string. Invalid values are ignored. Pure. */

/** `month` is any day of the shown month; `day` is the day of that month that is shown in full. */
export type DayCloseQuery = {
  wallet: string | null;
  month: string;
  day: string | null;
  /** The dialog that closes days is open. */
  close: boolean;
};

const one = z.string().catch('');
const address = z.object({
  wallet: one.transform((text) => (/^[0-9]{4,20}$/.test(text) ? text : null)),
  month: one.transform((text) => (isUsualDay(`${text}-01`) ? `${text}-01` : null)),
  day: one.transform((text) => (isUsualDay(text) ? text : null)),
  close: one.transform((text) => text === '1'),
});

export function readDayCloseQuery(
  params: Record<string, string | string[] | undefined>,
  today: string,
): DayCloseQuery {
  const { wallet, month, day, close } = address.parse(params);
  const shown = day !== null && day <= today ? day : null;
  const from = monthDays(shown ?? month ?? today).from;
  return { wallet, month: from > today ? monthDays(today).from : from, day: shown, close };
}

export function dayCloseParams({
  wallet,
  month,
  day,
}: Omit<DayCloseQuery, 'close'>): Record<string, string | null> {
  return { wallet, month: day === null ? month.slice(0, 7) : null, day };
}
