import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { daysRange } from '#lib/values/dates.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Profile } from '#lib/exports/profile.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isReceiptId } from '../file-name.ts';
import type { NameTemplate } from '../file-name.ts';
import { receiptParams } from '../filter.ts';
import type { ReceiptFilter } from '../filter.ts';
import { RECEIPTS, receiptConditions } from '../list.ts';
import { countRequestable, insertRequested } from '../request.ts';
import { ofArchive, requestPdfs } from '../conversion/request.ts';
import { receiptsMax } from './archive.ts';
import type { ArchiveCounts, FileType } from './archive.ts';

/**
 * `picked`: only these of the list. `withLedger`: also the receipts, not requested yet, of every
 * ledger entry of the filter's days.
 */
export type ArchiveAsked = {
  filter: ReceiptFilter;
  picked: readonly string[] | null;
  withLedger: boolean;
  template: NameTemplate;
  ascii: boolean;
  profile: Profile;
  fileType: FileType;
};

/**
 * The content of the archive before it is requested. `ledger`: the filter's ledger entries without
 * a receipt; null without the permission to request them.
 */
export type ArchivePreview = ArchiveCounts & { ledger: number | null };

export async function previewArchive(
  actor: Person,
  filter: ReceiptFilter,
  picked: readonly string[] | null,
): Promise<ArchivePreview> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'export.make');
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<
      { state: string; count: number }[]
    >`SELECT r.state, count(*)::int AS count FROM ${RECEIPTS}
      WHERE ${chosenBy(actor, filter, picked)} GROUP BY r.state`;
    const count = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0;
    const lines = picked === null && may(actor.role, 'movement.ask') ? linesOf(filter) : null;
    return {
      ready: count('READY'),
      waiting: count('WAITING'),
      failed: count('FAILED'),
      ledger: lines && (await countRequestable(tx, lines)),
    };
  });
}

/**
 * Stores the request for one file of these receipts. The file is written while it is downloaded,
 * and receipts that are still missing then are listed in it. For one PDF the worker begins to print
 * the receipts that came as HTML. Returns the archive's id.
 *
 * @throws Refusal `not_allowed`, `too_many`, `too_many_rows`, `nothing_chosen`
 */
export async function askForArchive(actor: Person, asked: ArchiveAsked): Promise<string> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'export.make');
  const lines = asked.withLedger && asked.picked === null ? linesOf(asked.filter) : null;
  if (lines !== null) assertMay(actor, 'movement.ask');
  await countAttempt(actor, 'export.ask');
  return inTransaction(actor.merchantId, async (tx) => {
    const max = receiptsMax(asked.fileType);
    if (lines !== null && (await countRequestable(tx, lines)) > max)
      throw new Refusal('too_many_rows', { max });
    const wanted = lines === null ? [] : await insertRequested(tx, lines);
    const { id, count } = await insertArchive(tx, actor, asked);
    if (asked.fileType === 'pdf') await requestPdfs(tx, ofArchive(id));
    const { text: search, ...filter } = asked.filter;
    await audit(
      tx,
      actor,
      'receipt.archive_asked',
      `archive:${id}`,
      {
        receipts: count,
        file: asked.fileType,
        wanted: wanted.length,
        picked: asked.picked !== null,
        filter: addressOf(receiptParams({ ...filter, text: '' })),
      },
      { search: search === '' ? null : search },
    );
    return id;
  });
}

async function insertArchive(
  tx: Tx,
  actor: Person,
  { filter, picked, template, ascii, profile, fileType }: ArchiveAsked,
): Promise<{ id: string; count: number }> {
  const max = receiptsMax(fileType);
  const [made] = await tx.$queryRaw<[{ id: string; count: number }]>`
    WITH chosen AS (
      SELECT r.id, row_number() OVER (ORDER BY r.paid_at DESC, r.id DESC) AS n FROM ${RECEIPTS}
        WHERE ${chosenBy(actor, filter, picked)} LIMIT ${max + 1}),
    made AS (
      INSERT INTO receipt_archives (merchant_id, person_id, filter, picked, asked, template, ascii,
        profile, file_type, created_at)
      SELECT ${actor.merchantId}::uuid, ${actor.personId}::uuid,
        ${addressOf(receiptParams(filter))}, ${picked !== null}, count(*), ${template}, ${ascii},
        ${profile}, ${fileType}, clock_timestamp() FROM chosen
      RETURNING id, asked),
    kept AS (
      INSERT INTO receipt_archive_items (merchant_id, archive_id, n, receipt_id)
        SELECT ${actor.merchantId}::uuid, made.id, chosen.n, chosen.id FROM chosen, made RETURNING 1)
    SELECT id, asked AS count FROM made`;
  if (made.count === 0) throw new Refusal('nothing_chosen');
  if (made.count > max) throw new Refusal('too_many_rows', { max });
  return made;
}

function chosenBy(
  actor: Person,
  filter: ReceiptFilter,
  picked: readonly string[] | null,
): Prisma.Sql {
  if (picked !== null) return sql`r.id = ANY(${picked.filter(isReceiptId)}::uuid[])`;
  return receiptConditions(actor, filter);
}

/**
 * The ledger entries of the filter's days, over `ledger_records l`; null when the filter lacks its
 * first or last day, or has a batch, a text or a view other than `all` and `waiting`.
 */
function linesOf({ view, batch, from, to, text }: ReceiptFilter): Prisma.Sql | null {
  if (from === null || to === null || batch !== null || text !== '') return null;
  if (view !== 'all' && view !== 'waiting') return null;
  const range = daysRange({ from, to }, env().timeZone);
  return sql`coalesce(l.completed_at, l.created_at) >= ${range.from}::timestamptz
    AND coalesce(l.completed_at, l.created_at) < ${range.to}::timestamptz`;
}
