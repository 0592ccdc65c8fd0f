import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { PRINTED, RECEIPT_PDFS } from '../conversion/stored.ts';
import type { Printed } from '../conversion/stored.ts';
import { isReceiptId } from '../file-name.ts';
import { RECEIPT_COLUMNS, RECEIPTS, toRow } from '../list.ts';
import type { FoundReceipt, ReceiptRow } from '../list.ts';
import type { Archive, ArchiveCounts } from './archive.ts';

const GAPS_SHOWN = 50;
const ARCHIVES_SHOWN = 20;

const COLUMNS = sql`a.id, a.filter, a.picked, a.asked, a.template, a.ascii, a.profile,
  a.file_type AS "fileType", a.created_at`;
/**
 * The state of a receipt in the file of archive `a`. In one PDF, a receipt that came as HTML has
 * the state of the PDF that is printed from it.
 */
const IN_FILE = sql`CASE WHEN a.file_type = 'pdf' AND r.format = 'html'
  THEN coalesce(p.state, 'FAILED') ELSE r.state END`;
/**
 * How many receipts of archive `a` are ready, waiting and failed, counted from the archive's own
 * rows: every receipt that is not ready is a gap, whatever the reason.
 */
const COUNTS = sql`
  (SELECT ARRAY[count(*) FILTER (WHERE ${IN_FILE} = 'READY'),
    count(*) FILTER (WHERE ${IN_FILE} = 'WAITING'),
    count(*) FILTER (WHERE ${IN_FILE} = 'FAILED')]::int[]
   FROM receipt_archive_items i JOIN receipts r ON r.id = i.receipt_id
     LEFT JOIN ${RECEIPT_PDFS} WHERE i.archive_id = a.id) AS counts`;
type Found = Omit<Archive, 'createdAt'> & { created_at: Date; counts: [number, number, number] };

export type ArchiveRow = Archive & { counts: ArchiveCounts };
/** A receipt that is not in the file; `pdf` is how far its HTML is printed, null for any other. */
export type Gap = ReceiptRow & { pdf: Printed['pdf_state']; pdfProblem: string | null };
/** `gaps` are in the order of the file; `more` is where their next page begins. */
export type ArchiveView = ArchiveRow & {
  gaps: Gap[];
  more: number | null;
  now: string;
  can: { ask: boolean };
};

/**
 * The archives that a person requested, newest first, without those of colleagues. `isCut`: there
 * are more of them than are shown.
 */
export async function listArchives(
  actor: Person,
): Promise<{ rows: ArchiveRow[]; isCut: boolean; now: string }> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'export.make');
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<Found[]>`SELECT ${COLUMNS}, ${COUNTS} FROM receipt_archives a
      WHERE a.person_id = ${actor.personId}::uuid ORDER BY a.created_at DESC
      LIMIT ${ARCHIVES_SHOWN + 1}`;
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    return {
      rows: rows.slice(0, ARCHIVES_SHOWN).map(rowOf),
      isCut: rows.length > ARCHIVES_SHOWN,
      now: clock.now.toISOString(),
    };
  });
}

/**
 * One archive with its gaps after row `after` of the file; null when this person requested none
 * with that id.
 */
export async function viewArchive(
  actor: Person,
  id: string,
  after = 0,
): Promise<ArchiveView | null> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'export.make');
  return inTransaction(actor.merchantId, async (tx) => {
    const archive = await findArchive(tx, actor, id);
    if (archive === null) return null;
    const gaps = await tx.$queryRaw<(FoundReceipt & Printed & { n: number })[]>`
      SELECT i.n, ${RECEIPT_COLUMNS}, ${PRINTED} FROM receipt_archive_items i
        JOIN receipt_archives a ON a.id = i.archive_id
        JOIN (${RECEIPTS}) ON r.id = i.receipt_id LEFT JOIN ${RECEIPT_PDFS}
      WHERE i.archive_id = ${id}::uuid AND i.n > ${after} AND ${IN_FILE} <> 'READY' ORDER BY i.n
        LIMIT ${GAPS_SHOWN + 1}`;
    const shown = gaps.slice(0, GAPS_SHOWN);
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    return {
      ...archive,
      gaps: shown.map((row) => ({
        ...toRow(row, may(actor.role, 'payee.read')),
        pdf: row.state === 'READY' ? row.pdf_state : null,
        pdfProblem: row.pdf_problem,
      })),
      more: gaps.length > GAPS_SHOWN ? shown.at(-1)!.n : null,
      now: clock.now.toISOString(),
      can: { ask: may(actor.role, 'movement.ask') },
    };
  });
}

/** The archive of that id if this person requested it. */
export async function findArchive(tx: Tx, actor: Person, id: string): Promise<ArchiveRow | null> {
  if (!isReceiptId(id)) return null;
  const [row] = await tx.$queryRaw<
    Found[]
  >`SELECT ${COLUMNS}, ${COUNTS} FROM receipt_archives a WHERE a.id = ${id}::uuid
    AND a.person_id = ${actor.personId}::uuid`;
  return row ? rowOf(row) : null;
}

function rowOf({
  created_at: createdAt,
  counts: [ready, waiting, failed],
  ...archive
}: Found): ArchiveRow {
  return { ...archive, createdAt: createdAt.toISOString(), counts: { ready, waiting, failed } };
}
