import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/**
 * What the lines of the mirror did to one wallet, as rows `(record_id, side, moment, in_minor,
 * out_minor, fee_minor)`. A line between two own wallets is one row in each. Completed lines count
 * (20, `contract`), and refunded ones (60, `published`), which were completed; a refund that the
 * ledger shows by the status alone is a row of its own, `back`, that ends when the credit has a
 * line of its own. A fee on the receiver's side is taken off what is said to be received
 * (`assumed`).
 */
export type EffectsOf = { wallet: string; currency: string };

/** `from` ≤ moment < `to`: SQL that may name columns of what it is joined with. */
export function effects(
  { wallet, currency }: EffectsOf,
  from: Prisma.Sql,
  to: Prisma.Sql,
): Prisma.Sql {
  const counted = sql`l.status_id IN (20, 60) AND l.currency = ${currency}`;
  return sql`
    SELECT l.id AS record_id, 'out' AS side, l.booked_at AS moment, 0::bigint AS in_minor,
      l.amount_minor AS out_minor, l.fee_minor
    FROM ledger_records l WHERE l.from_wallet = ${wallet} AND l.booked_at >= ${from}
      AND l.booked_at < ${to} AND ${counted}
    UNION ALL
    SELECT l.id, CASE WHEN ${INCOMING} THEN 'in' ELSE 'out' END, l.booked_at,
      CASE WHEN ${INCOMING} THEN coalesce(l.received_minor, l.amount_minor) ELSE 0 END,
      CASE WHEN ${INCOMING} THEN 0 ELSE l.amount_minor END,
        CASE WHEN ${INCOMING} THEN coalesce(l.receiver_fee_minor, 0) ELSE l.fee_minor END
    FROM ledger_records l WHERE l.to_wallet = ${wallet} AND l.from_wallet IS DISTINCT FROM ${wallet}
      AND l.booked_at >= ${from} AND l.booked_at < ${to} AND ${counted}
    UNION ALL
    SELECT l.id, 'back', l.returned_at, CASE WHEN l.from_wallet = ${wallet} THEN l.amount_minor
      ELSE 0 END, CASE WHEN l.from_wallet = ${wallet} THEN 0 ELSE l.amount_minor END, 0
    FROM ledger_records l WHERE l.returned_at >= ${from} AND l.returned_at < ${to} AND ${counted}
      AND ${wallet} IN (l.from_wallet, l.to_wallet) AND NOT EXISTS (
      SELECT FROM ledger_records c WHERE c.id <> l.id AND c.status_id IN (20, 60)
        AND (c.refers_to = l.id OR c.ext_id = l.ext_id)
        AND CASE WHEN l.from_wallet = ${wallet} THEN c.to_wallet = ${wallet}
          AND c.from_wallet IS DISTINCT FROM ${wallet} ELSE c.from_wallet = ${wallet} END)`;
}

/**
 * A line that names the wallet as receiver and no sender may still be money that left: its amount
 * was negative.
 */
const INCOMING = sql`(l.direction = 'in' OR l.from_wallet IS NOT NULL)`;

/** The day of the workspace that a moment belongs to. */
export function dayOf(moment: Prisma.Sql, zone: string): Prisma.Sql {
  return sql`(${moment} AT TIME ZONE ${zone})::date`;
}

/** The first instant of a day of the workspace. */
export function startOf(day: string, zone: string): Prisma.Sql {
  return sql`(${day}::date::timestamp AT TIME ZONE ${zone})`;
}
