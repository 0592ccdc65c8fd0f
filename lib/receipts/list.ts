import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { countIn } from '#lib/runtime/count.ts';
import { columns, inTransaction, join, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, RowOf, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { maskIban } from '#lib/values/iban.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import { LEDGER_END_MS } from '#lib/movements/schedule.ts';
import { CAME_IN } from '#lib/provider-records/direction.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { ibanMatches } from '#lib/form-fields/iban-search.ts';
import type { ReceiptFilter, ReceiptQuery } from './filter.ts';
import { triedUntil } from './schedule.ts';

const PAGE_ROWS = 25;

/**
 * Why a receipt is missing: its ledger entry is not visible yet, or the entry is and the document
 * is not.
 */
export type ReceiptStatus = 'ready' | 'waiting_ledger' | 'waiting_receipt' | 'failed';

/**
 * One receipt of the list. Amounts are decimal text, times ISO. It belongs to a movement of ours or
 * to a ledger entry without one.
 */
export type ReceiptRow = {
  id: string;
  movementId: string | null;
  /** The ledger's id of the entry for which it was requested. */
  recordId: string | null;
  kind: string | null;
  direction: 'in' | 'out';
  status: ReceiptStatus;
  format: 'pdf' | 'html' | null;
  /** The counterparty's name if known, else its wallet number. */
  name: string;
  /**
   * The counterparty's IBAN, masked without the permission for payees' numbers. Empty for a
   * transfer between wallets.
   */
  iban: string;
  /** The counterparty's wallet; null for a bank account and when unknown. */
  otherWallet: string | null;
  wallet: string;
  amount: string;
  currency: string;
  extId: string;
  transactionId: string | null;
  /** The time of the payment. */
  paidAt: string;
  /**
   * When the provider is polled next, for the ledger entry or for the document; null when there is
   * no further poll.
   */
  nextAt: string | null;
  /** Until when the provider is polled automatically; null when it is not polled. */
  until: string | null;
  tries: number;
};

export type ReceiptPage = Paged<ReceiptRow> & {
  /** The numbers of all receipts, without the filter: present, waiting and failed. */
  counts: { ready: number; waiting: number; failed: number };
  now: string;
};

/** One page of the receipts, newest payment first. */
export async function listReceipts(
  actor: Person,
  { filter, place }: ReceiptQuery,
): Promise<ReceiptPage> {
  assertMay(actor, 'receipt.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const found = await readReceiptRows(tx, actor, filter, place, PAGE_ROWS + 1);
    const counted = await tx.$queryRaw<
      (Row<'receipts', 'state'> & { count: number })[]
    >`SELECT state, count(*)::int AS count FROM receipts GROUP BY state`;
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    const count = (state: string): number => counted.find((row) => row.state === state)?.count ?? 0;
    const { rows, newer, older } = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
    return {
      rows: rows.map((row) => toRow(row, may(actor.role, 'payee.read'))),
      newer,
      older,
      counts: { ready: count('READY'), waiting: count('WAITING'), failed: count('FAILED') },
      now: clock.now.toISOString(),
    };
  });
}

/** The number of failed receipts, which are fetched again only at a person's request. */
export async function countFailedReceipts(actor: Person): Promise<number> {
  assertMay(actor, 'receipt.read');
  return countIn(actor.merchantId, sql`SELECT count(*)::int FROM receipts WHERE state = 'FAILED'`);
}

const RECEIPT = columns('receipts', [
  'id',
  'movement_id',
  'record_id',
  'state',
  'format',
  'tries',
  'next_at',
  'paid_at',
]);

export type FoundReceipt = RowOf<typeof RECEIPT, { format: 'pdf' | 'html' | null }> &
  Row<'movements', 'name' | 'iban' | 'wallet' | 'amount_minor' | 'currency' | 'ext_id'> &
  Row<'movements', 'transaction_id' | 'ledger_seen_at'> & {
    kind: string | null;
    direction: 'in' | 'out';
    edge: string;
    other_wallet: string | null;
    movement_next_at: Date | null;
  };

/** Receipts joined with their movements and ledger entries. */
export const RECEIPTS = sql`receipts r LEFT JOIN movements m ON m.id = r.movement_id
  LEFT JOIN ledger_records l ON l.merchant_id = r.merchant_id AND l.id = r.record_id`;

/**
 * A column of the withdraw request of a payout made elsewhere: the ledger does not name the payee,
 * the listing of withdraw requests does.
 */
