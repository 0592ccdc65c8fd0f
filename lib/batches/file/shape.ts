import 'server-only';
import { createHash } from 'node:crypto';
import { folded } from './headings.ts';
import type { Table } from './table.ts';

/**
 * The key by which the mapping of a file is remembered: the same for every file with the same
 * headings in the same order, whatever its format, encoding, case and accents. Without headings,
 * the number of columns is all that is known of the shape.
 */
export function shapeOf({ columns }: Table): string {
  const headings = columns.map(({ heading }) => folded(heading.join(' ')));
  // Columns without a heading at the end come and go with remarks beside the table.
  while (headings.at(-1) === '') headings.pop();
  const shape = headings.length === 0 ? [`${columns.length}`] : headings;
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex');
}
