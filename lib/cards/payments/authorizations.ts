import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import {
  bucketEnds,
  bucketOf,
  CAPTURE_LIFE_MS,
  captureDays,
  HOLD_BUCKETS,
  HOLD_LIFE_MS,
} from './authorization.ts';
import type { AuthorizationBucket } from './authorization.ts';
import type { QueueFilter } from './filter.ts';
import { toRow } from './list.ts';
import type { CardRow, Coverage } from './list.ts';
import { PAYMENT } from './row.ts';
import type { StoredPayment } from './row.ts';

/**
 * The maximum number of rows on the screen, because nobody can work through more; the tabs and the
 * register narrow them.
 */
const ROWS_MAX = 200;

export type Hold = CardRow & { bucket: AuthorizationBucket };
export type AuthorizationQueue = {
  holds: Hold[];
  /** The money in each bucket, one entry per currency. Empty buckets are included. */
  buckets: {
    bucket: AuthorizationBucket;
    count: number;
    sums: { currency: string; sum: string }[];
  }[];
  /** The money that can last be captured on each of the coming days; all of them, today first. */
  days: CaptureDay[];
  /** How the authorizations became known: the gateway has no list, so there may be more. */
  coverage: Omit<Coverage, 'unverified'>;
  now: string;
};

export type CaptureDay = {
  day: string;
  count: number;
  sums: { currency: string; sum: string }[];
};

type Sum = {
  bucket: AuthorizationBucket;
  currency: string;
  count: number;
  notices: number;
  here: number;
  sum: bigint;
};

/**
 * Authorized payments, the oldest first, then those of unknown age, lapsed ones last. `only`: of
 * the payments with these ids.
 */
export async function authorizationQueue(
  actor: Person,
  { bucket, day }: QueueFilter,
  only: readonly string[] | null = null,
): Promise<AuthorizationQueue> {
  assertMay(actor, 'card.read');
  const zone = env().timeZone;
  return inTransaction(actor.merchantId, async (tx) => {
    const now = (await databaseNow(tx)).getTime();
    const inBucket = bucketAt(now, zone);
    const sums = await readSums(tx, inBucket);
    const rows = await tx.$queryRaw<StoredPayment[]>`
      SELECT ${PAYMENT} FROM card_payments WHERE state = 'held'
        AND (${bucket}::text IS NULL OR ${inBucket} = ${bucket})
        AND (${day}::date IS NULL OR (${endsOn(zone)} = ${day}::date AND ${isOpen(now)}))
        AND (${only === null}::boolean OR id = ANY(${[...(only ?? [])]}::uuid[]))
      ORDER BY array_position(ARRAY['age_unknown', 'lapsed'], ${inBucket}) NULLS FIRST, held_since,
        id LIMIT ${ROWS_MAX}`;
    return {
      holds: rows.map((row) => ({
        ...toRow(row),
        bucket: bucketOf(row.held_since?.getTime() ?? null, now, zone),
      })),
      buckets: bucketsOf(sums),
      days: await readDays(tx, now, zone),
      coverage: coverageOf(sums),
      now: new Date(now).toISOString(),
    };
  });
}

/** The money in each bucket, as the queue's tabs show it. */
export async function sumAuthorizations(actor: Person): Promise<AuthorizationQueue['buckets']> {
  assertMay(actor, 'card.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const now = (await databaseNow(tx)).getTime();
    return bucketsOf(await readSums(tx, bucketAt(now, env().timeZone)));
  });
}

function readSums(tx: Tx, inBucket: Prisma.Sql): Promise<Sum[]> {
  return tx.$queryRaw<Sum[]>`
    SELECT bucket, currency, count(*)::int AS count,
      (count(*) FILTER (WHERE source = 'notice'))::int AS notices,
      (count(*) FILTER (WHERE source = 'made_here'))::int AS here,
      coalesce(sum(amount_minor), 0)::bigint AS sum
    FROM (SELECT currency, amount_minor, source, ${inBucket} AS bucket FROM card_payments
      WHERE state = 'held') h GROUP BY bucket, currency`;
}

/** The day of `captureEndsAt`, as SQL; a midnight belongs to the day that it ends. */
function endsOn(zone: string): Prisma.Sql {
  return sql`((held_since + make_interval(secs => ${CAPTURE_LIFE_MS / 1_000})
    - interval '1 ms') AT TIME ZONE ${zone})::date`;
}

/** Whether an authorization can still be captured from here, as SQL. */
function isOpen(now: number): Prisma.Sql {
  return sql`held_since > ${new Date(now - CAPTURE_LIFE_MS)}`;
}

async function readDays(tx: Tx, now: number, zone: string): Promise<CaptureDay[]> {
  const rows = await tx.$queryRaw<{ day: string; currency: string; count: number; sum: bigint }[]>`
    SELECT ${endsOn(zone)}::text AS day, currency, count(*)::int AS count,
      coalesce(sum(amount_minor), 0)::bigint AS sum
    FROM card_payments WHERE state = 'held' AND ${isOpen(now)} GROUP BY 1, 2 ORDER BY 1, 4 DESC`;
  return captureDays(now, zone).map((day) => {
    const of = rows.filter((row) => row.day === day);
    return {
      day,
      count: of.reduce((all, row) => all + row.count, 0),
      sums: of.map(({ currency, sum }) => ({ currency, sum: toDecimal(sum) })),
    };
  });
}

function bucketsOf(sums: readonly Sum[]): AuthorizationQueue['buckets'] {
  return HOLD_BUCKETS.map((one) => {
    const of = sums.filter((row) => row.bucket === one);
    return {
      bucket: one,
      count: of.reduce((all, row) => all + row.count, 0),
      sums: of.map((row) => ({ currency: row.currency, sum: toDecimal(row.sum) })),
    };
  });
}

function coverageOf(sums: Sum[]): AuthorizationQueue['coverage'] {
  const all = (field: 'count' | 'notices' | 'here'): number =>
    sums.reduce((total, row) => total + row[field], 0);
  return {
    known: all('count'),
    fromNotices: all('notices'),
    byHand: all('count') - all('notices') - all('here'),
    madeHere: all('here'),
  };
}

/** `bucketOf` as SQL. */
function bucketAt(now: number, zone: string): Prisma.Sql {
  const ends = bucketEnds(now, zone);
  const began = (captureEnd: number): Date => new Date(captureEnd - CAPTURE_LIFE_MS);
  return sql`CASE
    WHEN held_since IS NULL THEN 'age_unknown'
    WHEN held_since <= ${new Date(now - HOLD_LIFE_MS)} THEN 'lapsed'
    WHEN held_since <= ${began(now)} THEN 'too_old'
    WHEN held_since <= ${began(ends.today)} THEN 'today'
    WHEN held_since <= ${began(ends.days3)} THEN 'days3'
    WHEN held_since <= ${began(ends.days7)} THEN 'days7'
    ELSE 'later' END`;
}
