import type { Role } from '#lib/access/actor.ts';

/**
 * The interface to the rows of an export: rows of text, a page at a time, and columns that say how
 * to read the text. Pure.
 */

/**
 * `text`: free text or an identifier. `code`: a code of ours with displayed words. `minor`: minor
 * units as digits. `instant`: as PostgreSQL prints it in UTC, `2026-03-05 21:30:00.123456+00`.
 */
export type ColumnKind = 'text' | 'code' | 'minor' | 'instant';
/** `width` in characters, for a spreadsheet. */
export type Column = { key: string; kind: ColumnKind; width: number };
export type Cells = readonly (string | null)[];

/**
 * Whose permissions apply to the rows, which rows, and the moment (as PostgreSQL prints it) before
 * which they were created.
 */
export type Scope<Filter> = { merchantId: string; role: Role; filter: Filter; asOf: string };

/** `next` is the place after the last row, null at the end. It stays valid in another process. */
export type RowPage = { rows: Cells[]; next: string | null };

/**
 * A source of rows: our own tables, or a report that a provider pages. A place must lead to the
 * same rows for every caller, and no row may be on both sides of it.
 */
export type Source<Filter = unknown> = {
  columns: readonly Column[];
  /**
   * The columns with the amount and its currency. `part`: where the list adds up each outcome
   * apart, the column with the outcome, and the part of the sums for each of its codes.
   */
  sum: {
    amount: string;
    currency: string;
    part?: { column: string; of: (code: string) => string };
  };
  /** Reads the filter from the list's query string: `?view=…`. */
  readFilter(address: string): Filter;
  /** The number of rows, for the progress; null when it is unknown before they are read. */
  count(scope: Scope<Filter>): Promise<number | null>;
  page(scope: Scope<Filter>, after: string | null, rows: number): Promise<RowPage>;
};
