import 'server-only';
import type { Tx } from '#lib/db.ts';

/**
 * Counts one more event for `key` and says whether it is within `max` per window. One statement, so that fifty at once are
 * counted as fifty. Returns the seconds until the window ends when it is not.
 */
export async function countWithin(tx: Tx, merchantId: string, key: string, max: number, windowSeconds: number): Promise<{ ok: true } | { ok: false; seconds: number }> {
  const [row] = await tx.$queryRaw<[{ count: number; seconds: number }]>`
    INSERT INTO rate_limits (merchant_id, key, window_start, count)
    VALUES (${merchantId}::uuid, ${key}, to_timestamp(floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds}::int) * ${windowSeconds}::int), 1)
    ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = rate_limits.count + 1
    RETURNING count, ceil(extract(epoch FROM window_start) + ${windowSeconds}::int - extract(epoch FROM clock_timestamp()))::int AS seconds`;
  return row.count <= max ? { ok: true } : { ok: false, seconds: Math.max(1, row.seconds) };
}
