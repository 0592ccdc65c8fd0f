import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { kindOf } from './kinds.ts';

/**
 * Whether the payee of a movement is known: the rules of a policy, what an approver is shown, and the
 * look at the last 30 days use this one reading.
 */

export type PayeeKnown = { isFirstPayment: boolean; isPayeeChanged: boolean };
export type PayeeColumns = { is_paid: boolean; is_paid_elsewhere: boolean };

/** A payment that was completed and whose money stayed there. */
export const IS_PAID = sql`p.state = 'COMPLETED' AND p.returned = 'NONE' AND p.id <> m.id`;
const IS_TO_SAME = sql`p.iban = m.iban AND p.to_wallet IS NOT DISTINCT FROM m.to_wallet`;

/**
 * The columns `PayeeColumns` of each movement `m`, which has `id`, `iban`, `to_wallet` and
 * `name_fold`: whether a payment `p` to its payee was completed, and if not, whether one to the same
 * name on another account of the same sort was. `only` limits the payments `p`.
 */
export function payeeColumns(only: Prisma.Sql = sql`TRUE`): Prisma.Sql {
  const isPaid = sql`EXISTS (SELECT FROM movements p
    WHERE ${IS_PAID} AND ${IS_TO_SAME} AND ${only})`;
  return sql`${isPaid} AS is_paid, NOT ${isPaid} AND EXISTS (SELECT FROM movements p
      WHERE ${IS_PAID} AND p.name_fold = m.name_fold AND p.card_payment_id IS NULL
        AND NOT (${IS_TO_SAME}) AND (p.iban = '') = (m.iban = '') AND ${only})
    AS is_paid_elsewhere`;
}

/** Whether a movement of the kind pays somebody else. */
export function paysOthers(kind: string): boolean {
  const { payee } = kindOf(kind);
  return payee === 'bank_account' || payee === 'wallet';
}

export function payeeKnown(
  kind: string,
  { is_paid: isPaid, is_paid_elsewhere: isPaidElsewhere }: PayeeColumns,
): PayeeKnown {
  const isFirstPayment = paysOthers(kind) && !isPaid;
  return { isFirstPayment, isPayeeChanged: isFirstPayment && isPaidElsewhere };
}
