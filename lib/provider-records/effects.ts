import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/**
 * The effects of the mirrored ledger entries on one wallet, as rows `(record_id, side, moment,
 * in_minor, out_minor, fee_minor)`. An entry between two own wallets is one row in each. Completed
 * entries count (20, `contract`), and refunded ones (60, `published`), which were completed before.
 * A return that the ledger shows only by the status is a row of its own, `back`, until the credit
 * has an entry of its own. A fee on the receiver's side is deducted from the received amount
 * (`assumed`).
 */
export type EffectsOf = { wallet: string; currency: string };

/**
 * `from` ≤ moment < `to`. They and the wallet's number are SQL that may refer to columns of joined
 * tables.
 */
export function effects(
  { wallet, currency }: { wallet: string | Prisma.Sql; currency: string },
  from: Prisma.Sql,
  to: Prisma.Sql,
): Prisma.Sql {
  const counted = sql`l.status_id IN (20, 60) AND l.currency = ${currency}`;
  const left = sql`(l.from_wallet = ${wallet} OR NOT ${INCOMING})`;
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
    SELECT l.id, 'back', l.returned_at, CASE WHEN ${left} THEN l.amount_minor ELSE 0 END,
      CASE WHEN ${left} THEN 0 ELSE l.amount_minor END, 0
    FROM ledger_records l WHERE l.returned_at >= ${from} AND l.returned_at < ${to} AND ${counted}
      AND ${wallet} IN (l.from_wallet, l.to_wallet) AND NOT EXISTS (
      SELECT FROM ledger_records c WHERE c.id <> l.id AND c.status_id IN (20, 60)
        AND (c.refers_to = l.id OR c.ext_id = l.ext_id)
        AND CASE WHEN ${left} THEN c.to_wallet = ${wallet}
          AND c.from_wallet IS DISTINCT FROM ${wallet} ELSE c.from_wallet = ${wallet} END)`;
}

/**
 * An entry with the wallet as receiver and without a sender may still be outgoing money: its amount
 * was negative.
 */
const INCOMING = sql`(l.direction = 'in' OR l.from_wallet IS NOT NULL)`;

/** The day of a moment in the workspace's zone. */
export function dayOf(moment: Prisma.Sql, zone: string): Prisma.Sql {
  return sql`(${moment} AT TIME ZONE ${zone})::date`;
}

/** The first instant of a day in the workspace's zone. */
export function startOf(day: string, zone: string): Prisma.Sql {
  return sql`(${day}::date::timestamp AT TIME ZONE ${zone})`;
}
