import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * A table for people who read in a spreadsheet: semicolons and a byte order mark, as Excel in
 * Turkish expects them. It proves nothing; the other form does. Pure.
 */

export const BYTE_ORDER_MARK = '\uFEFF';
/** What makes a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r\0]/;

/**
 * One line: every cell quoted, a cell that would be run as a formula shown as text, and none that
 * turns its text around.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells
    .map(visibleText)
    .map((cell) => `"${(FORMULA.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`)
    .join(';')}\r\n`;
}
