import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { inOne, kept, sql } from '#lib/runtime/db.ts';
import { histogram } from '#lib/runtime/metrics.ts';
import { inBatches } from './batches.ts';
import { giveWay } from './give-way.ts';

/** A batch stays far below the size at which a statement itself becomes slow. */
const BATCH_MAX = 200;
/** While one batch is flushed to disk, the next one is sent. */
const LANES = 2;
/**
 * A batch of this size comes of a burst. The lane rests after it twice as long as it took, so that
 * the webhooks of the burst share fewer statements and commits. On a busy machine it takes longer,
 * and so leaves more of the processors and the database to pages of other processes.
 */
const LARGE_BATCH = 16;
const REST_LEAST_MS = 10;
const REST_MOST_MS = 200;
/**
 * SQLSTATE classes of errors that one row may cause: its data, a constraint, a lock that another
 * transaction holds, a limit, a statement that takes too long.
 */
const OF_ONE_ROW = /^(?:22|23|40|54|55|57014)/;

const observeBatch = histogram(
  'dashboard_webhook_batch_size',
  'Webhooks that were committed together.',
  [1, 2, 5, 10, 20, 50, 100, BATCH_MAX],
);

/**
 * A webhook as it arrived. `ours`: the reference under which a movement of ours may be waiting.
 * `concernsUs`: it is handled whatever its reference is.
 */
export type Arrived = {
  channel: 'wallet' | 'card';
  bodyHash: Buffer;
  body: string;
  reference: string | null;
  ours: string | null;
  hint: string | null;
  effect: string;
  concernsUs: boolean;
};
/** `waits`: it concerns something of ours and is not handled yet. */
export type Stored = { id: bigint; waits: boolean };

const queues = new Map<string, (one: Arrived) => Promise<Stored>>();

/**
 * Stores a webhook once per body and counts repeats. Resolves after the commit that holds it, which
 * PostgreSQL has flushed to disk by then; webhooks that arrive together share one commit.
 */
export function store(merchantId: string, one: Arrived): Promise<Stored> {
  let queue = queues.get(merchantId);
  if (queue === undefined) {
    queue = inBatches({
      store: (items) => storeAll(merchantId, items),
      most: BATCH_MAX,
      lanes: LANES,
      isOfOneItem: (error) => OF_ONE_ROW.test((error as { code?: string }).code ?? ''),
      turn: async (before) => {
        if (before.size >= LARGE_BATCH)
          await pause(Math.min(REST_MOST_MS, Math.max(REST_LEAST_MS, 2 * before.ms)));
        await giveWay();
      },
    });
    queues.set(merchantId, queue);
  }
  return queue(one);
}

/**
 * One statement for a whole batch, and all that a webhook that names nothing of ours needs: most of
 * a flood is of this kind. The rows are written in the order of their key, so that two processes
 * that store the same bodies wait for each other instead of blocking each other.
 */
async function storeAll(merchantId: string, items: readonly Arrived[]): Promise<Stored[]> {
  const keys = items.map(keyOf);
  const seen = new Map<string, { one: Arrived; times: number }>();
  items.forEach((one, at) => {
    const same = seen.get(keys[at]!);
    if (same === undefined) seen.set(keys[at]!, { one, times: 1 });
    else same.times += 1;
  });
  const rows = [...seen.values()];
  const column = <C>(of: (one: Arrived) => C): C[] => rows.map(({ one }) => of(one));
  const stored = await inOne<Stored & { channel: string; body_hash: Buffer }>(
    merchantId,
    kept(sql`
      INSERT INTO notices
        (merchant_id, channel, body_hash, body, ext_id, hint, effect, seen, handled_at)
      SELECT ${merchantId}::uuid, channel, body_hash, body, ext_id, hint,
        CASE WHEN NOT waits THEN effect END, seen, CASE WHEN NOT waits THEN clock_timestamp() END
      FROM unnest(${column((one) => one.channel)}::text[],
        ${column((one) => one.bodyHash)}::bytea[], ${column((one) => one.body)}::text[],
        ${column((one) => one.reference)}::text[], ${column((one) => one.ours)}::text[],
        ${column((one) => one.hint)}::text[], ${column((one) => one.effect)}::text[],
        ${column((one) => one.concernsUs)}::boolean[], ${rows.map(({ times }) => times)}::int[])
        AS arrived (channel, body_hash, body, ext_id, ours, hint, effect, concerns_us, seen),
        LATERAL (SELECT concerns_us OR EXISTS (SELECT FROM movements m WHERE m.ext_id = ours)
          AS waits) AS handling
      ORDER BY channel, body_hash
      ON CONFLICT (merchant_id, channel, body_hash) DO UPDATE
        SET seen = notices.seen + excluded.seen, last_at = clock_timestamp()
      RETURNING id, channel, body_hash, handled_at IS NULL AS waits`),
  );
  const byKey = new Map(
    stored.map(({ id, waits, ...row }) => [
      keyOf({ channel: row.channel, bodyHash: row.body_hash }),
      { id, waits },
    ]),
  );
  observeBatch(items.length);
  return keys.map((key) => byKey.get(key)!);
}

function keyOf({ channel, bodyHash }: { channel: string; bodyHash: Buffer }): string {
  return `${channel}:${bodyHash.toString('latin1')}`;
}
