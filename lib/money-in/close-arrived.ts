import 'server-only';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { ARRIVED } from './list.ts';

const AT_ONCE = 100;
/** The tolerance between the provider's clock and ours. */
const CLOCKS_APART_MINUTES = 2;
/**
 * How long after a failure the same money may still arrive, and how long before a repeated receipt
 * it may have arrived.
 */
const WITHIN_DAYS = 31;

/**
 * Closes the cases whose money is in the ledger: a completed top-up with the same amount, currency
 * and description, to the wallet that the webhook named (if any), since the case was opened; for a
 * receipt that the bank sent twice, also before. Without a description there is no safe match, and
 * a person decides. One ledger entry closes one case. Returns the number closed.
 */
export async function closeArrivedCases(merchantId: string): Promise<number> {
  return inTransaction(merchantId, async (tx) => {
    const found = await tx.$queryRaw<{ id: string; record: string }[]>`
      SELECT DISTINCT ON (l.id) c.id, l.id AS record FROM failed_top_ups c
      JOIN ledger_records l ON l.amount_minor = c.announced_minor AND l.currency = c.currency
        AND ${ARRIVED.own} AND l.status_id = 20
        AND (c.wallet IS NULL OR l.to_wallet = c.wallet)
          AND fold_for_search(coalesce(l.top_up ->> 'description', l.description)) = c.description_fold
        AND l.created_at >= c.opened_at - CASE WHEN c.kind = 'repeated' THEN
          make_interval(days => ${WITHIN_DAYS}) ELSE make_interval(mins => ${CLOCKS_APART_MINUTES}) END
        AND l.created_at < c.opened_at + make_interval(days => ${WITHIN_DAYS})
      WHERE c.state = 'OPEN' AND c.description_fold ~ '[a-z0-9]'
        AND (c.kind = 'repeated'
        OR NOT EXISTS (SELECT FROM failed_top_ups other WHERE other.record_id = l.id))
      ORDER BY l.id, c.opened_at LIMIT ${AT_ONCE}`;
    let closed = 0;
    for (const { id, record } of found) {
      const done = await tx.$executeRaw`UPDATE failed_top_ups SET state = 'ARRIVED',
          closed_at = clock_timestamp(), record_id = ${record} WHERE id = ${id}::uuid AND state = 'OPEN'`;
      if (done === 0) continue;
      closed += 1;
      await publish(tx, { merchantId }, { kind: 'top_up', id });
      await audit(tx, { kind: 'worker', merchantId }, 'top_up.arrived', `topup:${id}`, { record });
    }
    return closed;
  });
}
