import type { Locale } from '#lib/values/locale.ts';
import type { DecidedField } from '../file/cell.ts';
import type { RememberedColumns } from '../file/mapping.ts';
import type { TableChoices } from '../file/table.ts';

/** What a person changed in a draft, as it is stored beside the file. Pure. */

/**
 * `typed`: the text instead of the file's, in the notation of `locale`. `undo`: the file's text
 * without its repairs. `choice`: the reading of a cell that asks.
 */
export type Edit = { typed: string; locale: Locale } | { undo: true } | { choice: number };
export type Edits = Readonly<Record<string, Readonly<Partial<Record<DecidedField, Edit>>>>>;

/** `keys`: the warnings of a row that a person ticked ({@link tickKey} of check-rows.ts). */
export type Ticks = Readonly<Record<string, { keys: readonly string[]; reason: string }>>;

/** The payment type and the description of rows without one. */
export type Defaults = { paymentType?: string; description?: string };

/**
 * `only`: the rows that belong to this draft, where it was split off. `without`: the rows that were
 * split off from it. Rows elsewhere can be taken back by nobody: they would be paid twice.
 */
export type DraftChoices = TableChoices & { only?: readonly string[]; without?: readonly string[] };

/** `by`: whether a person chose the columns in this draft, or in an earlier file of this shape. */
export type ChosenColumns = { by: 'hand' | 'memory'; fields: RememberedColumns };

export type DraftState = {
  choices: DraftChoices;
  columns: ChosenColumns | null;
  defaults: Defaults;
  edits: Edits;
  leftOut: readonly string[];
  ticked: Ticks;
};

/** The key of a row: row numbers repeat from sheet to sheet. */
export function rowKey(sheet: number, row: number): string {
  return `${sheet}:${row}`;
}

/** Fields that a person may type into; a payout from a wallet has neither telephone nor date. */
export const EDITABLE = [
  'recipient',
  'iban',
  'person',
  'name',
  'taxNumber',
  'amount',
  'currency',
  'paymentType',
  'description',
] as const satisfies readonly DecidedField[];
export type EditableField = (typeof EDITABLE)[number];

export function isEditable(field: string): field is EditableField {
  return (EDITABLE as readonly string[]).includes(field);
}
