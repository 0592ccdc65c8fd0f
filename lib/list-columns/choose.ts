import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { LIST_NEEDS } from '#lib/saved-views/lists.ts';
import { isColumnList, knownColumns, OPTIONAL_COLUMNS } from './columns.ts';

/**
 * Remembers for this person which optional columns of a list are shown; the others are hidden.
 * Names that are no optional column of the list change nothing.
 *
 * @throws Refusal `not_allowed`, `not_found`
 */
export async function chooseListColumns(
  actor: Person,
  { list, shown }: { list: string; shown: readonly string[] },
): Promise<void> {
  if (!isColumnList(list)) throw new Refusal('not_found');
  assertMay(actor, LIST_NEEDS[list]);
  const kept: readonly string[] = knownColumns(list, shown);
  const hidden = OPTIONAL_COLUMNS[list].filter((column) => !kept.includes(column));
  await inTransaction(
    actor.merchantId,
    (tx) => tx.$executeRaw`
      INSERT INTO list_columns (merchant_id, person_id, list, hidden, changed_at)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${list}, ${hidden}::text[],
        clock_timestamp())
      ON CONFLICT (person_id, list) DO UPDATE SET hidden = excluded.hidden,
        changed_at = excluded.changed_at`,
  );
}
