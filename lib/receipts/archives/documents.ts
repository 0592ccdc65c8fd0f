import 'server-only';
import { onceThere } from '#lib/runtime/database-away.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { PRINTED, RECEIPT_PDFS, documentBytes } from '../conversion/stored.ts';
import type { Printed } from '../conversion/stored.ts';
import { RECEIPT_COLUMNS, RECEIPTS } from '../list.ts';
import type { FoundReceipt } from '../list.ts';
import type { Archive } from './archive.ts';

/** The documents of an archive, a few at a time. */

const LINES_AT_ONCE = 100;
/** The limit for documents in memory together; a single one may have four times as much. */
const BYTES_AT_ONCE = 1024 * 1024;

export type Line = FoundReceipt &
  Row<'receipts', 'sha256' | 'problem'> & { n: number; size: number | null } & Printed;

/**
 * Every row of the archive in its order, with its document or null. A document that exists is never
 * removed. To be merged, a receipt that came as HTML is the PDF that was printed of it.
 */
export async function* documentsOf(
  merchantId: string,
  { id, fileType }: Pick<Archive, 'id' | 'fileType'>,
): AsyncGenerator<{ raw: Line; bytes: Uint8Array | null }> {
  const merged = fileType === 'pdf';
  for (let after = 0; ;) {
    const from = after;
    const lines = await onceThere(() => linesOf(merchantId, { id, merged, after: from }));
    for (const some of lightEnough(lines)) {
      const ready = some.filter((line) => line.size !== null).map((line) => line.id);
      const bytes =
        ready.length === 0
          ? new Map<string, Uint8Array>()
          : await onceThere(() => bytesOf(merchantId, ready, merged));
      for (const raw of some) yield { raw, bytes: bytes.get(raw.id) ?? null };
    }
    if (lines.length < LINES_AT_ONCE) return;
    after = lines.at(-1)!.n;
  }
}

function linesOf(
  merchantId: string,
  { id, merged, after }: { id: string; merged: boolean; after: number },
): Promise<Line[]> {
  return inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<Line[]>`
      WITH i AS MATERIALIZED (SELECT n, receipt_id FROM receipt_archive_items
        WHERE archive_id = ${id}::uuid AND n > ${after} ORDER BY n LIMIT ${LINES_AT_ONCE})
      SELECT i.n, ${RECEIPT_COLUMNS}, r.sha256, r.problem, ${PRINTED},
        octet_length(${documentBytes(merged)}) AS size FROM i
        JOIN (${RECEIPTS}) ON r.id = i.receipt_id LEFT JOIN ${RECEIPT_PDFS} ORDER BY i.n`,
  );
}

async function bytesOf(
  merchantId: string,
  ids: readonly string[],
  merged: boolean,
): Promise<Map<string, Uint8Array>> {
  const found = await inTransaction(
    merchantId,
    (tx) =>
      tx.$queryRaw<
        Row<'receipts', 'id' | 'bytes', { bytes: Uint8Array }>[]
      >`SELECT r.id, ${documentBytes(merged)} AS bytes FROM receipts r
          LEFT JOIN ${RECEIPT_PDFS} WHERE r.id = ANY(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((one) => [one.id, one.bytes]));
}

/** Batches of consecutive rows whose documents together fit into memory. */
function* lightEnough(lines: readonly Line[]): Generator<Line[]> {
  let some: Line[] = [];
  let size = 0;
  for (const line of lines) {
    if (some.length > 0 && size + (line.size ?? 0) > BYTES_AT_ONCE) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(line);
    size += line.size ?? 0;
  }
  if (some.length > 0) yield some;
}
