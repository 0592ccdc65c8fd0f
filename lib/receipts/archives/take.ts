import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Frame } from '#lib/exports/profile.ts';
import { directory, packedEntry } from '#lib/exports/zip.ts';
import type { Entry } from '#lib/exports/zip.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { distinctNames, receiptStem } from '../file-name.ts';
import { toRow } from '../list.ts';
import { documentsOf } from './documents.ts';
import { indexFiles } from './index-sheet.ts';
import type { Indexed } from './index-sheet.ts';
import { mergedPieces } from './merge-archive.ts';
import type { MergedWords } from './merge-archive.ts';
import { findArchive } from './view.ts';
import type { ArchiveRow } from './view.ts';

/**
 * A ZIP file without the ZIP64 extension ends at 4 GiB; the index needs a part of that. Documents
 * that do not fit are listed as left out.
 */
const ARCHIVE_MAX = 0xff00_0000 - 64 * 1024 * 1024;

/**
 * The texts in the file. `contents` is the summary of a ZIP, written after the last document;
 * `merged` are the texts of a PDF.
 */
export type ArchiveWords = {
  frame: Frame;
  contents: (ready: number, missing: number) => string;
  merged: MergedWords;
};
export type ArchiveFile = {
  archive: ArchiveRow;
  pieces: (words: ArchiveWords, maxBytes?: number) => AsyncGenerator<Uint8Array>;
};

/**
 * The archive in its current state, written while it is downloaded: every document that exists, and
 * an index that includes the missing ones; or all of them as one PDF, whose last pages name the
 * missing ones. Null when this person requested none with that id. Audited before the first byte is
 * sent.
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
      pieces: (words, maxBytes) =>
        archive.fileType === 'pdf'
          ? mergedPieces(actor.merchantId, archive, words, maxBytes)
          : piecesOf(actor.merchantId, archive, words, maxBytes ?? ARCHIVE_MAX),
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
  for await (const { raw, bytes } of documentsOf(merchantId, archive)) {
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
