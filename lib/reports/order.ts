import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { ReportFilter } from './filter.ts';

/**
 * The SQL of the columns that a report sorts by, and of the id that decides between equal values.
 */
export type SortColumns = { createdAt: Prisma.Sql; amountMinor: Prisma.Sql; id: Prisma.Sql };

/**
 * The SQL for keyset pagination from a place: the column, the condition for rows beyond the place,
 * the order, and the edge of a row, '<sort value>_<id>'.
 */
export function reportOrder(
  { createdAt, amountMinor, id }: SortColumns,
  { sort, order }: Pick<ReportFilter, 'sort' | 'order'>,
  place: Place | null,
): { column: Prisma.Sql; edge: Prisma.Sql; beyond: Prisma.Sql; order: Prisma.Sql } {
  const byDate = sort === 'date';
  const column = byDate ? createdAt : amountMinor;
  const value = byDate
    ? sql`to_char(${createdAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`${amountMinor}::text`;
  // A page before a place is read backwards from it.
  const up = (order === 'ascending') !== (place?.side === 'before');
  // In the index on the time the ids are in the opposite order.
  const idsUp = byDate ? !up : up;
  const beyond = (edge: string): Prisma.Sql => {
    const at = edge.indexOf('_');
    const text = edge.slice(0, at);
    const from = byDate ? sql`${text}::timestamptz` : sql`${BigInt(text)}::bigint`;
    const idBeyond = idsUp
      ? sql`${id} > ${edge.slice(at + 1)}`
      : sql`${id} < ${edge.slice(at + 1)}`;
    // The first comparison alone uses the index; the second only breaks ties between equal values.
    return up
      ? sql`(${column} >= ${from} AND (${column} > ${from} OR ${idBeyond}))`
      : sql`(${column} <= ${from} AND (${column} < ${from} OR ${idBeyond}))`;
  };
  return {
    column,
    edge: sql`${value} || '_' || ${id}`,
    beyond: place === null ? sql`TRUE` : beyond(place.edge),
    order: sql`${column} ${up ? sql`ASC` : sql`DESC`}, ${id} ${idsUp ? sql`ASC` : sql`DESC`}`,
  };
}
