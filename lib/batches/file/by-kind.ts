import type { Minor } from '#lib/values/money.ts';
import { failedCell, marksOf, markText, valueOf } from './cell.ts';
import type { Cell, Mark } from './cell.ts';
import { unforced } from './source.ts';
import type { SourceCell } from './source.ts';

/**
 * What holds for the cells of every field: an error of a formula is one here too; the result of a
 * formula, the copy of a merged cell and a text in the form that keeps it text are marked. `merged`:
 * what belongs to one row only ('own') is never copied from a merged cell, because one amount over
 * three rows is paid once. Pure.
 */
export function byKind<Value extends string | Minor = string>(
  cell: SourceCell,
  merged: 'own' | 'copied',
  decide: (cell: SourceCell) => Cell<Value>,
): Cell<Value> {
  const { kind, text, formula, mergedFrom } = cell;
  if (kind === 'error') return failedCell(text, 'formula_failed', { error: text });
  if (formula !== undefined && kind === 'empty') return failedCell(text, 'formula_uncalculated');
  if (mergedFrom !== undefined && merged === 'own')
    return failedCell(text, 'merged_refused', { cell: mergedFrom });
  const own = unforced(cell);
  const decided = own === cell ? decide(cell) : asForced(decide(own), text);
  if (formula !== undefined) return withMark(decided, { reason: 'formula', from: `=${formula}` });
  return mergedFrom === undefined
    ? decided
    : withMark(decided, { reason: 'merged', from: mergedFrom });
}

/** The decision for the text within, told of the text of the file. */
function asForced<Value extends string | Minor>(cell: Cell<Value>, source: string): Cell<Value> {
  const marks = marksOf(cell).map((mark) => ({ ...mark, from: source }));
  const told =
    cell.state === 'repaired' || cell.state === 'look_up'
      ? { ...cell, source, marks }
      : { ...cell, source };
  return withMark(told, { reason: 'forced_text', from: source });
}

function withMark<Value extends string | Minor>(
  cell: Cell<Value>,
  { reason, from }: Pick<Mark, 'reason' | 'from'>,
): Cell<Value> {
  const before = marksOf(cell);
  if (cell.state === 'look_up')
    return { ...cell, marks: [{ reason, from, to: cell.text }, ...before] };
  const value = valueOf(cell);
  if (value === null) return cell;
  const { source } = cell;
  const mark = { reason, from, to: markText(value) };
  return { state: 'repaired', source, value, marks: [mark, ...before] };
}
