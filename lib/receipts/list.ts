import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { daysRange } from '#lib/dates.ts';
import { join, inTransaction, sql } from '#lib/db.ts';
import type { Prisma, Tx } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { maskIban } from '#lib/iban.ts';
import { pageOf } from '#lib/keyset.ts';
import type { Paged, Place } from '#lib/keyset.ts';
import { toDecimal } from '#lib/money.ts';
import { readSearch } from '#lib/payouts/filter.ts';
import { ibanMatches } from '#lib/payouts/iban-search.ts';
import type { ReceiptFilter, ReceiptQuery } from './filter.ts';

const PAGE_ROWS = 25;

/** Why a receipt is not there yet: its ledger line is not visible, or the line is and the document is not. */
export type ReceiptStatus = 'ready' | 'waiting_ledger' | 'waiting_receipt' | 'failed';

/** One receipt of the list. Amounts are decimal text, times ISO. */
export type ReceiptRow = {
  id: string;
  movementId: string;
  status: ReceiptStatus;
  format: 'pdf' | 'html' | null;
  name: string;
  /** Masked: a receipt is known by its payment. */
  iban: string;
  wallet: string;
  amount: string;
  currency: string;
  extId: string;
  /** When the payment was completed. */
  paidAt: string;
  /** When the provider is asked next, for the ledger line or for the document; null when nobody will by itself. */
  nextAt: string | null;
  tries: number;
};

export type ReceiptPage = Paged<ReceiptRow> & {
  /** Of all receipts, whatever the filter: what is there and what is missing, by name. */
  counts: { ready: number; waiting: number; failed: number };
  now: string;
};

/** One page of the receipts, newest payment first. */
export async function listReceipts(actor: Person, { filter, place }: ReceiptQuery): Promise<ReceiptPage> {
  require(actor, 'receipt.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const found = await readReceiptRows(tx, actor, filter, place, PAGE_ROWS + 1);
    const counted = await tx.$queryRaw<{ state: string; count: number }[]>`SELECT state, count(*)::int AS count FROM receipts GROUP BY state`;
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    const count = (state: string): number => counted.find((row) => row.state === state)?.count ?? 0;
    const { rows, newer, older } = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
    return { rows: rows.map(toRow), newer, older, counts: { ready: count('READY'), waiting: count('WAITING'), failed: count('FAILED') }, now: clock.now.toISOString() };
  });
}

/** How many receipts a person has to ask for again. */
export async function countFailedReceipts(actor: Person): Promise<number> {
  require(actor, 'receipt.read');
  const [row] = await inTransaction(actor.merchantId, (tx) => tx.$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count FROM receipts WHERE state = 'FAILED'`);
  return row.count;
}

export type RawReceipt = {
  id: string; movement_id: string; state: string; format: 'pdf' | 'html' | null; tries: number; next_at: Date | null; created_at: Date; edge: string;
  name: string; iban: string; wallet: string; amount_minor: bigint; currency: string; ext_id: string; ended_at: Date | null;
  ledger_seen_at: Date | null; movement_next_at: Date | null;
};

/** What a list and a page of one receipt both read; the bytes stay where they are. */
export const RECEIPT_COLUMNS = sql`
  r.id, r.movement_id, r.state, r.format, r.tries, r.next_at, r.created_at,
  to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || r.id AS edge,
  m.name, m.iban, m.wallet, m.amount_minor, m.currency, m.ext_id, m.ended_at, m.ledger_seen_at, m.next_at AS movement_next_at`;

export async function readReceiptRows(tx: Tx, actor: Person, filter: ReceiptFilter, place: Place | null, rows: number): Promise<RawReceipt[]> {
  const newest = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  return tx.$queryRaw<RawReceipt[]>`
    SELECT ${RECEIPT_COLUMNS} FROM receipts r JOIN movements m ON m.id = r.movement_id
    WHERE ${conditionsOf(actor, filter)} AND ${beyond(place)} ORDER BY r.created_at ${newest}, r.id ${newest} LIMIT ${rows}`;
}

export function toRow(row: RawReceipt): ReceiptRow {
  const status = statusOf(row);
  return {
    id: row.id, movementId: row.movement_id, status, format: row.format, name: row.name, iban: maskIban(row.iban), wallet: row.wallet,
    amount: toDecimal(row.amount_minor), currency: row.currency, extId: row.ext_id, paidAt: (row.ended_at ?? row.created_at).toISOString(),
    nextAt: (status === 'waiting_ledger' ? row.movement_next_at : row.next_at)?.toISOString() ?? null, tries: row.tries,
  };
}

function statusOf(row: RawReceipt): ReceiptStatus {
  if (row.state === 'READY') return 'ready';
  if (row.state === 'FAILED') return 'failed';
  return row.ledger_seen_at === null ? 'waiting_ledger' : 'waiting_receipt';
}

function beyond(place: Place | null): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const [at = '', id = ''] = place.edge.split('_');
  return place.side === 'after' ? sql`(r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)` : sql`(r.created_at, r.id) > (${at}::timestamptz, ${id}::uuid)`;
}

function conditionsOf(actor: Person, filter: ReceiptFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.view !== 'all') all.push(sql`r.state = ${filter.view.toUpperCase()}`);
  const zone = env().timeZone;
  if (filter.from !== null) all.push(sql`r.created_at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`);
  if (filter.to !== null) all.push(sql`r.created_at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`);
  const search = readSearch(filter.text);
  if (search !== null) {
    const any: Prisma.Sql[] = [sql`m.name_fold LIKE ${containing(search.name)}`];
    if (search.iban !== null) any.push(ibanMatches(actor, search.iban));
    if (search.reference !== null) any.push(sql`m.ext_id LIKE ${`${search.reference}%`}`, sql`m.transaction_id = ${search.reference}`);
    if (search.amounts.length > 0) any.push(sql`m.amount_minor IN (${join(search.amounts)})`);
    all.push(sql`(${join(any, ' OR ')})`);
  }
  return join(all, ' AND ');
}

/** A LIKE pattern that takes the text literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
