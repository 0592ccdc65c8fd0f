import 'server-only';
import { decideTable } from './decide.ts';
import type { DecidedTable } from './decide.ts';
import { guessMapping, rememberedMapping } from './mapping.ts';
import type { Mapping, RememberedColumns } from './mapping.ts';
import { shapeOf } from './shape.ts';
import type { SourceFile } from './source.ts';
import { findTable } from './table.ts';
import type { Table, TableChoices } from './table.ts';

/** A payouts file, read and judged: what a page shows before anything is stored. */
export type ReadPayouts = {
  table: Table;
  /** The key for which a mapping is remembered. */
  shape: string;
  mapping: Mapping;
  decided: DecidedTable;
};

/**
 * Finds the table of an opened file, maps its columns and decides its cells. `columns`: chosen by
 * hand, or remembered for this shape; without them they are guessed. `currency`: of the wallet that
 * pays.
 *
 * @throws Refusal `file_too_many_rows`
 */
export function readPayouts(
  file: SourceFile,
  choices: {
    table?: TableChoices;
    columns?: (shape: string) => RememberedColumns | null;
    currency?: string;
  } = {},
): ReadPayouts {
  const table = findTable(file, choices.table);
  const shape = shapeOf(table);
  const columns = choices.columns?.(shape) ?? null;
  const mapping = columns === null ? guessMapping(table) : rememberedMapping(columns, table);
  return { table, shape, mapping, decided: decideTable(table, mapping, choices.currency) };
}
