import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/**
 * The number of results shown per group: enough to see whether a match exists; the list shows the
 * rest.
 */
const ROWS = 5;

/** A few rows, and whether there are more. */
export type Group<T> = { rows: T[]; more: boolean };

/** Reads one row more than is shown, to know whether there are more. */
export function rows(query: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT coalesce(jsonb_agg(to_jsonb(g)), '[]') FROM (${query} LIMIT ${ROWS + 1}) g)`;
}

export function group<Raw, T>(raw: readonly Raw[], shown: (one: Raw) => T): Group<T> {
  return { rows: raw.slice(0, ROWS).map(shown), more: raw.length > ROWS };
}
