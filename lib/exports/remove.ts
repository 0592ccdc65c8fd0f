import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

const LINES_KEPT_DAYS = 90;

/**
 * Deletes a person's own export, finished or not: its bytes are removed, its list entry stays.
 *
 * @throws Refusal `not_allowed`, `not_found`
 */
export async function removeExport(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'export.make');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const removed = await tx.$executeRaw`UPDATE exports SET state = 'DELETED' WHERE id = ${id}::uuid
        AND person_id = ${actor.personId}::uuid AND state NOT IN ('DELETED', 'EXPIRED')`;
    if (removed === 0) throw new Refusal('not_found');
    await tx.$executeRaw`DELETE FROM export_pieces WHERE export_id = ${id}::uuid`;
    await audit(tx, actor, 'export.deleted', `export:${id}`);
  });
}

/** The worker's clean-up: expired files lose their bytes, long expired list entries are deleted. */
export async function expireExports(merchantId: string): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`
      WITH past AS (UPDATE exports SET state = 'EXPIRED' WHERE state NOT IN ('DELETED', 'EXPIRED')
        AND expires_at < clock_timestamp() RETURNING id)
      DELETE FROM export_pieces WHERE export_id IN (SELECT id FROM past)`;
    await tx.$executeRaw`DELETE FROM exports
      WHERE expires_at < clock_timestamp() - make_interval(days => ${LINES_KEPT_DAYS})`;
  });
}
