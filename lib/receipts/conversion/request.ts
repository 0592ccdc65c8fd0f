import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isReceiptId } from '../file-name.ts';

/**
 * Has the worker print receipts that came as HTML; one that failed is tried anew. `which` is a
 * condition over `receipts r`. Returns the number of documents to print.
 */
export async function requestPdfs(tx: Tx, which: Prisma.Sql): Promise<number> {
  const wanted = await tx.$executeRaw`
    INSERT INTO receipt_pdfs (merchant_id, receipt_id, state, next_at)
    SELECT r.merchant_id, r.id, 'WAITING', clock_timestamp() FROM receipts r
      WHERE ${which} AND r.state = 'READY' AND r.format = 'html' ORDER BY r.id
    ON CONFLICT (receipt_id) DO UPDATE SET state = 'WAITING', tries = 0,
      next_at = excluded.next_at WHERE receipt_pdfs.state = 'FAILED'`;
  if (wanted > 0) await wakeWorkers(tx);
  return wanted;
}

/** The condition over `receipts r` for the receipts of an archive. */
export function ofArchive(id: string): Prisma.Sql {
  return sql`r.id IN (SELECT receipt_id FROM receipt_archive_items
    WHERE archive_id = ${id}::uuid)`;
}

/**
 * A person wants one receipt, which came as HTML, as PDF. Returns the receipt's id.
 *
 * @throws Refusal `not_allowed`, `not_found` (it did not come as HTML), `too_many`
 */
export async function askForPdf(actor: Person, id: string): Promise<string> {
  assertMay(actor, 'receipt.read');
  if (!isReceiptId(id)) throw new Refusal('not_found');
  await countAttempt(actor, 'movement.ask');
  return inTransaction(actor.merchantId, async (tx) => {
    const [known] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM receipts WHERE id = ${id}::uuid AND state = 'READY' AND format = 'html'`;
    if (known === undefined) throw new Refusal('not_found');
    const wanted = await requestPdfs(tx, sql`r.id = ${id}::uuid`);
    if (wanted === 0) return id;
    await audit(tx, actor, 'receipt.asked', `receipt:${id}`, { asks: 'pdf' });
    await publish(tx, actor, { kind: 'receipt', id });
    return id;
  });
}
