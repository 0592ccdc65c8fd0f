import 'server-only';
import { dayRange, dayIn } from '#lib/values/dates.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { env } from '#lib/runtime/env.ts';
import { Refusal } from '#lib/access/refusal.ts';

/**
 * The start of the typed day, so that the age of an authorization made on that day is never
 * underestimated.
 *
 * @throws Refusal held_on_unreadable
 */
export function beginningOf(typed: string, now: Date): Date {
  const zone = env().timeZone;
  const day = readDay(typed);
  if (day === null || day > dayIn(now.toISOString(), zone)) throw new Refusal('held_on_unreadable');
  return new Date(dayRange(day, zone).from);
}
