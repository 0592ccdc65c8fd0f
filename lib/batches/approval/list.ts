import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countIn } from '#lib/runtime/count.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { toDecimal } from '#lib/values/money.ts';
import { BATCH_WAITS_R, batchWaitsFor } from './waiting.ts';

/** A batch that waits for approval. JSON-safe: the sum is decimal text, times ISO. */
export type ListedWaiting = {
  id: string;
  name: string;
  maker: string;
  since: string;
  expiresAt: string;
  count: number;
  sum: string;
  currency: string;
  given: number;
  needed: number;
  /** It waits for this viewer. */
  isMine: boolean;
};

/** The batches that wait for approval, the oldest first. */
export async function waitingBatches(actor: Person): Promise<ListedWaiting[]> {
  assertMay(actor, 'movement.approve');
  const rows = await inOne<
    Row<'batches', 'id' | 'name' | 'currency'> &
      Row<'batch_runs', 'began_at' | 'approvals_needed'> & {
        maker: string;
        count: number;
        sum: string;
        given: number;
        mine: boolean;
      }
  >(
    actor.merchantId,
    sql`
    WITH self AS (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS represented)
    SELECT b.id, b.name, b.currency, r.began_at, r.approvals_needed, p.name AS maker, s.count, s.sum,
      (SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id))::int FROM batch_approvals a
        WHERE a.batch_id = b.id) AS given, ${batchWaitsFor(whoIs(actor))} AS mine
    FROM batch_runs r JOIN batches b ON b.id = r.batch_id JOIN people p ON p.id = b.maker_id
      CROSS JOIN self CROSS JOIN LATERAL (SELECT count(*)::int AS count,
        sum(w.amount_minor)::text AS sum FROM batch_rows w WHERE w.batch_id = b.id) s
    WHERE ${BATCH_WAITS_R} ORDER BY r.began_at, b.id`,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    maker: row.maker,
    since: row.began_at.toISOString(),
    expiresAt: new Date(row.began_at.getTime() + APPROVAL_LIFE_MS).toISOString(),
    count: row.count,
    sum: toDecimal(BigInt(row.sum)),
    currency: row.currency,
    given: row.given,
    needed: row.approvals_needed,
    isMine: row.mine,
  }));
}

/** How many wait for this person: as many as the list says so of. */
export async function countBatchesWaitingFor(actor: Person): Promise<number> {
  assertMay(actor, 'movement.approve');
  return countIn(
    actor.merchantId,
    sql`
    WITH self AS (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS represented)
    SELECT count(*)::int FROM batch_runs r JOIN batches b ON b.id = r.batch_id CROSS JOIN self
    WHERE ${batchWaitsFor(whoIs(actor))}`,
  );
}

function whoIs({ personId, role }: Person): Parameters<typeof batchWaitsFor>[0] {
  return {
    id: sql`${personId}::uuid`,
    role: sql`${role}::text`,
    represented: sql`self.represented`,
  };
}
