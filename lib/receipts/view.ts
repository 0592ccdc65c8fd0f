import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { PRINTED, RECEIPT_PDFS, documentBytes } from './conversion/stored.ts';
import type { Printed } from './conversion/stored.ts';
import { isReceiptId } from './file-name.ts';
import { RECEIPT_COLUMNS, RECEIPTS, readReceiptRows, toRow } from './list.ts';
import type { FoundReceipt, ReceiptRow } from './list.ts';
import type { ReceiptFilter } from './filter.ts';

/** One receipt with the surrounding facts; {@link readReceiptFile} reads the document itself. */
export type ReceiptView = ReceiptRow & {
  /**
   * Why the last try gave no document: 'unusable:format', 'no_answer:timeout', …; null without a
   * failure.
   */
  problem: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  fetchedAt: string | null;
  ledgerSeenAt: string | null;
  /** How far the PDF of a receipt that came as HTML is; null while nobody asked for it. */
  pdf: { state: 'WAITING' | 'READY' | 'FAILED'; problem: string | null } | null;
  /** The neighbouring rows of the list it was opened from. */
  newer: string | null;
  older: string | null;
  now: string;
  can: { ask: boolean };
};

/**
 * One receipt; null when this merchant has none with that id. `filter` is that of the list from
 * which it was opened.
 */
export async function viewReceipt(
  actor: Person,
  id: string,
  filter: ReceiptFilter,
): Promise<ReceiptView | null> {
  assertMay(actor, 'receipt.read');
  if (!isReceiptId(id)) return null;
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<(FoundReceipt & More & Printed)[]>`
      SELECT ${RECEIPT_COLUMNS}, r.problem, r.sha256, r.fetched_at,
        octet_length(r.bytes)::int AS size, ${PRINTED}, clock_timestamp() AS now
      FROM ${RECEIPTS} LEFT JOIN ${RECEIPT_PDFS} WHERE r.id = ${id}::uuid`;
    if (!raw) return null;
    const [newer] = await readReceiptRows(tx, actor, filter, { side: 'before', edge: raw.edge }, 1);
    const [older] = await readReceiptRows(tx, actor, filter, { side: 'after', edge: raw.edge }, 1);
    const row = toRow(raw, may(actor.role, 'payee.read'));
    return {
      ...row,
      problem: raw.problem,
      sizeBytes: raw.size,
      sha256: raw.sha256,
      fetchedAt: raw.fetched_at?.toISOString() ?? null,
      pdf: raw.pdf_state && { state: raw.pdf_state, problem: raw.pdf_problem },
      ledgerSeenAt: raw.ledger_seen_at?.toISOString() ?? null,
      newer: newer?.id ?? null,
      older: older?.id ?? null,
      now: raw.now.toISOString(),
      can: { ask: row.status !== 'ready' && may(actor.role, 'movement.ask') },
    };
  });
}

type More = {
  problem: string | null;
  sha256: string | null;
  fetched_at: Date | null;
  size: number | null;
  now: Date;
};

export type ReceiptFile = {
  format: 'pdf' | 'html';
  bytes: Uint8Array<ArrayBuffer>;
  row: ReceiptRow;
};

/**
 * The stored document; null when there is none. Its type was determined from its bytes when it was
 * fetched. `taken` audits that a copy was taken, because the product has no control over it
 * afterwards. `asPdf`: the PDF that was printed of one that came as HTML.
 */
export async function readReceiptFile(
  actor: Person,
  id: string,
  taken: boolean,
  asPdf = false,
): Promise<ReceiptFile | null> {
  assertMay(actor, 'receipt.read');
  if (!isReceiptId(id)) return null;
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<
      (FoundReceipt & { bytes: Uint8Array | null; sha256: string | null })[]
    >`
      SELECT ${RECEIPT_COLUMNS}, ${documentBytes(asPdf)} AS bytes, r.sha256
      FROM ${RECEIPTS} LEFT JOIN ${RECEIPT_PDFS}
      WHERE r.id = ${id}::uuid AND r.state = 'READY'`;
    if (!raw || raw.bytes === null || raw.format === null) return null;
    if (taken)
      await audit(tx, actor, 'receipt.downloaded', `receipt:${id}`, {
        ...receiptOf(raw),
        sha256: raw.sha256,
        ...(asPdf ? { file: 'pdf' } : {}),
      });
    const format = asPdf ? 'pdf' : raw.format;
    return { format, bytes: Uint8Array.from(raw.bytes), row: toRow(raw, false) };
  });
}

/** The subject of a receipt in the form of the audit log. */
export function receiptOf({
  movement_id: movement,
  record_id: record,
}: Pick<FoundReceipt, 'movement_id' | 'record_id'>):
  | { movement: string }
  | { record: string | null } {
  return movement === null ? { record } : { movement };
}
