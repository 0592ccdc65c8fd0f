import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { mayBeLost } from './compare-journal.ts';
import type { JournalFacts } from './compare-journal.ts';

/**
 * Whether a movement may have been sent without a trace in the restored database: it is older than
 * a recovery, and a record that the recovery found names it, or our send journal cannot rule it
 * out, being absent or incomplete. Decisive for kinds that cannot be queried at the provider, and
 * for what is said of a movement without a send.
 */
export async function mayHaveLeft(
  tx: Tx,
  { id, extId }: Pick<MovementRow, 'id' | 'extId'>,
): Promise<boolean> {
  const rows = await tx.$queryRaw<{ journal: JournalFacts | null; named: boolean }[]>`
    SELECT r.journal, EXISTS (SELECT FROM recovered_records f WHERE f.ext_id = ${extId}) AS named
    FROM recoveries r WHERE r.began_at > (SELECT m.created_at FROM movements m WHERE m.id = ${id}::uuid)`;
  return mayBeLost(rows);
}
