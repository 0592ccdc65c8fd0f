import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { SOLD } from './filter.ts';
import type { CardFilter } from './filter.ts';
import { conditionsOf, TAKEN_MINOR } from './list.ts';
import { LIRA, salesFilter } from './sales.ts';

/**
 * Sales of one number of installments, in minor units of lira. `installments`: 1 for a single
 * payment, null for sales of which the number is not known. `commission`: what the gateway keeps,
 * of the sales of which that is known; `charged` is the sum of those, `unknown` the number of the
 * others.
 */
export type InstallmentSales = {
  installments: number | null;
  count: number;
  sold: bigint;
  commission: bigint;
  charged: bigint;
  unknown: number;
};

/**
 * Sales in lira by number of installments, of the payments and days of the sales chart; the lowest
 * number first, the unknown last. A record that does not name the number leaves the one that was
 * ordered here; for a payment link that is only an upper bound, so it is unknown.
 */
export async function viewInstallments(
  actor: Person,
  filter: CardFilter,
  now: string,
): Promise<InstallmentSales[]> {
  assertMay(actor, 'card.read');
  return inOne<InstallmentSales>(
    actor.merchantId,
    sql`
    SELECT coalesce(p.installments,
        CASE WHEN p.kind <> 'link' THEN (p.content->>'installments')::int END) AS installments,
      count(*)::int AS count,
      coalesce(sum(${TAKEN_MINOR}), 0)::bigint AS sold,
      coalesce(sum(p.commission_minor), 0)::bigint AS commission,
      coalesce(sum(${TAKEN_MINOR}) FILTER (WHERE p.commission_minor IS NOT NULL), 0)::bigint
        AS charged,
      (count(*) FILTER (WHERE p.commission_minor IS NULL))::int AS unknown
    FROM card_payments p WHERE ${conditionsOf(salesFilter(filter, now))}
      AND p.currency = ${LIRA} AND p.state = ANY(${SOLD}::text[])
    GROUP BY 1 ORDER BY 1 NULLS LAST`,
  );
}