const paidElsewhere = (column: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT ${column} FROM withdraw_records w WHERE w.merchant_id = r.merchant_id
    AND w.ext_id = l.ext_id AND l.direction = 'out' ORDER BY w.request_id LIMIT 1)`;

/** The columns for both the list and the page of one receipt, without the document's bytes. */
export const RECEIPT_COLUMNS = sql`
  ${RECEIPT.of('r')}, m.kind, CASE WHEN ${CAME_IN} THEN 'in' ELSE 'out' END AS direction,
  to_char(r.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || r.id AS edge,
  coalesce(m.name, l.sender_name, ${paidElsewhere(sql`w.name`)},
    CASE WHEN ${CAME_IN} THEN coalesce(l.from_wallet, l.from_account)
    ELSE coalesce(l.to_wallet, l.to_account) END, l.description, '') AS name,
  coalesce(m.iban, l.sender_iban, ${paidElsewhere(sql`w.iban`)}, '') AS iban,
  coalesce(m.to_wallet, CASE WHEN ${CAME_IN} THEN l.from_wallet ELSE l.to_wallet END) AS
    other_wallet,
  coalesce(m.wallet, CASE WHEN ${CAME_IN} THEN l.to_wallet ELSE l.from_wallet END, '') AS wallet,
  coalesce(m.amount_minor, l.amount_minor) AS amount_minor,
    coalesce(m.currency, l.currency) AS currency, coalesce(m.ext_id, l.ext_id, '') AS ext_id,
  coalesce(m.transaction_id, r.record_id) AS transaction_id,
    coalesce(m.ledger_seen_at, l.first_read_at) AS ledger_seen_at, m.next_at AS movement_next_at`;

export async function readReceiptRows(
  tx: Tx,
  actor: Person,
  filter: ReceiptFilter,
  place: Place | null,
  rows: number,
): Promise<FoundReceipt[]> {
  const newest = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  return tx.$queryRaw<FoundReceipt[]>`
    SELECT ${RECEIPT_COLUMNS} FROM ${RECEIPTS}
    WHERE ${receiptConditions(actor, filter)} AND ${beyond(place)} ORDER BY r.paid_at ${newest},
      r.id ${newest} LIMIT ${rows}`;
}

/** `whole`: the IBAN is not masked. */
export function toRow(row: FoundReceipt, whole: boolean): ReceiptRow {
  const status = statusOf(row);
  const nextAt = status === 'waiting_ledger' ? row.movement_next_at : row.next_at;
  return {
    id: row.id,
    movementId: row.movement_id,
    recordId: row.record_id,
    kind: row.kind,
    direction: row.direction,
    status,
    format: row.format,
    name: row.name,
    iban: row.iban === '' || whole ? row.iban : maskIban(row.iban),
    otherWallet: row.other_wallet,
    wallet: row.wallet,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    extId: row.ext_id,
    paidAt: row.paid_at.toISOString(),
    transactionId: row.transaction_id,
    nextAt: nextAt?.toISOString() ?? null,
    until: untilOf(row, status)?.toISOString() ?? null,
    tries: row.tries,
  };
}

function statusOf(row: FoundReceipt): ReceiptStatus {
  if (row.state === 'READY') return 'ready';
  if (row.state === 'FAILED') return 'failed';
  return row.ledger_seen_at === null ? 'waiting_ledger' : 'waiting_receipt';
}

function untilOf(row: FoundReceipt, status: ReceiptStatus): Date | null {
  if (status === 'waiting_ledger')
    return row.movement_next_at && new Date(row.paid_at.getTime() + LEDGER_END_MS);
  return status === 'waiting_receipt' && row.next_at ? triedUntil(row.next_at, row.tries) : null;
}

function beyond(place: Place | null): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const [at = '', id = ''] = place.edge.split('_');
  return place.side === 'after'
    ? sql`(r.paid_at, r.id) < (${at}::timestamptz, ${id}::uuid)`
    : sql`(r.paid_at, r.id) > (${at}::timestamptz, ${id}::uuid)`;
}

/** The conditions of a filter over {@link RECEIPTS}. */
export function receiptConditions(actor: Person, filter: ReceiptFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.view !== 'all') all.push(sql`r.state = ${filter.view.toUpperCase()}`);
  if (filter.batch !== null)
    all.push(
      sql`r.movement_id IN (SELECT w.movement_id FROM batch_rows w
        WHERE w.batch_id = ${filter.batch}::uuid)`,
    );
  const zone = env().timeZone;
  if (filter.from !== null)
    all.push(
      sql`r.paid_at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(
      sql`r.paid_at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`,
    );
  const search = readSearch(filter.text);
  if (search !== null) {
    const any: Prisma.Sql[] =
      search.name === ''
        ? [sql`FALSE`]
        : [
            sql`m.name_fold LIKE ${containing(search.name)}`,
            sql`l.text_fold LIKE ${containing(search.name)}`,
            sql`${paidElsewhere(sql`w.name_fold`)} LIKE ${containing(search.name)}`,
          ];
    if (search.iban !== null)
      any.push(
        ibanMatches(actor, search.iban),
        ibanMatches(actor, search.iban, sql`l.sender_iban`),
        ibanMatches(actor, search.iban, paidElsewhere(sql`w.iban`)),
      );
    if (search.reference !== null)
      any.push(
        sql`m.ext_id LIKE ${`${search.reference}%`}`,
        sql`l.ext_id LIKE ${`${search.reference}%`}`,
        sql`m.transaction_id = ${search.reference}`,
        sql`r.record_id = ${search.reference}`,
      );
    if (search.amounts.length > 0)
      any.push(sql`coalesce(m.amount_minor, l.amount_minor) IN (${join(search.amounts)})`);
    all.push(sql`(${join(any, ' OR ')})`);
  }
  return join(all, ' AND ');
}

/** A LIKE pattern that takes the text literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
