import 'server-only';
import { may } from '#lib/access/actor.ts';
import { columns, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Column, RowPage, Scope, Source } from '#lib/exports/source.ts';
import { daysRange } from '#lib/values/dates.ts';
import { maskIban } from '#lib/values/iban.ts';
import { readTransactionQuery } from './filter.ts';
import type { TransactionFilter } from './filter.ts';
import {
  directionOf,
  FEES,
  LEDGER,
  MOVED,
  statusOf,
  transactionConditions,
  transactionOrder,
  typeOf,
} from './query.ts';

/**
 * The transaction report as rows of an export: the same conditions and order as on the screen. An
 * entry's time and amount never change at the provider, so no entry is on two pages. Entries first
 * read after the export was requested are excluded.
 */

const COLUMNS = [
  { key: 'id', kind: 'text', width: 22 },
  { key: 'created_at', kind: 'instant', width: 20 },
  { key: 'completed_at', kind: 'instant', width: 20 },
  { key: 'type', kind: 'code', width: 18 },
  { key: 'direction', kind: 'code', width: 22 },
  { key: 'status', kind: 'code', width: 16 },
  { key: 'amount', kind: 'minor', width: 16 },
  { key: 'currency', kind: 'text', width: 8 },
  { key: 'fee', kind: 'minor', width: 10 },
  { key: 'net', kind: 'minor', width: 16 },
  { key: 'name', kind: 'text', width: 28 },
  { key: 'sender_iban', kind: 'text', width: 30 },
  { key: 'description', kind: 'text', width: 32 },
  { key: 'from_wallet', kind: 'text', width: 14 },
  { key: 'to_wallet', kind: 'text', width: 14 },
  { key: 'reference', kind: 'text', width: 24 },
  { key: 'refers_to', kind: 'text', width: 22 },
  { key: 'receipt_number', kind: 'text', width: 16 },
  { key: 'group_id', kind: 'text', width: 22 },
  { key: 'channel', kind: 'text', width: 12 },
] as const satisfies readonly Column[];
const SENDER_IBAN = COLUMNS.findIndex(({ key }) => key === 'sender_iban');

export const transactionSource: Source<TransactionFilter> = {
  columns: COLUMNS,
  sum: { amount: 'net', currency: 'currency' },
  readFilter: (address) =>
    readTransactionQuery(
      Object.fromEntries(new URLSearchParams(address)),
      new Date().toISOString(),
      'en',
      env().timeZone,
    ).filter,
  count: async (scope) => {
    const [row] = await inTransaction(
      scope.merchantId,
      (tx) =>
        tx.$queryRaw<
          [{ count: number }]
        >`SELECT count(*)::int AS count FROM ${LEDGER} WHERE ${conditionsOf(scope)}`,
    );
    return row.count;
  },
  page: readPage,
};

const ENTRY = columns('ledger_records', [
  'id',
  'created_at',
  'completed_at',
  'status_id',
  'amount_minor',
  'received_minor',
  'currency',
  'receiver_fee_minor',
  'fee_minor',
  'returned_at',
  'sender_name',
  'sender_iban',
  'description',
  'to_description',
  'from_wallet',
  'to_wallet',
  'ext_id',
  'refers_to',
  'receipt_number',
  'group_id',
  'channel',
]);
const SENT = sql`-(r.amount_minor + r.fee_minor)`;
const ARRIVED = sql`coalesce(r.received_minor, r.amount_minor) - coalesce(r.receiver_fee_minor, 0)`;

/**
 * How an entry changed the balance in the days of the filter, fees included, by the rules of the
 * day close (`effects`): a transfer between own wallets changes the balance by its fees only. A
 * return that the ledger shows only by the entry's status counts on the day of the return.
 */
function netOf({ filter: { from, to }, asOf }: Scope<TransactionFilter>): Prisma.Sql {
  const range = daysRange({ from, to }, env().timeZone);
  return sql`CASE WHEN NOT ${MOVED} THEN 0 ELSE
    CASE r.way WHEN 'out' THEN ${SENT} WHEN 'in' THEN ${ARRIVED} ELSE ${SENT} + ${ARRIVED} END +
    CASE WHEN r.way = 'own' OR r.returned_at IS NULL OR r.returned_at < ${range.from}::timestamptz
      OR r.returned_at >= ${range.to}::timestamptz OR ${creditedBy(asOf)} THEN 0
      WHEN r.way = 'out' THEN r.amount_minor ELSE -r.amount_minor END END`;
}

/** Whether the return of an entry `r` has an entry of its own that the export does not exclude. */
function creditedBy(asOf: string): Prisma.Sql {
  return sql`EXISTS (SELECT FROM ledger_records c WHERE c.id <> r.id
    AND c.first_read_at <= ${asOf}::timestamptz
    AND c.status_id IN (20, 60) AND (c.refers_to = r.id OR c.ext_id = r.ext_id)
    AND CASE WHEN r.way = 'out' THEN c.to_wallet = coalesce(r.from_wallet, r.to_wallet)
      AND c.from_wallet IS DISTINCT FROM coalesce(r.from_wallet, r.to_wallet)
      ELSE c.from_wallet = r.to_wallet END)`;
}

async function readPage(
  scope: Scope<TransactionFilter>,
  after: string | null,
  rows: number,
): Promise<RowPage> {
  const { edge, beyond, order } = transactionOrder(
    scope.filter,
    after === null ? null : { side: 'after', edge: after },
  );
  const found = await inTransaction(
    scope.merchantId,
    (tx) => tx.$queryText`
    SELECT r.id, r.created_at, r.completed_at, r.kind, r.way, r.state,
      CASE r.way WHEN 'out' THEN -r.amount_minor ELSE r.amount_minor END, r.currency,
      ${FEES}, ${netOf(scope)},
        coalesce(r.sender_name, m.name), r.sender_iban, coalesce(r.description, r.to_description),
      r.from_wallet, r.to_wallet, r.ext_id, r.refers_to, r.receipt_number, r.group_id, r.channel, r.edge
    FROM (SELECT ${ENTRY.of('r')}, ${typeOf} AS kind, ${directionOf(scope.filter)} AS way, ${statusOf} AS state,
      ${edge} AS edge FROM ${LEDGER} WHERE ${conditionsOf(scope)} AND ${beyond} ORDER BY ${order}
      LIMIT ${rows}) r
    LEFT JOIN ledger_records back ON back.id = r.refers_to
      LEFT JOIN movements m ON m.ext_id = coalesce(r.ext_id, back.ext_id) ORDER BY ${order}`,
  );
  const next = found.length < rows ? null : (found.at(-1)?.[COLUMNS.length] ?? null);
  if (!may(scope.role, 'payee.read'))
    for (const row of found)
      row[SENDER_IBAN] = row[SENDER_IBAN] == null ? null : maskIban(row[SENDER_IBAN]);
  return { rows: found, next };
}

function conditionsOf({ filter, role, asOf }: Scope<TransactionFilter>): ReturnType<typeof sql> {
  return sql`${transactionConditions({ role }, filter)} AND r.first_read_at <= ${asOf}::timestamptz`;
}
