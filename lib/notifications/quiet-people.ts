import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { isQuiet, minuteOfDay } from './quiet-hours.ts';

/** The people in whose quiet hours this moment is. */
export async function peopleInQuiet(tx: Tx, now: Date): Promise<string[]> {
  const minute = minuteOfDay(now.toISOString(), env().timeZone);
  const rows = await tx.$queryRaw<{ id: string; from: number; to: number }[]>`
    SELECT person_id AS id, from_minute AS from, to_minute AS to FROM notification_quiet_hours`;
  return rows.flatMap(({ id, from, to }) => (isQuiet(minute, { from, to }) ? [id] : []));
}
