import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';

/** The name of a saved recipient; null when this merchant has none with that id. */
export async function recipientName(actor: Person, id: string | null): Promise<string | null> {
  assertMay(actor, 'movement.read');
  if (id === null) return null;
  return (
    (
      await inOne<{ name: string }>(
        actor.merchantId,
        sql`SELECT name FROM recipients WHERE id = ${id}::uuid`,
      )
    )[0]?.name ?? null
  );
}
