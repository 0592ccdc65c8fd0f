import 'server-only';
import { contentHash } from '#lib/movements/content.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { stepUpItem } from '#lib/step-up/challenge.ts';
import { treeOf } from '#lib/step-up/tree.ts';
import type { HashTree } from '#lib/step-up/tree.ts';

/** The rows of a submitted batch as they will be paid, and the one hash that stands for all. */

/** What the content hash of a row covers. */
export type RowContent = {
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  paymentType: string;
  description: string;
  extId: string;
};

export type FrozenRow = RowContent & {
  number: number;
  overrides: readonly string[];
  overrideReason: string | null;
};

/** The wallet that pays, and its currency. */
type Of = { wallet: string; currency: string };

/** The tree over the rows in their order; a row's leaf is what a person would sign of it alone. */
export function treeOfRows({ wallet, currency }: Of, rows: readonly RowContent[]): HashTree {
  return treeOf(
    rows.map(({ extId, ...row }) => {
      const content = { ...row, wallet, currency, toWallet: null, foundBy: null, foundName: null };
      const hash = contentHash('payout', content);
      const { amountMinor } = row;
      return stepUpItem({ kind: 'payout', contentHash: hash, extId, amountMinor, currency });
    }),
  );
}

/** Null where there are no rows. */
export function rootOf(of: Of, rows: readonly RowContent[]): string | null {
  return rows.length === 0 ? null : treeOfRows(of, rows).root;
}

/** In the order of the file. */
export async function readFrozen(tx: Tx, batchId: string): Promise<FrozenRow[]> {
  const rows = await tx.$queryRaw<
    Row<
      'batch_rows',
      | 'n'
      | 'iban'
      | 'name'
      | 'tax_number'
      | 'amount_minor'
      | 'payment_type'
      | 'description'
      | 'ext_id'
      | 'overrides'
      | 'override_reason',
      { overrides: string[] }
    >[]
  >`
    SELECT n, iban, name, tax_number, amount_minor, payment_type, description, ext_id, overrides,
      override_reason
    FROM batch_rows WHERE batch_id = ${batchId}::uuid ORDER BY n`;
  return rows.map((row) => ({
    number: row.n,
    iban: row.iban,
    name: row.name,
    taxNumber: row.tax_number,
    amountMinor: row.amount_minor,
    paymentType: row.payment_type,
    description: row.description,
    extId: row.ext_id,
    overrides: row.overrides,
    overrideReason: row.override_reason,
  }));
}
