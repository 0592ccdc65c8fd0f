import 'server-only';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { takeDue } from '#lib/runtime/take-due.ts';
import { publish } from '#lib/live/publish.ts';
import { htmlToPdf } from './html-to-pdf.ts';
import type { Printing } from './html-to-pdf.ts';

/** The waits before a failed print is tried again, because a busy machine may print later. */
const WAITS_SECONDS = [30, 300];
/** A document that ended its worker this often before it was printed is not tried again. */
const TRIES_MAX = WAITS_SECONDS.length + 1;

type Due = Row<'receipt_pdfs', 'id' | 'receipt_id' | 'tries'>;

/** Receipts that are to be printed. */
export const PRINTS = { table: sql`receipt_pdfs`, only: sql`state = 'WAITING'` };

/**
 * Prints one receipt that came as HTML. A duplicate is harmless, so a dead worker's claim simply
 * expires. `browser` is the Chromium of this machine; null where there is none. Returns false when
 * nothing was due.
 */
export async function convertOneDueReceipt(
  merchantId: string,
  browser: string | null,
): Promise<boolean> {
  const due = await takeDue<Due>(merchantId, PRINTS, sql`id, receipt_id, tries`);
  if (due === undefined) return false;
  if (browser === null) await keep(merchantId, due, { kind: 'failed', why: 'no_engine' });
  else if (due.tries > TRIES_MAX) await keep(merchantId, due, { kind: 'failed', why: 'engine' });
  else {
    const html = await readHtml(merchantId, due.receipt_id);
    await keep(merchantId, due, await htmlToPdf(browser, html));
  }
  return true;
}

async function readHtml(merchantId: string, receiptId: string): Promise<string> {
  const [found] = await inTransaction(
    merchantId,
    (tx) =>
      tx.$queryRaw<
        Row<'receipts', 'bytes'>[]
      >`SELECT bytes FROM receipts WHERE id = ${receiptId}::uuid`,
  );
  return new TextDecoder().decode(found?.bytes ?? new Uint8Array());
}

async function keep(merchantId: string, due: Due, printing: Printing): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    if (printing.kind === 'printed')
      await tx.$executeRaw`
        UPDATE receipt_pdfs SET state = 'READY', bytes = ${Uint8Array.from(printing.bytes)},
          problem = NULL, made_at = clock_timestamp(), next_at = NULL
        WHERE id = ${due.id}::uuid AND state = 'WAITING'`;
    else {
      const lasting = printing.why === 'no_engine' || printing.why === 'not_printable';
      const seconds = lasting ? null : (WAITS_SECONDS[due.tries - 1] ?? null);
      await tx.$executeRaw`
        UPDATE receipt_pdfs SET state = ${seconds === null ? 'FAILED' : 'WAITING'},
          problem = ${printing.why},
          next_at = clock_timestamp() + make_interval(secs => ${seconds}::int)
        WHERE id = ${due.id}::uuid AND state = 'WAITING'`;
    }
    await publish(tx, { merchantId }, { kind: 'receipt', id: due.receipt_id });
  });
}
