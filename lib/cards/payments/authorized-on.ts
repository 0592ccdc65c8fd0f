import 'server-only';
import { dayRange, isDay, dayIn } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { Refusal } from '#lib/access/refusal.ts';

/**
 * The start of the day: an authorization's age is never underestimated.
 *
 * @throws Refusal held_on_unreadable
 */
export function beginningOf(day: string, now: Date): Date {
  const zone = env().timeZone;
  if (!isDay(day) || day > dayIn(now.toISOString(), zone)) throw new Refusal('held_on_unreadable');
  return new Date(dayRange(day, zone).from);
}
