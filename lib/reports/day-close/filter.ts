import * as z from 'zod';
import { isDay, monthDays } from '#lib/values/dates.ts';

/**
 * What the day close is asked for, as its address says it. What makes no sense is as if it were not
 * there. Pure.
 */

/** `month` is a day in it; `day` is the one shown in full, of that month. */
export type DayCloseQuery = { wallet: string | null; month: string; day: string | null };

const one = z.string().catch('');
const address = z.object({
  wallet: one.transform((text) => (/^[0-9]{4,20}$/.test(text) ? text : null)),
  month: one.transform((text) => (isDay(`${text}-01`) ? `${text}-01` : null)),
  day: one.transform((text) => (isDay(text) ? text : null)),
});

export function readDayCloseQuery(
  params: Record<string, string | string[] | undefined>,
  today: string,
): DayCloseQuery {
  const { wallet, month, day } = address.parse(params);
  const shown = day !== null && day <= today ? day : null;
  const from = monthDays(shown ?? month ?? today).from;
  return { wallet, month: from > today ? monthDays(today).from : from, day: shown };
}

export function dayCloseParams({
  wallet,
  month,
  day,
}: DayCloseQuery): Record<string, string | null> {
  return { wallet, month: day === null ? month.slice(0, 7) : null, day };
}
