import 'server-only';
import { kindOf } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { readReasons } from '#lib/policy/stored-rules.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, Tx } from '#lib/runtime/db.ts';
import { flagsOf, isAmountUnusual } from './flags.ts';
import type { Flag } from './flags.ts';

type Found = Row<
  'movements',
  'id' | 'kind' | 'amount_minor' | 'overrides',
  { kind: KindName; overrides: string[] }
> & {
  reasons: unknown;
  is_paid: boolean;
  is_paid_elsewhere: boolean;
  paid: number;
  largest: bigint | null;
};

/** A payment that was completed and whose money stayed there. */
const IS_PAID = sql`p.state = 'COMPLETED' AND p.returned = 'NONE' AND p.id <> m.id`;
const IS_TO_SAME = sql`p.iban = m.iban AND p.to_wallet IS NOT DISTINCT FROM m.to_wallet`;

/**
 * What is unusual about each movement `m` that waits for approval and meets the condition, in the
 * order in which they began to wait. The payee is known by the rules of
 * `lib/movements/policy-facts.ts`, here for a whole list at once.
 */
export async function readFlags(tx: Tx, condition: Prisma.Sql): Promise<Map<string, Flag[]>> {
  const rows = await tx.$queryRaw<Found[]>`
    SELECT m.id, m.kind, m.amount_minor, m.overrides, past.paid, past.largest::bigint AS largest,
      (SELECT r.reasons FROM approval_requirements r WHERE r.movement_id = m.id
        ORDER BY r.id DESC LIMIT 1) AS reasons,
      EXISTS (SELECT FROM movements p WHERE ${IS_PAID} AND ${IS_TO_SAME}) AS is_paid,
      EXISTS (SELECT FROM movements p WHERE ${IS_PAID} AND p.name_fold = m.name_fold
        AND p.card_payment_id IS NULL AND NOT (${IS_TO_SAME})
        AND (p.iban = '') = (m.iban = '')) AS is_paid_elsewhere
    FROM movements m CROSS JOIN LATERAL (
      SELECT count(*)::int AS paid, max(p.amount_minor) AS largest FROM movements p
      WHERE ${IS_PAID} AND p.iban = m.iban AND m.iban <> '' AND p.currency = m.currency
        AND p.created_at > clock_timestamp() - interval '12 months') past
    WHERE m.state = 'AWAITING_APPROVAL' AND ${condition}
    ORDER BY m.state_since`;
  return new Map(rows.map((row) => [row.id, flagsOfRow(row)]));
}

function flagsOfRow(row: Found): Flag[] {
  const { payee } = kindOf(row.kind);
  const isFirstPayment = (payee === 'bank_account' || payee === 'wallet') && !row.is_paid;
  return flagsOf({
    reasons: readReasons(row.reasons ?? []),
    known: {
      isFirstPayment,
      isPayeeChanged: isFirstPayment && row.is_paid_elsewhere,
      isAmountUnusual: isAmountUnusual(row.amount_minor, {
        count: row.paid,
        largestMinor: row.largest ?? 0n,
      }),
    },
    overrides: row.overrides,
  });
}
