import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * A table for reading in a spreadsheet: semicolons and a byte order mark, as Excel in Turkish
 * expects them. A CSV file does not prove that the trail is unchanged; the NDJSON export does.
 * Pure.
 */

export const BYTE_ORDER_MARK = '\uFEFF';
/** Prefixes that make a spreadsheet read a cell as a formula. */
const FORMULA = /^[=+\-@\t\r\0]/;

/**
 * One line: every cell quoted, formulas neutralized to text, and characters that change the text
 * direction written out.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells
    .map(visibleText)
    .map((cell) => `"${(FORMULA.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`)
    .join(';')}\r\n`;
}
