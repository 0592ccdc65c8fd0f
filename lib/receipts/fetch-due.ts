import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { takeDue } from '#lib/runtime/take-due.ts';
import { publish } from '#lib/live/publish.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import type { ReceiptAnswer } from '#lib/providers/wallet/types.ts';
import { requestPdfs } from './conversion/request.ts';
import { waitForReceipt } from './schedule.ts';

/** The ledger entry of our own movement, once it was seen. */
const ENTRY = sql`(SELECT v.transaction_id FROM movements v WHERE v.id = due.movement_id
  AND v.ledger_seen_at IS NOT NULL)`;

/** Whether somebody wants a receipt `r` in one PDF with others. */
const IN_MERGED_FILE = sql`EXISTS (SELECT FROM receipt_archive_items i
  JOIN receipt_archives a ON a.id = i.archive_id
  WHERE i.receipt_id = r.id AND a.file_type = 'pdf')`;

type Due = Row<'receipts', 'id' | 'tries'> & { transaction_id: string };

/** Receipts that can be fetched: their ledger entry is known. */
export const RECEIPTS = {
  table: sql`receipts`,
  only: sql`state <> 'READY' AND (record_id IS NOT NULL OR ${ENTRY} IS NOT NULL)`,
};

/**
 * Fetches one receipt whose ledger entry is known, from our own movement or from a person's
 * request. A duplicate fetch is harmless, so a dead worker's claim simply expires. Returns false
 * when none was due.
 */
export async function fetchOneDueReceipt(
  merchantId: string,
  wallet: Pick<WalletClient, 'getReceipt'>,
): Promise<boolean> {
  const due = await takeDue<Due>(
    merchantId,
    RECEIPTS,
    sql`id, coalesce(record_id, ${ENTRY}) AS transaction_id, tries`,
  );
  if (!due) return false;
  await keep(merchantId, due, await wallet.getReceipt(due.transaction_id));
  return true;
}

async function keep(merchantId: string, due: Due, answer: ReceiptAnswer): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    // Another fetch may have received the document meanwhile: it stays, because its copy may have
    // been taken, and its sum stands in the audit log.
    if (answer.kind === 'pdf' || answer.kind === 'html') {
      const bytes = Uint8Array.from(answer.bytes);
      await tx.$executeRaw`
        UPDATE receipts SET state = 'READY', format = ${answer.kind}, bytes = ${bytes},
          sha256 = ${createHash('sha256').update(bytes).digest('hex')},
          problem = NULL, fetched_at = clock_timestamp(), next_at = NULL
        WHERE id = ${due.id}::uuid AND state <> 'READY'`;
      await requestPdfs(tx, sql`r.id = ${due.id}::uuid AND ${IN_MERGED_FILE}`);
    } else {
      const problem = answer.kind === 'not_ready' ? null : `${answer.kind}:${answer.why}`;
      const waitMs = waitForReceipt(due.tries);
      const seconds = waitMs === null ? null : waitMs / 1_000;
      await tx.$executeRaw`
        UPDATE receipts SET state = ${waitMs === null ? 'FAILED' : 'WAITING'}, problem = ${problem},
          next_at = clock_timestamp() + make_interval(secs => ${seconds}::int)
        WHERE id = ${due.id}::uuid AND state <> 'READY'`;
    }
    await publish(tx, { merchantId }, { kind: 'receipt', id: due.id });
  });
}
