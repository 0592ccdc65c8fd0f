import 'server-only';
import { dayIn } from '#lib/values/dates.ts';
import { formatAmount } from '#lib/values/money.ts';
import { env } from '#lib/runtime/env.ts';
import type { Frame } from '#lib/exports/profile.ts';
import { toRow } from '../list.ts';
import type { ReceiptStatus } from '../list.ts';
import type { MergeItem, MergeWords } from '../merged/merge.ts';
import { mergeApart } from '../merged/run.ts';
import type { Archive } from './archive.ts';
import { documentsOf } from './documents.ts';
import type { Line } from './documents.ts';

/**
 * The maximum size of the documents of one file, which are in memory together; the file names those
 * that do not fit as left out.
 */
const MERGED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Why a receipt is not in the merged file. `printing`: its PDF is being made of its HTML;
 * `no_engine`, `not_printed`: it stays HTML; `left_out`: the file is full.
 */
export type MissingReason =
  | Exclude<ReceiptStatus, 'ready'>
  | 'printing'
  | 'no_engine'
  | 'not_printed'
  | 'left_out';
export type MergedWords = MergeWords & { missing: Record<MissingReason, string> };

/** The archive as one PDF, in the order of its receipts. */
export function mergedPieces(
  merchantId: string,
  archive: Archive,
  { frame, merged }: { frame: Frame; merged: MergedWords },
  maxBytes = MERGED_BYTES_MAX,
): AsyncGenerator<Uint8Array> {
  const { missing, ...words } = merged;
  return mergeApart(itemsOf(merchantId, archive, { frame, missing, maxBytes }), words);
}

async function* itemsOf(
  merchantId: string,
  archive: Archive,
  { frame, missing, maxBytes }: { frame: Frame; missing: MergedWords['missing']; maxBytes: number },
): AsyncGenerator<MergeItem> {
  let size = 0;
  for await (const { raw, bytes } of documentsOf(merchantId, archive)) {
    const name = nameOf(raw, frame);
    const fits = bytes !== null && size + bytes.length <= maxBytes;
    if (fits) size += bytes.length;
    yield fits
      ? { name, bytes }
      : { name, bytes: null, reason: missing[bytes === null ? reasonOf(raw) : 'left_out'] };
  }
}

function reasonOf(raw: Line): MissingReason {
  const { status } = toRow(raw, false);
  if (status !== 'ready') return status;
  if (raw.pdf_state === 'WAITING') return 'printing';
  return raw.pdf_problem === 'no_engine' ? 'no_engine' : 'not_printed';
}

function nameOf(raw: Line, { locale }: Frame): string {
  const row = toRow(raw, false);
  return [
    dayIn(row.paidAt, env().timeZone),
    row.name,
    `${formatAmount(row.amount, locale)} ${row.currency}`,
    row.extId || row.transactionId || '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
