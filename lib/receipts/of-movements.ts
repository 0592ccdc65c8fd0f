import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { isReceiptId } from './file-name.ts';

/**
 * The receipts of these movements, present or missing, by their ids. A movement that has not been
 * paid has none. Ids that are no movement's are ignored.
 *
 * @throws Refusal `not_allowed`
 */
export async function receiptsOfMovements(
  actor: Person,
  movementIds: readonly string[],
): Promise<string[]> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'movement.read');
  const rows = await inOne<{ id: string }>(
    actor.merchantId,
    sql`SELECT id FROM receipts WHERE movement_id = ANY(${movementIds.filter(isReceiptId)}::uuid[])
      ORDER BY paid_at DESC, id DESC`,
  );
  return rows.map(({ id }) => id);
}
