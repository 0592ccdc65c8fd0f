import 'server-only';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { locksSibling } from './history.ts';
import type { OwnMovement } from './history.ts';

/**
 * Leaves the other rows of the same batch out of the payments that speak against a movement of a row,
 * except one that locks it. Returns all of `recent` for a movement of no batch.
 *
 * @param payeeOf the IBAN or wallet that a payment pays
 */
export async function withoutSiblings<
  Payment extends Pick<OwnMovement, 'id' | 'state' | 'amountMinor'>,
>(
  tx: Tx,
  paid: { id: string; payee: string; amountMinor: bigint },
  recent: readonly Payment[],
  payeeOf: (payment: Payment) => string,
): Promise<Payment[]> {
  const rows = await tx.$queryRaw<Row<'batch_rows', 'movement_id'>[]>`
    SELECT o.movement_id FROM batch_rows w JOIN batch_rows o ON o.batch_id = w.batch_id
    WHERE w.movement_id = ${paid.id}::uuid
      AND o.movement_id = ANY(${recent.map(({ id }) => id)}::uuid[])`;
  const siblings = new Set(rows.map((one) => one.movement_id));
  return recent.filter(
    (one) => !siblings.has(one.id) || locksSibling({ ...one, payee: payeeOf(one) }, paid),
  );
}
