import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import type {
  Direction,
  Status,
  TransactionFilter,
  TransactionQuery,
  TransactionType,
} from './filter.ts';
import {
  countedEntries,
  directionOf,
  FEES,
  LEDGER,
  statusOf,
  SUMS,
  transactionConditions,
  transactionOrder,
  typeOf,
} from './query.ts';

export const PAGE_ROWS = 25;

/** One ledger entry as the report shows it. Amounts are decimal text without a sign, times ISO. */
export type TransactionRow = {
  id: string;
  type: TransactionType;
  /** The provider's own name of the type. */
  typeText: string | null;
  direction: Direction;
  status: Status;
  statusText: string | null;
  amount: string;
  /** The fee that the provider charged us for the entry. */
  fee: string;
  currency: string;
  at: string;
  description: string | null;
  /** The counterparty, if known. */
  name: string | null;
  fromWallet: string | null;
  toWallet: string | null;
  extId: string | null;
  /** Our own payout or transfer behind it, or the one that was returned. */
  movement: { id: string; kind: string } | null;
};

/**
 * `newer` and `older` mean before and after in the report's own order. `page` is this page's
 * number.
 */
export type TransactionPage = Paged<TransactionRow> & { page: number; now: string };

/**
 * The totals of one currency over the whole filter: the sums of incoming, outgoing and internal
 * money, and the fees. Only completed and refunded entries moved money; the others are only
 * counted.
 */
export type TransactionTotal = {
  currency: string;
  count: number;
  in: string;
  out: string;
  own: string;
  fees: string;
};

/**
 * One page of the ledger entries read so far. Keyset pagination: the cost does not grow with the
 * depth of the page. A page requested by its number alone is looked up first.
 */
export async function listTransactions(
  actor: Person,
  { filter, place: given, page }: TransactionQuery,
): Promise<TransactionPage> {
  assertMay(actor, 'movement.read');
  const place = given ?? (page > 1 ? await placeOfPage(actor, filter, page) : null);
  const isBeyond = place === null && page > 1;
  const { edge, beyond, order } = transactionOrder(filter, place);
  const found = isBeyond
    ? []
    : await inOne<Found>(
        actor.merchantId,
        sql`
    SELECT r.*, ${FEES} AS fees, m.id AS movement_id, m.kind AS movement_kind, m.name AS payee,
      clock_timestamp() AS now FROM (
      SELECT ${edge} AS edge, r.id, ${typeOf} AS kind, r.type, ${directionOf(filter)} AS way,
        ${statusOf} AS state, r.status, r.amount_minor, r.fee_minor, r.receiver_fee_minor,
        r.currency, r.created_at,
        coalesce(r.description, r.to_description) AS description, r.sender_name, r.from_wallet,
          r.to_wallet, r.ext_id, r.refers_to
      FROM ${LEDGER} WHERE ${transactionConditions(actor, filter)} AND ${beyond} ORDER BY ${order}
        LIMIT ${PAGE_ROWS + 1}) r
    LEFT JOIN ledger_records back ON back.id = r.refers_to
      LEFT JOIN movements m ON m.ext_id = coalesce(r.ext_id, back.ext_id) ORDER BY ${order}`,
      );
  const now =
    found[0]?.now ??
    (await inOne<{ now: Date }>(actor.merchantId, sql`SELECT clock_timestamp() AS now`))[0]!.now;
  const paged = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return { ...paged, rows: paged.rows.map(toRow), page, now: now.toISOString() };
}

/**
 * The place where a page with only a number begins; null after the last page. Counted on the index
 * alone, without reading the entries.
 */
async function placeOfPage(
  actor: Person,
  filter: TransactionFilter,
  page: number,
): Promise<Place | null> {
  const { column, edge, order } = transactionOrder(filter, null);
  // Builds the edge only for the one row found, not for all rows skipped.
  const [row] = await inOne<{ edge: string }>(
    actor.merchantId,
    sql`
    SELECT ${edge} AS edge
      FROM (SELECT ${column}, r.id FROM ${LEDGER} WHERE ${transactionConditions(actor, filter)}
      ORDER BY ${order} OFFSET ${(page - 1) * PAGE_ROWS - 1} LIMIT 1) r`,
  );
  return row === undefined ? null : { side: 'after', edge: row.edge };
}

/** The sums over the filter, independent of the page. */
export async function sumTransactions(
  actor: Person,
  filter: TransactionFilter,
): Promise<TransactionTotal[]> {
  assertMay(actor, 'movement.read');
  const rows = await inOne<{
    currency: string;
    count: number;
    in: string;
    out: string;
    own: string;
    fees: string;
  }>(
    actor.merchantId,
    sql`
    SELECT currency, ${SUMS} FROM (${countedEntries(actor, filter)}) r GROUP BY currency
        ORDER BY 2 DESC, 1`,
  );
  const decimal = (digits: string): string => toDecimal(BigInt(digits));
  return rows.map((row) => ({
    currency: row.currency,
    count: row.count,
    in: decimal(row.in),
    out: decimal(row.out),
    own: decimal(row.own),
    fees: decimal(row.fees),
  }));
}

type Found = Row<
  'ledger_records',
  | 'id'
  | 'type'
  | 'status'
  | 'amount_minor'
  | 'currency'
  | 'created_at'
  | 'description'
  | 'sender_name'
  | 'from_wallet'
  | 'to_wallet'
  | 'ext_id'
> & {
  edge: string;
  kind: TransactionType;
  fees: bigint;
  way: Direction;
  state: Status;
  movement_id: string | null;
  movement_kind: string | null;
  payee: string | null;
  now: Date;
};

function toRow(row: Found): TransactionRow {
  return {
    id: row.id,
    type: row.kind,
    typeText: row.type,
    direction: row.way,
    status: row.state,
    statusText: row.status,
    amount: toDecimal(row.amount_minor),
    fee: toDecimal(row.fees),
    currency: row.currency,
    at: row.created_at.toISOString(),
    description: row.description,
    name: row.sender_name ?? row.payee,
    fromWallet: row.from_wallet,
    toWallet: row.to_wallet,
    extId: row.ext_id,
    movement: row.movement_id === null ? null : { id: row.movement_id, kind: row.movement_kind! },
  };
}

/** Whether a role may see third parties' data about a payee: the raw record and a sender's IBAN. */
export function seesWhole(actor: Person): boolean {
  return may(actor.role, 'payee.read');
}
