import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import type { PayoutPart } from './filter.ts';

/** The rows of one part of a list in one currency; `sum` is decimal text. */
export type PayoutTotal = { part: PayoutPart; currency: string; count: number; sum: string };

/**
 * The part of a list's totals that a movement `m` belongs to: money that left for good, that came
 * back, that is on its way, whose outcome is unknown, or that never left. Reads columns of one
 * index only.
 */
export const PART = sql`CASE
  WHEN m.state = 'COMPLETED' AND m.returned = 'NONE' THEN 'paid'
  WHEN m.state = 'COMPLETED' AND m.returned = 'CONFIRMED' THEN 'returned'
  WHEN m.state IN ('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'PENDING') THEN 'pending'
  WHEN m.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') THEN 'unpaid'
  ELSE 'unknown' END`;

/** One row per part and currency, the largest count of a part first. */
export function totalsOf(conditions: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT coalesce(jsonb_agg(t ORDER BY t.part, t.count DESC, t.currency), '[]') FROM (
    SELECT ${PART} AS part, m.currency, count(*)::int AS count, sum(m.amount_minor)::text AS sum
      FROM movements m WHERE ${conditions} GROUP BY 1, 2) t)`;
}
