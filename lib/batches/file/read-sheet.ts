import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';
import { dateOfSerial } from './serial.ts';
import { isTrue, readXml } from './read-xml.ts';
import {
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  columnName,
  EMPTY_CELL,
  OTHER_ROWS_MAX,
  ROWS_MAX,
} from './source.ts';
import type { SourceCell, SourceRow, SourceSheet } from './source.ts';

/** What cells of a sheet refer to. */
export type WorkbookParts = {
  strings: readonly string[];
  /** The styles that show a number as a date. */
  dateStyles: ReadonlySet<number>;
  epoch1904: boolean;
};

/** Merged areas and columns that a sheet may name. */
const AREAS_MAX = 20_000;
/** Cells that all merged areas together may cover. */
const COVERED_MAX = 1_000_000;
/** Characters that XML cannot hold are written as _x000D_. */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;
const REFERENCE = /^([A-Z]{1,3})(\d{1,7})$/;

type Area = { top: number; left: number; bottom: number; right: number };
type OpenCell = {
  column: number;
  type: string;
  style: number;
  value: string;
  inline: string;
  formula: string | null;
};
type OpenRow = {
  number: number;
  hidden: boolean;
  cells: SourceCell[];
  seen: Set<number>;
  /** The column of a next cell that has no address. */
  next: number;
};

/** Reads the rows of one sheet. @throws Refusal `file_broken`, `file_too_many_rows`, `file_too_wide` */
export function readSheet(
  xml: string,
  parts: WorkbookParts,
): Pick<SourceSheet, 'rows' | 'emptyRows' | 'hiddenColumns' | 'epoch1904'> {
  const reading = new SheetReading(parts);
  readXml(xml, reading);
  return { ...reading.result(), epoch1904: parts.epoch1904 };
}

class SheetReading {
  private readonly parts: WorkbookParts;
  private readonly rows: { number: number; hidden: boolean; cells: SourceCell[] }[] = [];
  private readonly areas: Area[] = [];
  private readonly hiddenRanges: (readonly [number, number])[] = [];
  private row: OpenRow | null = null;
  private cell: OpenCell | null = null;
  /** The element whose text is being read. */
  private within: 'v' | 'f' | 't' | null = null;
  private phonetic = false;
  private last = 0;

  constructor(parts: WorkbookParts) {
    this.parts = parts;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.openRow(attributes);
    else if (name === 'c') this.openCell(attributes);
    else if (name === 'f' && this.cell !== null) {
      this.cell.formula = '';
      this.within = 'f';
    } else if (name === 'v' && this.cell !== null) this.within = 'v';
    else if (name === 'rPh') this.phonetic = true;
    else if (name === 't' && this.cell !== null && !this.phonetic) this.within = 't';
    else if (name === 'mergeCell') this.keep(this.areas, areaOf(attributes['ref'] ?? ''));
    else if (name === 'col') this.openColumn(attributes);
  }

