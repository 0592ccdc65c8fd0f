import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { knownColumns } from './columns.ts';
import type { ColumnList, ColumnOf } from './columns.ts';

/** The optional columns of a list that a person has hidden; none until they chose. */
export async function hiddenColumns<List extends ColumnList>(
  actor: Person,
  list: List,
): Promise<ColumnOf<List>[]> {
  const [row] = await inOne<Row<'list_columns', 'hidden'>>(
    actor.merchantId,
    sql`SELECT hidden FROM list_columns WHERE person_id = ${actor.personId}::uuid AND list = ${list}`,
  );
  return knownColumns(list, row?.hidden ?? []);
}
