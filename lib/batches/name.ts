import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';

/**
 * The name of a submitted batch, empty when its rows were pasted; null when this merchant has none
 * with that id.
 */
export async function batchName(actor: Person, id: string | null): Promise<string | null> {
  assertMay(actor, 'movement.read');
  if (id === null) return null;
  const [row] = await inOne<Row<'batches', 'name'>>(
    actor.merchantId,
    sql`SELECT name FROM batches WHERE id = ${id}::uuid AND state = 'SUBMITTED'`,
  );
  return row?.name ?? null;
}
