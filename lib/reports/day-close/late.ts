import 'server-only';
import { inOne, sql } from '#lib/runtime/db.ts';
import { addDays } from '#lib/values/dates.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { foundLate, LATE_DAYS, lateOf } from './figures.ts';
import type { Days, LastClosed } from './figures.ts';

/** Corrections of closed days: entries found or changed after a day's close. */

/** The sum of all corrections that no closed day carries yet. */
export async function waitingOf(
  merchantId: string,
  of: EffectsOf,
  last: LastClosed,
  zone: string,
): Promise<bigint> {
  if (last === null) return 0n;
  const [row] = await inOne<{ net: string }>(
    merchantId,
    sql`SELECT coalesce(sum(in_minor - out_minor - fee_minor), 0)::text AS net
      FROM (${foundLate(of, lateWindow(last, zone))}) f`,
  );
  return BigInt(row!.net);
}

/** Closed days for which corrections may still be found. */
export function lateWindow({ first, last }: NonNullable<LastClosed>, zone: string): Days {
  const from = addDays(last, 1 - LATE_DAYS);
  return { from: from > first ? from : first, to: last, zone };
}

/** An entry may have moved to another closed day, so its effect is searched a month around. */
export function lateRange(days: Days, { first, last }: NonNullable<LastClosed>): Days {
  const [from, to] = [addDays(days.from, -31), addDays(days.to, 31)];
  return { from: from > first ? from : first, to: to < last ? to : last, zone: days.zone };
}

/** The corrections of each closed day among these days. */
export async function lateDays(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  last: LastClosed,
): ReturnType<typeof lateOf> {
  return last === null || days.from > last.last || days.to < last.first
    ? new Map()
    : lateOf(merchantId, of, lateRange(days, last));
}
