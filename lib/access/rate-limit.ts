import 'server-only';
import type { Person } from './actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { Refusal } from './refusal.ts';

export type Counted = { ok: true } | { ok: false; seconds: number };

/**
 * Counts one more event for `key` if fewer than `max` were counted in the window. One statement, so
 * that fifty concurrent events count as fifty; a refused event is not counted. Returns the seconds
 * until the window ends when the limit is reached.
 */
export async function countWithin(
  tx: Tx,
  merchantId: string,
  key: string,
  max: number,
  windowSeconds: number,
): Promise<Counted> {
  const [row] = await tx.$queryRaw<[{ counted: boolean; seconds: number }]>`
    WITH at AS (SELECT floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds}::int) *
      ${windowSeconds}::int AS start),
    counted AS (
      INSERT INTO rate_limits (merchant_id, key, window_start, count) SELECT ${merchantId}::uuid,
        ${key}, to_timestamp(start), 1 FROM at
      ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = rate_limits.count + 1
        WHERE rate_limits.count < ${max}
      RETURNING count)
    SELECT EXISTS (SELECT FROM counted) AS counted,
      ceil(start + ${windowSeconds}::int - extract(epoch FROM clock_timestamp()))::int AS seconds FROM at`;
  return row.counted ? { ok: true } : { ok: false, seconds: Math.max(1, row.seconds) };
}

/**
 * Counts an event for `key` unless the last counted one is younger than `seconds`: a minimum
 * distance, unlike a window. The caller holds a lock that every other caller for this key takes
 * too.
 */
export async function countApart(
  tx: Tx,
  merchantId: string,
  key: string,
  seconds: number,
): Promise<Counted> {
  const [last] = await tx.$queryRaw<[{ seconds: number | null }]>`
    SELECT ceil(extract(epoch FROM max(window_start)) + ${seconds}::int - extract(epoch
      FROM clock_timestamp()))::int AS seconds
    FROM rate_limits WHERE merchant_id = ${merchantId}::uuid AND key = ${key}`;
  if (last.seconds !== null && last.seconds > 0) return { ok: false, seconds: last.seconds };
  await tx.$executeRaw`INSERT INTO rate_limits (merchant_id, key, window_start, count)
    VALUES (${merchantId}::uuid, ${key}, clock_timestamp(), 1)`;
  return { ok: true };
}

/** The number of events of `key` in the current window, and the seconds until it ends. */
export async function readCount(
  tx: Tx,
  merchantId: string,
  key: string,
  windowSeconds: number,
): Promise<{ count: number; seconds: number }> {
  const [row] = await tx.$queryRaw<[{ count: number; seconds: number }]>`
    WITH at AS (SELECT floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds}::int) *
      ${windowSeconds}::int AS start)
    SELECT coalesce((SELECT count FROM rate_limits r WHERE r.merchant_id = ${merchantId}::uuid
      AND r.key = ${key} AND r.window_start = to_timestamp(at.start)), 0) AS count,
      ceil(start + ${windowSeconds}::int - extract(epoch FROM clock_timestamp()))::int AS seconds FROM at`;
  return { count: row.count, seconds: Math.max(1, row.seconds) };
}

/** Subtracts one event of the current window, when it should not have been counted. */
export async function uncount(
  tx: Tx,
  merchantId: string,
  key: string,
  windowSeconds: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE rate_limits SET count = count - 1 WHERE merchant_id = ${merchantId}::uuid
      AND key = ${key} AND count > 0
      AND window_start
        = to_timestamp(floor(extract(epoch FROM clock_timestamp()) / ${windowSeconds}::int) *
        ${windowSeconds}::int)`;
}

/** Limits per minute: for each person, for each IP address, and for everybody together. */
const RATE_LIMITS = {
  'payout.create': { person: 20, address: 60, all: 120 },
  'payout.program': { person: 120, address: 120, all: 240 },
  'api.call': { person: 600, address: 600, all: 1200 },
  'batch.create': { person: 10, address: 30, all: 60 },
  'card.charge': { person: 20, address: 60, all: 120 },
  'batch.person': { person: 600, address: 600, all: 1200 },
  'wallet.create': { person: 10, address: 20, all: 20 },
  'person.check': { person: 20, address: 60, all: 120 },
  'card.operate': { person: 240, address: 480, all: 600 },
  'card.look': { person: 120, address: 240, all: 480 },
  'movement.approve': { person: 60, address: 120, all: 240 },
  step_up: { person: 20, address: 60, all: 120 },
  'movement.ask': { person: 60, address: 120, all: 240 },
  'movement.ask_many': { person: 10, address: 20, all: 30 },
  'notice.replay': { person: 30, address: 60, all: 60 },
  'export.ask': { person: 10, address: 20, all: 30 },
  'link.make': { person: 20, address: 40, all: 60 },
  'hash.try': { person: 30, address: 60, all: 60 },
  'search.ask': { person: 20, address: 40, all: 60 },
  'plan.change': { person: 20, address: 40, all: 60 },
  'saved.change': { person: 10, address: 20, all: 40 },
  'export.take': { person: 30, address: 60, all: 120 },
};
/**
 * Factor for the sandbox, where rehearsals and measurements make a month's requests in a minute.
 */
const SANDBOX_TIMES = 1_000;
const MINUTE = 60;

/**
 * Counts one attempt at an endpoint. A person over their own limit is refused before the common
 * limit is counted, so that others are not affected.
 *
 * @throws Refusal too_many
 */
export async function countAttempt(actor: Person, door: keyof typeof RATE_LIMITS): Promise<void> {
  const times = env().sandboxOn ? SANDBOX_TIMES : 1;
  const limits: [key: string, max: number][] = [
    [`${door}:person:${actor.personId}`, RATE_LIMITS[door].person],
    [`${door}:address:${actor.ip ?? 'unknown'}`, RATE_LIMITS[door].address],
    [`${door}:all`, RATE_LIMITS[door].all],
  ];
  await inTransaction(actor.merchantId, async (tx) => {
    for (const [key, max] of limits) {
      const counted = await countWithin(tx, actor.merchantId, key, max * times, MINUTE);
      if (!counted.ok) throw new Refusal('too_many', { seconds: counted.seconds });
    }
  });
}
