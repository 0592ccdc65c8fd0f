import type { Role } from '#lib/access/actor.ts';

/**
 * What an export is made of: rows of text, a page at a time, with columns that say what the text
 * stands for. Pure.
 */

/**
 * `text`: as a person wrote it, or an identifier. `code`: a word of ours that people read as
 * another. `minor`: minor units as digits. `instant`: as PostgreSQL prints it in UTC, `2026-03-05
 * 21:30:00.123456+00`.
 */
export type ColumnKind = 'text' | 'code' | 'minor' | 'instant';
/** `width` in characters, for a spreadsheet. */
export type Column = { key: string; kind: ColumnKind; width: number };
export type Cells = readonly (string | null)[];

/**
 * Whose eyes the rows are for, which rows, and up to which moment (as PostgreSQL prints it) they
 * were made.
 */
export type Scope<Filter> = { merchantId: string; role: Role; filter: Filter; asOf: string };

/**
 * `next` is the place behind the last row, null when nothing is left. It outlives the process that
 * read it.
 */
export type RowPage = { rows: Cells[]; next: string | null };

/**
 * Somewhere rows come from: our own tables, or a report that a provider pages. A place must lead to
 * the same rows whoever asks, and no row may stand on both sides of one.
 */
export type Source<Filter = unknown> = {
  columns: readonly Column[];
  /** Which columns hold the amount and its currency. */
  sum: { amount: string; currency: string };
  /** From the address of the list that the rows are those of: `?view=…`. */
  readFilter(address: string): Filter;
  /** How many rows there will be, for the progress; null when nobody knows before they are read. */
  count(scope: Scope<Filter>): Promise<number | null>;
  page(scope: Scope<Filter>, after: string | null, rows: number): Promise<RowPage>;
};
