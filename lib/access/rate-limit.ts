import 'server-only';
import type { Person } from './actor.ts';
import { inTransaction, kept, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { Refusal } from './refusal.ts';

export type Counted = { ok: true } | { ok: false; seconds: number };

type Limit = { key: string; max: number };

/** The start of the current window, in seconds since 1970, as the table `at`. */
const windowOf = (seconds: number): Prisma.Sql => sql`at AS (SELECT
  floor(extract(epoch FROM clock_timestamp()) / ${seconds}::int) * ${seconds}::int AS start)`;

/** Counts one more event if fewer than `max` were counted in the window and `condition` holds. */
const counting = (
  merchantId: string,
  { key, max }: Limit,
  condition: Prisma.Sql,
): Prisma.Sql => sql`
  INSERT INTO rate_limits (merchant_id, key, window_start, count)
    SELECT ${merchantId}::uuid, ${key}, to_timestamp(start), 1 FROM at WHERE ${condition}
  ON CONFLICT (merchant_id, key, window_start) DO UPDATE SET count = rate_limits.count + 1
    WHERE rate_limits.count < ${max}
  RETURNING count`;

/** The seconds until the current window ends. */
const secondsLeft = (seconds: number): Prisma.Sql =>
  sql`ceil(start + ${seconds}::int - extract(epoch FROM clock_timestamp()))::int AS seconds`;

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
  const [row] = await tx.$queryRaw<[{ counted: boolean; seconds: number }]>(sql`
    WITH ${windowOf(windowSeconds)},
      counted AS (${counting(merchantId, { key, max }, sql`TRUE`)})
    SELECT EXISTS (SELECT FROM counted) AS counted, ${secondsLeft(windowSeconds)} FROM at`);
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
  const [row] = await tx.$queryRaw<[{ count: number; seconds: number }]>(sql`
    WITH ${windowOf(windowSeconds)}
    SELECT coalesce((SELECT count FROM rate_limits r WHERE r.merchant_id = ${merchantId}::uuid
      AND r.key = ${key} AND r.window_start = to_timestamp(at.start)), 0) AS count,
      ${secondsLeft(windowSeconds)} FROM at`);
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
 * Counts one attempt at an endpoint: for the person, then for their address, then for everybody. An
 * attempt that one of the three refuses is counted for none, so that a person over their own limit
 * does not affect others. The commit does not wait for the disk: a crash of the database may forget
 * attempts.
 *
 * @throws Refusal too_many
 */
export async function countAttempt(actor: Person, door: keyof typeof RATE_LIMITS): Promise<void> {
  const { merchantId } = actor;
  const times = env().sandboxOn ? SANDBOX_TIMES : 1;
  const limit = (of: 'person' | 'address' | 'all', name: string): Limit => ({
    key: `${door}:${name}`,
    max: RATE_LIMITS[door][of] * times,
  });
  const person = limit('person', `person:${actor.personId}`);
  const address = limit('address', `address:${actor.ip ?? 'unknown'}`);
  await inTransaction(merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<[{ counted: boolean; seconds: number }]>(
      kept(sql`
        WITH ${windowOf(MINUTE)},
          person AS (${counting(merchantId, person, sql`TRUE`)}),
          address AS (${counting(merchantId, address, sql`EXISTS (SELECT FROM person)`)}),
          everybody AS (${counting(merchantId, limit('all', 'all'), sql`EXISTS (SELECT FROM address)`)})
        SELECT EXISTS (SELECT FROM everybody) AS counted, ${secondsLeft(MINUTE)},
          set_config('synchronous_commit', 'off', true) FROM at`),
    );
    if (!row.counted) throw new Refusal('too_many', { seconds: Math.max(1, row.seconds) });
  });
}
