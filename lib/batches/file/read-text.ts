import 'server-only';
import Papa from 'papaparse';
import { Refusal } from '#lib/access/refusal.ts';
import { isHeading } from './headings.ts';
import {
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  DELIMITERS,
  EMPTY_CELL,
  OTHER_ROWS_MAX,
  ROWS_MAX,
} from './source.ts';
import type { Delimiter, SourceCell, SourceRow, SourceSheet } from './source.ts';

/**
 * Reads rows of text (RFC 4180) with any of the delimiters that spreadsheets write. Which one it
 * is, the first records say: all of them have the same number of fields, and headings are found.
 */

const LOOKED_AT = 60;
/** Excel reads the delimiter from such a first line. */
const NAMED = /^sep=(.)\r?\n/i;
const HEADING_WEIGHT = 2;
/** Lines, empty ones included, that are divided into fields at all. */
const LINES_MAX = 200_000;

/** @throws Refusal `file_quotes`, `file_too_many_rows`, `file_too_wide` */
export function readText(text: string, name: string): { delimiter: Delimiter; sheet: SourceSheet } {
  const named = NAMED.exec(text);
  // One kind of line break: with two, the parser would join rows.
  const body = text.slice(named?.[0].length ?? 0).replace(/\r\n?/g, '\n');
  if (linesIn(body) > LINES_MAX) throw new Refusal('file_too_many_rows', { max: ROWS_MAX });
  const delimiter = DELIMITERS.find((mark) => mark === named?.[1]) ?? delimiterOf(body);
  const { data, errors } = Papa.parse<string[]>(body, { delimiter, newline: '\n' });
  const unread = errors.find(({ type }) => type === 'Quotes');
  // A quotation mark that is never closed would swallow the rows behind it.
  if (unread !== undefined) throw new Refusal('file_quotes', { row: (unread.row ?? 0) + 1 });
  const first = named === null ? 1 : 2;
  const rows = data
    .map((fields, at): SourceRow => ({
      number: at + first,
      hidden: false,
      cells: fields.map(cellOf),
    }))
    .filter(({ cells }) => cells.some(({ kind }) => kind !== 'empty'));
  if (rows.length > ROWS_MAX + OTHER_ROWS_MAX)
    throw new Refusal('file_too_many_rows', { max: ROWS_MAX });
  if (rows.some(({ cells }) => cells.slice(COLUMNS_MAX).some(({ kind }) => kind !== 'empty')))
    throw new Refusal('file_too_wide', { max: COLUMNS_MAX });
  const emptyRows = (rows.at(-1)?.number ?? first - 1) - (first - 1) - rows.length;
  return {
    delimiter,
    sheet: { name, hidden: false, rows, emptyRows, hiddenColumns: [], epoch1904: false },
  };
}

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function delimiterOf(text: string): Delimiter {
  let best: { delimiter: Delimiter; score: number } = { delimiter: ';', score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(text, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/**
 * The part of the records that have the most frequent number of fields, and the headings among the
 * fields; 0 when the delimiter divides nothing.
 */
function scoreOf(text: string, delimiter: Delimiter): number {
  const { data } = Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    preview: LOOKED_AT,
    skipEmptyLines: 'greedy',
  });
  const counts = new Map<number, number>();
  for (const { length } of data) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width, records] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0]);
  if (width < 2) return 0;
  const headings = Math.max(...data.map((fields) => fields.filter(isHeading).length));
  return records / data.length + HEADING_WEIGHT * headings + width / COLUMNS_MAX;
}

function cellOf(text: string): SourceCell {
  if (text.trim() === '') return EMPTY_CELL;
  if (text.length > CELL_LENGTH_MAX) throw new Refusal('file_quotes', { row: 1 });
  return { kind: 'text', text };
}
