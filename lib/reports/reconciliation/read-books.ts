import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { Row, RowOf, Tx } from '#lib/runtime/db.ts';
import { IS_CARD_GATEWAY_KIND } from '#lib/movements/kind-sql.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import type { WithdrawalLevel } from '#lib/providers/wallet/types.ts';
import type { Books, Line, Ours, Request } from './books.ts';

/**
 * Reads the records for a day's comparison in parts: a page of our movements with every record that
 * names them, or a page of records without a movement of ours.
 */

export type Span = { from: Date; to: Date };

/** Every movement of ours that was sent on that day, or that a record of the day names. */
export async function movementsOf(tx: Tx, { from, to }: Span): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT a.movement_id AS id FROM attempts a JOIN movements m ON m.id = a.movement_id
      WHERE a.n = 1 AND a.at >= ${from} AND a.at < ${to} AND NOT ${IS_CARD_GATEWAY_KIND}
    UNION SELECT m.id FROM withdraw_records w JOIN movements m ON m.ext_id = w.ext_id
      WHERE w.created_at >= ${from} AND w.created_at < ${to}
    UNION SELECT m.id FROM ledger_records l JOIN movements m ON m.ext_id = l.ext_id
      WHERE l.created_at >= ${from} AND l.created_at < ${to}
    UNION SELECT m.id FROM ledger_records l JOIN movements m ON m.transaction_id = l.refers_to
      WHERE l.created_at >= ${from} AND l.created_at < ${to} AND l.direction = 'in'`;
  return rows.map((row) => row.id).sort();
}

/** These movements with every record of either listing that names them, of any day. */
export async function booksOf(tx: Tx, ids: readonly string[]): Promise<Books> {
  const rows = await tx.$queryRaw<FoundOurs[]>`
    SELECT m.id, m.ext_id, m.kind, m.state, m.returned, m.amount_minor, m.currency,
      nullif(m.iban, '') AS iban, m.to_wallet, m.transaction_id, m.accepted_at, m.ended_at,
      m.returned_at, m.state_since, a.at AS sent_at
    FROM movements m LEFT JOIN attempts a ON a.movement_id = m.id AND a.n = 1
      WHERE m.id = ANY(${[...ids]}::uuid[]) ORDER BY m.id`;
  const ours = rows.map(toOurs);
  const extIds = ours.map((one) => one.extId);
  const requests = await tx.$queryRaw<
    FoundRequest[]
  >`SELECT ${REQUEST.of('w')} FROM withdraw_records w WHERE w.ext_id = ANY(${extIds})`;
  const named = await tx.$queryRaw<
    FoundLine[]
  >`SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.ext_id = ANY(${extIds})`;
  const lines = await withReturns(
    tx,
    named,
    ours.flatMap((one) => one.transactionId ?? []),
  );
  return { ours, requests: requests.map(toRequest), lines };
}

/**
 * The day's withdraw requests that are not ours, and its debits that belong neither to a movement
 * of ours nor to a withdraw request.
 */
export async function foreignOf(
  tx: Tx,
  { from, to }: Span,
): Promise<{ requestIds: string[]; lineIds: string[] }> {
  const requests = await tx.$queryRaw<{ id: string }[]>`
    SELECT w.request_id AS id FROM withdraw_records w WHERE w.created_at >= ${from}
      AND w.created_at < ${to} AND NOT EXISTS (SELECT FROM movements m WHERE m.ext_id = w.ext_id)`;
  const lines = await tx.$queryRaw<Row<'ledger_records', 'id'>[]>`
    SELECT l.id FROM ledger_records l
    WHERE l.created_at >= ${from} AND l.created_at < ${to} AND l.direction = 'out'
      AND NOT EXISTS (SELECT FROM movements m WHERE m.ext_id = l.ext_id)
        AND NOT EXISTS (SELECT FROM movements m WHERE m.transaction_id = l.id)
      AND NOT EXISTS (SELECT FROM withdraw_records w WHERE w.ext_id = l.ext_id)
        AND NOT EXISTS (SELECT FROM withdraw_records w WHERE w.correlation_id = l.id)`;
  return {
    requestIds: requests.map((row) => row.id).sort(),
    lineIds: lines.map((row) => row.id).sort(),
  };
}

/** These withdraw requests that are not ours, with their ledger entries. */
export async function foreignRequests(tx: Tx, ids: readonly string[]): Promise<Books> {
  const requests = await tx.$queryRaw<
    FoundRequest[]
  >`SELECT ${REQUEST.of('w')} FROM withdraw_records w WHERE w.request_id = ANY(${[...ids]})`;
  const of = (pick: (row: FoundRequest) => string | null): string[] =>
    requests.flatMap((row) => pick(row) ?? []);
  const debits = await tx.$queryRaw<FoundLine[]>`
    SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.direction = 'out'
      AND (l.ext_id = ANY(${of((row) => row.ext_id)}) OR l.id = ANY(${of((row) => row.correlation_id)}))`;
  const lines = await withReturns(tx, debits, []);
  return { ours: [], requests: requests.map(toRequest), lines };
}

export async function foreignLines(tx: Tx, ids: readonly string[]): Promise<Books> {
  const debits = await tx.$queryRaw<
    FoundLine[]
  >`SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.id = ANY(${[...ids]})`;
  return { ours: [], requests: [], lines: await withReturns(tx, debits, []) };
}

/** These entries, and every incoming one that refers to them or to one of these numbers. */
async function withReturns(
  tx: Tx,
  found: readonly FoundLine[],
  numbers: readonly string[],
): Promise<Line[]> {
  const ids = [...numbers, ...found.map((line) => line.id)];
  const returned = await tx.$queryRaw<
    FoundLine[]
  >`SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.refers_to = ANY(${ids}) AND l.direction = 'in'`;
  const lines = new Map([...found, ...returned].map((line) => [line.id, toLine(line)]));
  return [...lines.values()];
}

const REQUEST = columns('withdraw_records', [
  'request_id',
  'ext_id',
  'correlation_id',
  'level',
  'amount_minor',
  'currency',
  'iban',
  'created_at',
  'updated_at',
]);
const LINE = columns('ledger_records', [
  'id',
  'ext_id',
  'group_id',
  'refers_to',
  'direction',
  'from_wallet',
  'to_wallet',
  'status_id',
  'amount_minor',
  'currency',
  'created_at',
  'completed_at',
]);

type FoundOurs = Row<
  'movements',
  | 'id'
  | 'ext_id'
  | 'kind'
  | 'state'
  | 'returned'
  | 'amount_minor'
  | 'currency'
  | 'to_wallet'
  | 'transaction_id'
  | 'accepted_at'
  | 'ended_at'
  | 'returned_at'
  | 'state_since',
  { state: State; returned: Returned }
> & { iban: string | null; sent_at: Date | null };
type FoundRequest = RowOf<typeof REQUEST, { level: WithdrawalLevel }>;
type FoundLine = RowOf<typeof LINE, { direction: 'in' | 'out' }>;

function toOurs(row: FoundOurs): Ours {
  return {
    id: row.id,
    extId: row.ext_id,
    kind: row.kind,
    state: row.state,
    returned: row.returned,
    amountMinor: row.amount_minor,
    currency: row.currency,
    iban: row.iban,
    toWallet: row.to_wallet,
    transactionId: row.transaction_id,
    sentAt: row.sent_at?.getTime() ?? null,
    acceptedAt: row.accepted_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    returnedAt: row.returned_at?.getTime() ?? null,
    stateSince: row.state_since.getTime(),
  };
}

function toRequest(row: FoundRequest): Request {
  return {
    requestId: row.request_id,
    extId: row.ext_id,
    correlationId: row.correlation_id,
    level: row.level,
    amountMinor: row.amount_minor,
    currency: row.currency,
    iban: row.iban,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at?.getTime() ?? null,
  };
}

function toLine(row: FoundLine): Line {
  return {
    id: row.id,
    extId: row.ext_id,
    groupId: row.group_id,
    refersTo: row.refers_to,
    direction: row.direction,
    fromWallet: row.from_wallet,
    toWallet: row.to_wallet,
    statusId: row.status_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    createdAt: row.created_at.getTime(),
    completedAt: row.completed_at?.getTime() ?? null,
  };
}
