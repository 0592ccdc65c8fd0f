import { Refusal } from '#lib/access/refusal.ts';
import { checkIban } from '#lib/values/iban.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { folded, isHeading } from './headings.ts';
import { cellAt, ROWS_MAX, unforced } from './source.ts';
import type { SourceCell, SourceFile, SourceRow, SourceSheet } from './source.ts';

/**
 * Finds the table in a sheet: its headings, its rows, and everything that is not taken as a row.
 * Nothing is left out without a word: `left` names each row and why, `said` what else a person must
 * know. Pure.
 */

/** Rows at the beginning among which headings are looked for. */
const HEADINGS_WITHIN = 40;
const TEXT_SHOWN = 120;
const TOTALS_LENGTH_MAX = 60;
const TOTALS_HINT = /toplam|total|yek|sum/i;
const TOTALS =
  /^(?:(?:genel|ara|alt|grand|sub) ?)?(?:toplam|total|yekun|sum)(?: (?:tutar|odeme|odenecek|amount|tl|try|adet|kayit|kisi|satir))*$/;

export type LeftReason = 'above' | 'heading' | 'repeated_heading' | 'hidden' | 'totals' | 'remark';
/** A row of the sheet that is not among the rows of the table. */
export type LeftOut = { row: number; why: LeftReason; text: string };

/** What a person is told about the file beside its rows. */
export type Said =
  | { code: 'hidden_sheet' | 'other_sheet'; sheet: string; rows: number }
  | { code: 'chosen_sheet_hidden'; sheet: string }
  | { code: 'empty_lines'; count: number }
  | { code: 'hidden_column'; column: number; heading: string }
  | { code: 'two_line_headings' | 'no_headings' };

export type Column = {
  /** One line, or two when a group stands above: ['Alıcı', 'IBAN']. Empty without headings. */
  heading: readonly string[];
  hidden: boolean;
};

export type Table = {
  columns: readonly Column[];
  rows: readonly SourceRow[];
  left: readonly LeftOut[];
  said: readonly Said[];
  epoch1904: boolean;
};

/**
 * What a person changed: another sheet (by position), other heading rows ('none': the first row is
 * a payment), and the numbers of left-out rows to take nevertheless.
 */
export type TableChoices = {
  sheet?: number;
  headings?: readonly number[] | 'none';
  take?: readonly number[];
};

/** The sheet to begin with: the first one that is shown and has rows. */
export function firstSheet(file: SourceFile): number {
  const shown = file.sheets.findIndex(({ hidden, rows }) => !hidden && rows.length > 0);
  return shown >= 0
    ? shown
    : Math.max(
        0,
        file.sheets.findIndex(({ rows }) => rows.length > 0),
      );
}

/** @throws Refusal `file_too_many_rows` */
export function findTable(file: SourceFile, choices: TableChoices = {}): Table {
  const position = choices.sheet ?? firstSheet(file);
  const sheet = file.sheets[position] ?? file.sheets[0];
  if (sheet === undefined) throw new RangeError('A file has at least one sheet.');
  const headings = choices.headings ?? findHeadings(sheet.rows);
  const headingRows =
    headings === 'none' ? [] : sheet.rows.filter(({ number }) => headings.includes(number));
  const { rows, left } = divide(sheet.rows, headingRows, new Set(choices.take));
  if (rows.length > ROWS_MAX) throw new Refusal('file_too_many_rows', { max: ROWS_MAX });
  const columns = columnsOf(headingRows, rows, sheet.hiddenColumns);
  return {
    columns,
    rows,
    left,
    said: [
      ...saidOfSheets(file, position),
      ...saidOfSheet(sheet, columns),
      ...saidOfHeadings(headingRows.length),
    ],
    epoch1904: sheet.epoch1904,
  };
}

/**
 * The numbers of the heading rows: the row with the most known headings before the first IBAN, with
 * the row of groups above it, or the second line below it.
 */
function findHeadings(all: readonly SourceRow[]): readonly number[] {
  const firstPayment = all.findIndex(({ cells }) => cells.some(holdsIban));
  const end = Math.min(HEADINGS_WITHIN, firstPayment < 0 ? all.length : firstPayment);
  const candidates = all.slice(0, end).filter(({ hidden }) => !hidden);
  let best = -1;
  let most = 0;
  candidates.forEach((row, at) => {
    const known = new Set(row.cells.filter(isKnown).map(({ text }) => folded(text))).size;
    if (known > most) {
      most = known;
      best = at;
    }
  });
  const row = candidates[best];
  if (row === undefined) return [];
  const [above, below] = [candidates[best - 1], candidates[best + 1]];
  if (below !== undefined && below.number === row.number + 1 && isSecondLine(below, row))
    return [row.number, below.number];
  if (above !== undefined && above.number === row.number - 1 && isGroupLine(above, row))
    return [above.number, row.number];
  return [row.number];
}

function isKnown({ kind, text, mergedFrom }: SourceCell): boolean {
  return kind === 'text' && mergedFrom === undefined && isHeading(text);
}

