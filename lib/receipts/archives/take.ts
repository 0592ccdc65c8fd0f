import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Frame } from '#lib/exports/profile.ts';
import { directory, packedEntry } from '#lib/exports/zip.ts';
import type { Entry } from '#lib/exports/zip.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { distinctNames, receiptStem } from '../file-name.ts';
import { RECEIPT_COLUMNS, RECEIPTS, toRow } from '../list.ts';
import { indexFiles } from './index-sheet.ts';
import type { Indexed } from './index-sheet.ts';
import { findArchive } from './view.ts';
import type { ArchiveRow } from './view.ts';

const LINES_AT_ONCE = 100;
/** The limit for documents in memory together; a single one may have four times as much. */
const BYTES_AT_ONCE = 1024 * 1024;
/**
 * A ZIP file without the ZIP64 extension ends at 4 GiB; the index needs a part of that. Documents
 * that do not fit are listed as left out.
 */
const ARCHIVE_MAX = 0xff00_0000 - 64 * 1024 * 1024;

/** The texts in the file. `contents` is the summary, written after the last document. */
export type ArchiveWords = { frame: Frame; contents: (ready: number, missing: number) => string };
export type ArchiveFile = {
  archive: ArchiveRow;
  pieces: (words: ArchiveWords, maxBytes?: number) => AsyncGenerator<Uint8Array>;
};

/**
 * The archive in its current state, written while it is downloaded: every document that exists, and
 * an index that includes the missing ones. Null when this person requested none with that id.
 * Audited before the first byte is sent.
 *
 * @throws Refusal `not_allowed`, `too_many`
 */
export async function takeArchive(actor: Person, id: string): Promise<ArchiveFile | null> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'export.make');
  await countAttempt(actor, 'export.take');
  const archive = await inTransaction(actor.merchantId, async (tx) => {
    const found = await findArchive(tx, actor, id);
    if (found !== null)
      await audit(tx, actor, 'receipt.archive_downloaded', `archive:${id}`, {
        receipts: found.asked,
        ready: found.counts.ready,
      });
    return found;
  });
  return (
    archive && {
      archive,
      pieces: (words, maxBytes = ARCHIVE_MAX) =>
        piecesOf(actor.merchantId, archive, words, maxBytes),
    }
  );
}

async function* piecesOf(
  merchantId: string,
  archive: ArchiveRow,
  { frame, contents }: ArchiveWords,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const made = new Date(archive.createdAt);
  const naming = {
    template: archive.template,
    ascii: archive.ascii,
    locale: frame.locale,
    zone: env().timeZone,
  };
  const nameOf = distinctNames();
  const entries: Entry[] = [];
  const index: Indexed[] = [];
  let at = 0;
  for await (const { raw, bytes } of documentsOf(merchantId, archive.id)) {
    // A gap reserves its name too: a document that arrives later must not change the other names.
    const stem = nameOf(receiptStem(toRow(raw, false), naming));
    const fits = bytes !== null && at + bytes.length <= maxBytes;
    index.push({ raw, file: fits ? `${stem}.${raw.format}` : null });
    if (!fits) continue;
    const packed = await packedEntry(`${stem}.${raw.format}`, bytes, at, made);
    entries.push(packed.entry);
    at += packed.bytes.length;
    yield packed.bytes;
  }
  const summary = {
    ...frame,
    labels: { ...frame.labels, momentsIs: contents(entries.length, index.length - entries.length) },
  };
  for (const { name, data } of indexFiles(archive.profile, summary, archive.createdAt, index)) {
    const { entry, bytes } = await packedEntry(name, data, at, made);
    entries.push(entry);
    at += bytes.length;
    yield bytes;
  }
  yield directory(entries, at, made);
}

type Line = Indexed['raw'] & { n: number; size: number | null };

/**
 * Every row of the archive in its order, with its document or null. A document that exists is never
 * removed.
 */
async function* documentsOf(
  merchantId: string,
  id: string,
): AsyncGenerator<{ raw: Line; bytes: Uint8Array | null }> {
  for (let after = 0; ;) {
    const lines = await inTransaction(
      merchantId,
      (tx) => tx.$queryRaw<Line[]>`
      WITH i AS MATERIALIZED (SELECT n, receipt_id FROM receipt_archive_items
        WHERE archive_id = ${id}::uuid AND n > ${after} ORDER BY n LIMIT ${LINES_AT_ONCE})
      SELECT i.n, ${RECEIPT_COLUMNS}, r.sha256, r.problem, octet_length(r.bytes) AS size FROM i
        JOIN (${RECEIPTS}) ON r.id = i.receipt_id ORDER BY i.n`,
    );
    for (const some of lightEnough(lines)) {
      const ready = some.filter((line) => line.state === 'READY').map((line) => line.id);
      const found =
        ready.length === 0
          ? []
          : await inTransaction(
              merchantId,
              (tx) =>
                tx.$queryRaw<
                  Row<'receipts', 'id' | 'bytes', { bytes: Uint8Array }>[]
                >`SELECT id, bytes FROM receipts WHERE id = ANY(${ready}::uuid[])`,
            );
      const bytes = new Map(found.map((one) => [one.id, one.bytes]));
      for (const raw of some) yield { raw, bytes: bytes.get(raw.id) ?? null };
    }
    if (lines.length < LINES_AT_ONCE) return;
    after = lines.at(-1)!.n;
  }
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