  text(text: string): void {
    if (this.cell === null || this.within === null) return;
    if (this.within === 'v') this.cell.value += text;
    else if (this.within === 't') this.cell.inline += text;
    else this.cell.formula += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 'f' || name === 't') this.within = null;
    else if (name === 'rPh') this.phonetic = false;
    else if (name === 'c') this.closeCell();
    else if (name === 'row') this.closeRow();
  }

  result(): Pick<SourceSheet, 'rows' | 'emptyRows' | 'hiddenColumns'> {
    const rows = this.rows.map((row): SourceRow => ({
      ...row,
      cells: Array.from(row.cells, (cell) => cell ?? EMPTY_CELL),
    }));
    return {
      rows: withMerged(rows, this.areas),
      emptyRows: (rows.at(-1)?.number ?? 0) - rows.length,
      hiddenColumns: this.hiddenColumns(),
    };
  }

  private openRow({ r, hidden, ht }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.last + 1 : Number(r);
    // Rows in another order, or one row twice, are two different tables for two programs.
    if (!Number.isSafeInteger(number) || number <= this.last) throw new Refusal('file_broken');
    this.last = number;
    this.row = {
      number,
      hidden: isTrue(hidden) || Number(ht) === 0,
      cells: [],
      seen: new Set(),
      next: 0,
    };
  }

  private openColumn({ min, max, hidden, width }: Readonly<Record<string, string>>): void {
    if (isTrue(hidden) || Number(width) === 0)
      this.keep(this.hiddenRanges, [Number(min) - 1, Number(max) - 1] as const);
  }

  private openCell({ r, t = 'n', s }: Readonly<Record<string, string>>): void {
    if (this.row === null) throw new Refusal('file_broken');
    // A cell without an address follows the one before it, which may be empty.
    const column = r === undefined ? this.row.next : columnOf(r, this.row.number);
    this.row.next = column + 1;
    if (this.row.seen.has(column)) throw new Refusal('file_broken');
    this.row.seen.add(column);
    this.cell = { column, type: t, style: Number(s ?? 0), value: '', inline: '', formula: null };
  }

  private closeCell(): void {
    const { row, cell } = this;
    this.cell = null;
    if (row === null || cell === null) return;
    const read = this.cellOf(cell);
    if (read === null) return;
    if (cell.column >= COLUMNS_MAX) throw new Refusal('file_too_wide', { max: COLUMNS_MAX });
    row.cells[cell.column] = read;
  }

  private closeRow(): void {
    const row = this.row;
    this.row = null;
    if (row === null) return;
    if (row.cells.length === 0) return;
    this.rows.push({ number: row.number, hidden: row.hidden, cells: row.cells });
    if (this.rows.length > ROWS_MAX + OTHER_ROWS_MAX)
      throw new Refusal('file_too_many_rows', { max: ROWS_MAX });
  }

  /** Null for a cell that has a style and nothing in it. */
  private cellOf({ type, style, value, inline, formula }: OpenCell): SourceCell | null {
    const calculated = formula === null ? {} : { formula };
    const text = this.textOf(type, value, inline);
    if (text === null) {
      const written = value.trim();
      if (written === '')
        return formula === null ? null : { kind: 'empty', text: '', ...calculated };
      if (type === 'b') return { kind: 'boolean', text: written, ...calculated };
      if (type === 'e') return { kind: 'error', text: written, ...calculated };
      if (type === 'd') return { kind: 'date', text: isoDate(written), ...calculated };
      const date = this.parts.dateStyles.has(style)
        ? dateOfSerial(written, this.parts.epoch1904)
        : null;
      return date === null
        ? { kind: 'number', text: written, ...calculated }
        : { kind: 'date', text: date, ...calculated };
    }
    if (text.length > CELL_LENGTH_MAX) throw new Refusal('file_broken');
    if (text.trim() === '' && formula === null) return null;
    return { kind: text === '' ? 'empty' : 'text', text, ...calculated };
  }

  /** Null when the cell is no text. */
  private textOf(type: string, value: string, inline: string): string | null {
    if (type === 'inlineStr') return unescaped(inline);
    if (type === 'str') return unescaped(value);
    if (type !== 's') return null;
    const found = this.parts.strings[Number(value)];
    if (found === undefined) throw new Refusal('file_broken');
    return unescaped(found);
  }

  private hiddenColumns(): number[] {
    if (this.hiddenRanges.length === 0) return [];
    const used = new Set(this.rows.flatMap(({ cells }) => Object.keys(cells).map(Number)));
    return [...used]
      .filter((column) => this.hiddenRanges.some(([from, to]) => column >= from && column <= to))
      .sort((a, b) => a - b);
  }

  private keep<T>(list: T[], one: T): void {
    if (list.length >= AREAS_MAX) throw new Refusal('file_broken');
    list.push(one);
  }
}

/** The covered cells of each merged area get a copy of the one that is shown, marked as a copy. */
function withMerged(rows: readonly SourceRow[], areas: readonly Area[]): SourceRow[] {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const covered = new Map<number, SourceCell[]>();
  const last = rows.at(-1)?.number ?? 0;
  let budget = COVERED_MAX;
  for (const { top, left, bottom, right } of areas) {
    const shown = byNumber.get(top)?.cells[left];
    if (shown === undefined || shown.kind === 'empty') continue;
    const copy = { kind: shown.kind, text: shown.text, mergedFrom: `${columnName(left)}${top}` };
    for (let number = top; number <= Math.min(bottom, last); number += 1) {
      const row = byNumber.get(number);
      budget -= right - left + 1;
      if (budget < 0) throw new Refusal('file_broken');
      if (row === undefined) continue;
      const cells = covered.get(number) ?? [...row.cells];
      for (let column = left; column <= Math.min(right, COLUMNS_MAX - 1); column += 1)
        if ((cells[column]?.kind ?? 'empty') === 'empty') cells[column] = copy;
      covered.set(number, cells);
    }
  }
  return rows.map((row) => ({
    ...row,
    cells: Array.from(covered.get(row.number) ?? row.cells, (cell) => cell ?? EMPTY_CELL),
  }));
}

function areaOf(text: string): Area {
  const [from, to] = text.split(':').map((part) => REFERENCE.exec(part.replaceAll('$', '')));
  if (!from || !to) throw new Refusal('file_broken');
  const [top, bottom] = [Number(from[2]), Number(to[2])];
  return { top, left: columnNumber(from[1] ?? ''), bottom, right: columnNumber(to[1] ?? '') };
}

function columnOf(reference: string, row: number): number {
  const [, letters = '', number] = REFERENCE.exec(reference) ?? [];
  if (Number(number) !== row) throw new Refusal('file_broken');
  return columnNumber(letters);
}

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

function isoDate(text: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(text) ?? [];
  if (day === undefined) return text;
  return time === undefined || time === '00:00' ? day : `${day} ${time}`;
}
