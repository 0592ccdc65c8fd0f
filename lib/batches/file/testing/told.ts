import type { Cell, RowCells } from '../cell.ts';
import { marksOf, markText } from '../cell.ts';
import type { Minor } from '#lib/values/money.ts';

/** A decision as the scenarios tell it. */
export function told(cell: Cell<string | Minor>): string {
  const reasons = marksOf(cell).map(({ reason }) => reason);
  switch (cell.state) {
    case 'empty':
      return 'empty';
    case 'error':
      return `error ${cell.code}`;
    case 'ask':
      return `ask ${cell.choices.map(markText).join('|')}`;
    case 'look_up':
      return [...reasons, `look up ${cell.text}`].join(' ');
    case 'ok':
      return `ok ${markText(cell.value)}`;
    case 'repaired':
      return `${reasons.join('+')} ${markText(cell.value)}`;
  }
}

/** The decisions of a row, without the cells that are empty. */
export function toldRow(cells: RowCells): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cells)
      .map(([field, cell]) => [field, told(cell)] as const)
      .filter(([, decision]) => decision !== 'empty'),
  );
}