/** A second line of headings: texts without a number, half of them known or some under a group. */
function isSecondLine(row: SourceRow, above: SourceRow): boolean {
  const filled = row.cells.filter(({ kind }) => kind !== 'empty');
  if (filled.some(({ kind, text }) => kind !== 'text' || isData(text))) return false;
  const known = filled.filter(isKnown).length;
  return (
    known * 2 >= filled.length || above.cells.some(({ mergedFrom }) => mergedFrom !== undefined)
  );
}

/** A line of groups above the headings: more than one text, or one over several columns. */
function isGroupLine(row: SourceRow, below: SourceRow): boolean {
  const filled = row.cells.filter(({ kind }) => kind !== 'empty');
  if (filled.some(({ kind, text }) => kind !== 'text' || isData(text))) return false;
  const covered = filled.filter(({ mergedFrom }) => mergedFrom !== undefined).length;
  const groups = filled.length - covered;
  const width = below.cells.filter(({ kind }) => kind !== 'empty').length;
  return groups > 1 && groups + covered <= width;
}

/** Something that stands in rows and in no heading: a number, a day, an IBAN. */
function isData(text: string): boolean {
  return /\d{4}/.test(text) || readDay(text) !== null || /^[\s\d.,₺-]+$/.test(text);
}

function holdsIban(cell: SourceCell): boolean {
  const { kind, text } = unforced(cell);
  if (kind !== 'text' || text.length > 80) return false;
  return checkIban(text).kind === 'ok' || /^\s*TR\s?\d[\d\s.-]{14,}/i.test(text);
}

function divide(
  all: readonly SourceRow[],
  headings: readonly SourceRow[],
  take: ReadonlySet<number>,
): { rows: SourceRow[]; left: LeftOut[] } {
  const lines = new Set(headings.map(lineOf));
  const first = headings[0]?.number ?? 0;
  const remarksFrom = endOfRows(all);
  const whyLeft = (row: SourceRow): LeftReason | null => {
    if (headings.some(({ number }) => number === row.number)) return 'heading';
    if (take.has(row.number)) return null;
    if (row.number < first) return 'above';
    if (row.hidden) return 'hidden';
    if (lines.has(lineOf(row))) return 'repeated_heading';
    if (isTotals(row)) return 'totals';
    return row.number > remarksFrom ? 'remark' : null;
  };
  const rows: SourceRow[] = [];
  const left: LeftOut[] = [];
  for (const row of all) {
    const why = whyLeft(row);
    if (why === null) rows.push(row);
    else left.push({ row: row.number, why, text: shownText(row) });
  }
  return { rows, left };
}

/** A line that names itself a total and no account. */
function isTotals({ cells }: SourceRow): boolean {
  return cells.some(isTotalsWord) && !cells.some(holdsIban);
}

function isTotalsWord({ kind, text }: SourceCell): boolean {
  // Folding a text costs ten times as much as these tests, and most texts fail them.
  return (
    kind === 'text' &&
    text.length < TOTALS_LENGTH_MAX &&
    TOTALS_HINT.test(text) &&
    TOTALS.test(folded(text))
  );
}

/** The number of the last row with two cells or an IBAN in it; single texts behind it are remarks. */
function endOfRows(all: readonly SourceRow[]): number {
  const last = all.findLast(
    ({ cells }) =>
      cells.some(holdsIban) ||
      cells.filter(({ kind, mergedFrom }) => kind !== 'empty' && mergedFrom === undefined).length >
        1,
  );
  return last?.number ?? Number.POSITIVE_INFINITY;
}

function lineOf({ cells }: SourceRow): string {
  return cells
    .map(({ text }) => text.trim().toLowerCase())
    .join('\n')
    .trim();
}

function shownText({ cells }: SourceRow): string {
  return cells
    .filter(({ kind, mergedFrom }) => kind !== 'empty' && mergedFrom === undefined)
    .map(({ text }) => text.trim())
    .join(' · ')
    .slice(0, TEXT_SHOWN);
}

function columnsOf(
  headings: readonly SourceRow[],
  rows: readonly SourceRow[],
  hiddenColumns: readonly number[],
): Column[] {
  const width = [...headings, ...rows].reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return Array.from({ length: width }, (_, column) => ({
    heading: [
      ...new Set(headings.map((row) => cellAt(row, column).text.replace(/\s+/gu, ' ').trim())),
    ].filter((text) => text !== ''),
    hidden: hiddenColumns.includes(column),
  }));
}

function saidOfSheets(file: SourceFile, position: number): Said[] {
  return file.sheets.flatMap(({ name, hidden, rows }, at): Said[] => {
    if (at === position) return hidden ? [{ code: 'chosen_sheet_hidden', sheet: name }] : [];
    if (rows.length === 0) return [];
    return [{ code: hidden ? 'hidden_sheet' : 'other_sheet', sheet: name, rows: rows.length }];
  });
}

function saidOfSheet({ emptyRows }: SourceSheet, columns: readonly Column[]): Said[] {
  return [
    ...(emptyRows > 0 ? [{ code: 'empty_lines', count: emptyRows } as const] : []),
    ...columns.flatMap(({ hidden, heading }, column): Said[] =>
      hidden ? [{ code: 'hidden_column', column, heading: heading.join(' ') }] : [],
    ),
  ];
}

function saidOfHeadings(lines: number): Said[] {
  if (lines === 1) return [];
  return [{ code: lines === 0 ? 'no_headings' : 'two_line_headings' }];
}
