import 'server-only';
import { chooseReading, typeCell, undoRepairs } from '../file/change-cell.ts';
import type { DecidedField, RowCells } from '../file/cell.ts';
import type { DecidedRow } from '../file/decide.ts';
import type { Mapping } from '../file/mapping.ts';
import type { SourceFile } from '../file/source.ts';
import { readPayouts } from '../file/read.ts';
import { firstSheet } from '../file/table.ts';
import type { Table } from '../file/table.ts';
import { rowKey } from './stored.ts';
import type { DraftState, Edit } from './stored.ts';

/**
 * The rows of a draft before they are checked: the file, with what a person changed. The stored
 * file and the changes are the only truth; this computes everything from them, reading nothing.
 */

/** `original`: the texts of the row in the file, a column each. */
export type DraftRow = {
  key: string;
  number: number;
  cells: RowCells;
  original: readonly string[];
  isOut: boolean;
};

/** `sheet`: the position of the sheet in the file. `mapping`: as guessed, remembered or chosen. */
export type DraftTable = {
  sheet: number;
  sheets: readonly { name: string; hidden: boolean; rows: number }[];
  table: Table;
  mapping: Mapping;
  rows: readonly DraftRow[];
};

/** @throws Refusal `file_too_many_rows` */
export function draftTable(file: SourceFile, state: DraftState, currency: string): DraftTable {
  const { choices, columns, edits } = state;
  const sheet = choices.sheet ?? firstSheet(file);
  const read = readPayouts(file, {
    table: choices,
    columns: () => columns?.fields ?? null,
    currency,
  });
  const { table, decided } = read;
  const isHere = hereBy(state);
  const out = new Set(state.leftOut);
  const rows = decided.rows.flatMap((row, at): DraftRow[] => {
    const key = rowKey(sheet, row.number);
    if (!isHere(key)) return [];
    return [
      {
        key,
        number: row.number,
        cells: edited(row, edits[key]),
        original: (table.rows[at]?.cells ?? []).map(({ text }) => text),
        isOut: out.has(key),
      },
    ];
  });
  const sheets = file.sheets.map(({ name, hidden, rows: all }) => ({
    name,
    hidden,
    rows: all.length,
  }));
  const mapping = columns?.by === 'hand' ? byHand(read.mapping) : read.mapping;
  return { sheet, sheets, table, mapping, rows };
}

function byHand(mapping: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([field, guess]) => [field, { ...guess, because: ['hand'] }]),
  );
}

function hereBy({ choices: { only, without } }: DraftState): (key: string) => boolean {
  const [mine, gone] = [only && new Set(only), new Set(without)];
  return (key) => (mine === undefined || mine.has(key)) && !gone.has(key);
}

function edited(
  { cells }: DecidedRow,
  edits: Readonly<Partial<Record<DecidedField, Edit>>> | undefined,
): RowCells {
  if (edits === undefined) return cells;
  const changed = { ...cells };
  for (const [field, edit] of Object.entries(edits) as [DecidedField, Edit][])
    Object.assign(changed, { [field]: editedCell(field, cells[field], edit) });
  return changed;
}

/** A choice that the cell no longer offers, after another mapping, changes nothing. */
function editedCell<Name extends DecidedField>(
  field: Name,
  cell: RowCells[Name],
  edit: Edit,
): RowCells[Name] {
  if ('typed' in edit) return typeCell(field, cell, edit.typed, edit.locale);
  if ('undo' in edit) return undoRepairs(field, cell);
  return cell.state === 'ask' && edit.choice in cell.choices
    ? (chooseReading<never>(cell as never, edit.choice) as RowCells[Name])
    : cell;
}
