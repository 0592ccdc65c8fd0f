/** A payouts file as it was read: sheets of cells, before anything is judged. Pure. */

/** The largest file, in bytes. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** The most rows with something in them that a file may have, headings and remarks not counted. */
export const ROWS_MAX = 10_000;
/** Headings, remarks and totals that a sheet may have beside its rows. */
export const OTHER_ROWS_MAX = 200;
/** The last column that may hold something, counted from 1. */
export const COLUMNS_MAX = 100;
/** The longest text of a cell: the limit of Excel. */
export const CELL_LENGTH_MAX = 32_767;

/**
 * `text` is what the file has: a number as its XML writes it, never through a floating-point
 * number; a date of a workbook as '2026-11-24', with ' 13:45' behind it where it has a time.
 * `formula`: the text after '=', whose result the program that wrote the file left in the cell.
 * `mergedFrom`: the cell is empty itself and covered by another one, whose text it shows.
 */
export type SourceCell = {
  kind: 'empty' | 'text' | 'number' | 'date' | 'boolean' | 'error';
  text: string;
  formula?: string;
  mergedFrom?: string;
};

/** `number` counts from 1, as a spreadsheet shows it; in text, records count. */
export type SourceRow = { number: number; hidden: boolean; cells: readonly SourceCell[] };

/**
 * Rows without any text are left out; `emptyRows` counts those before the last row. `hiddenColumns` counts from 0 and
 * names only columns that hold something. `epoch1904`: days of this workbook count from 1904.
 */
export type SourceSheet = {
  name: string;
  hidden: boolean;
  rows: readonly SourceRow[];
  emptyRows: number;
  hiddenColumns: readonly number[];
  epoch1904: boolean;
};

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1254'] as const;
export type Encoding = (typeof ENCODINGS)[number];
export const DELIMITERS = [';', '\t', ',', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export type SourceFile =
  | { format: 'workbook'; sheets: readonly SourceSheet[] }
  | {
      format: 'text';
      encoding: Encoding | null;
      delimiter: Delimiter;
      sheets: readonly [SourceSheet];
    };

export const EMPTY_CELL: SourceCell = { kind: 'empty', text: '' };

/** The cell in a column; beyond the last one it is empty. */
export function cellAt(row: SourceRow, column: number): SourceCell {
  return row.cells[column] ?? EMPTY_CELL;
}

/** '="0123"' and "'0123": how exports, our own too, keep a spreadsheet from making it a number. */
const FORCED = /^\s*(?:="([^"]*)"|'(.*))\s*$/s;

/** The cell with the text that its form only protects; the same cell where there is no such form. */
export function unforced(cell: SourceCell): SourceCell {
  const match = cell.kind === 'text' ? FORCED.exec(cell.text) : null;
  const text = match?.[1] ?? match?.[2];
  if (text === undefined) return cell;
  return { ...cell, kind: text.trim() === '' ? 'empty' : 'text', text };
}

/** 'A', 'Z', 'AA': the name of a column that counts from 0. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
