import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import type { ReceiptAnswer } from '#lib/providers/wallet/types.ts';
import { waitAfter } from './schedule.ts';

const FETCH_SECONDS = 60;

type Due = Row<'receipts', 'id' | 'tries'> & { transaction_id: string };

/**
 * Fetches one receipt whose ledger entry is known, from our own movement or from a person's
 * request. A duplicate fetch is harmless, so a dead worker's claim simply expires. Returns false
 * when none was due.
 */
export async function fetchOneDueReceipt(
  merchantId: string,
  wallet: Pick<WalletClient, 'getReceipt'>,
): Promise<boolean> {
  const [due] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<Due[]>`
    WITH found AS MATERIALIZED (
      SELECT w.id, coalesce(w.record_id, v.transaction_id) AS transaction_id FROM receipts w
        LEFT JOIN movements v ON v.id = w.movement_id
      WHERE w.merchant_id = ${merchantId}::uuid AND w.next_at <= statement_timestamp()
        AND w.state <> 'READY'
        AND (w.record_id IS NOT NULL OR (v.ledger_seen_at IS NOT NULL AND v.transaction_id IS NOT NULL))
      ORDER BY w.next_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
    UPDATE receipts r SET next_at = clock_timestamp() + make_interval(secs => ${FETCH_SECONDS}),
      tries = tries + 1 FROM found WHERE r.id = found.id
    RETURNING r.id, found.transaction_id, r.tries`,
  );
  if (!due) return false;
  await keep(merchantId, due, await wallet.getReceipt(due.transaction_id));
  return true;
}

async function keep(merchantId: string, due: Due, answer: ReceiptAnswer): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    if (answer.kind === 'pdf' || answer.kind === 'html') {
      const bytes = Uint8Array.from(answer.bytes);
      await tx.$executeRaw`
        UPDATE receipts SET state = 'READY', format = ${answer.kind}, bytes = ${bytes},
          sha256 = ${createHash('sha256').update(bytes).digest('hex')},
          problem = NULL, fetched_at = clock_timestamp(), next_at = NULL WHERE id = ${due.id}::uuid`;
    } else {
      const problem = answer.kind === 'not_ready' ? null : `${answer.kind}:${answer.why}`;
      const wait = waitAfter(due.tries);
      await tx.$executeRaw`
        UPDATE receipts SET state = ${wait === null ? 'FAILED' : 'WAITING'}, problem = ${problem},
          next_at = clock_timestamp() + make_interval(secs => ${wait}::int) WHERE id = ${due.id}::uuid`;
    }
    await publish(tx, merchantId, { kind: 'receipt', id: due.id });
  });
}
