import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { mayBeLost } from './compare-journal.ts';
import type { OlderThan } from './compare-journal.ts';

/**
 * The column that `mayBeLost` reads, for a movement `m`: the recoveries that it is older than. What
 * was refused before a recovery had ended by then, and was not sent in the future that was lost.
 */
export const OLDER_THAN = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('journal', r.journal,
    'named', EXISTS (SELECT FROM recovered_records f WHERE f.ext_id = m.ext_id))), '[]')
  FROM recoveries r WHERE r.began_at > m.created_at
    AND (m.state <> 'REJECTED' OR r.began_at < m.last_send_at)) AS older_than`;

/**
 * Whether a movement may have been sent without a trace in the restored database: it is older than
 * a recovery, and a record that the recovery found names it, or our send journal cannot rule a send
 * out, being absent or incomplete. Decisive for kinds that cannot be queried at the provider, and
 * for the sentence that the page shows for a movement without a send.
 */
export async function mayHaveLeft(tx: Tx, { id }: Pick<MovementRow, 'id'>): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ older_than: OlderThan }[]>`
    SELECT ${OLDER_THAN} FROM movements m WHERE m.id = ${id}::uuid`;
  return row === undefined || mayBeLost(row.older_than);
}
