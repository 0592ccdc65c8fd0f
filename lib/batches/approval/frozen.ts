import 'server-only';
import { contentHash } from '#lib/movements/content.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { stepUpItem } from '#lib/step-up/challenge.ts';
import { treeOf } from '#lib/step-up/tree.ts';
import type { HashTree } from '#lib/step-up/tree.ts';
import { contentOfRow, rowKindOf } from '../row-content.ts';
import type { RowContent as PaidRow } from '../row-content.ts';
import { STORED_ROW, storedRowOf } from '../stored-row.ts';
import type { RawStoredRow } from '../stored-row.ts';

/** The rows of a submitted batch as they will be paid, and the one hash that stands for all. */

/** What the content hash of a row covers. */
export type RowContent = Omit<PaidRow, 'amountMinor'> & { amountMinor: bigint; extId: string };

export type FrozenRow = RowContent & {
  number: number;
  overrides: readonly string[];
  overrideReason: string | null;
};

/** The wallet that pays, and its currency. */
type Of = { wallet: string; currency: string };

/** The tree over the rows in their order; a row's leaf is what a person would sign of it alone. */
export function treeOfRows(of: Of, rows: readonly RowContent[]): HashTree {
  return treeOf(
    rows.map(({ extId, ...row }) => {
      const kind = rowKindOf(row);
      const content = contentOfRow(of, row);
      return stepUpItem({ ...content, kind, contentHash: contentHash(kind, content), extId });
    }),
  );
}

/** Null where there are no rows. */
export function rootOf(of: Of, rows: readonly RowContent[]): string | null {
  return rows.length === 0 ? null : treeOfRows(of, rows).root;
}

/** In the order of the file. */
export async function readFrozen(tx: Tx, batchId: string): Promise<FrozenRow[]> {
  const rows = await tx.$queryRaw<RawStoredRow[]>`
    SELECT ${STORED_ROW} FROM batch_rows WHERE batch_id = ${batchId}::uuid ORDER BY n`;
  return rows.map(storedRowOf);
}
