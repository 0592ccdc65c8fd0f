import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Direction, Status, TransactionType } from './filter.ts';
import { seesWhole } from './list.ts';
import { directionOf, LEDGER, statusOf, typeOf } from './query.ts';

/**
 * A ledger entry in full. Amounts are decimal text without a sign, times ISO; fields that the
 * provider omitted are null.
 */
export type TransactionView = {
  id: string;
  type: TransactionType;
  typeText: string | null;
  direction: Direction;
  status: Status;
  statusText: string | null;
  resultCode: string | null;
  amount: string;
  fee: string;
  total: string | null;
  received: string | null;
  receiverFee: string | null;
  currency: string;
  extId: string | null;
  groupId: string | null;
  refersTo: string | null;
  receiptNumber: string | null;
  channel: string | null;
  source: string | null;
  fromWallet: string | null;
  toWallet: string | null;
  fromAccount: string | null;
  toAccount: string | null;
  description: string | null;
  fromDescription: string | null;
  toDescription: string | null;
  senderName: string | null;
  senderIban: string | null;
  createdAt: string;
  updatedAt: string | null;
  completedAt: string | null;
  postedAt: string | null;
  readAt: string;
  movement: { id: string; kind: string; name: string } | null;
  /**
   * The record as received, its numbers with every digit; null without the permission for payees'
   * numbers.
   */
  raw: string | null;
  now: string;
};

const ENTRY = columns('ledger_records', [
  'id',
  'currency',
  'raw',
  'type',
  'status',
  'result_code',
  'ext_id',
  'group_id',
  'refers_to',
  'receipt_number',
  'channel',
  'source',
  'from_wallet',
  'to_wallet',
  'from_account',
  'to_account',
  'description',
  'from_description',
  'to_description',
  'sender_name',
  'sender_iban',
  'amount_minor',
  'fee_minor',
  'total_minor',
  'received_minor',
  'receiver_fee_minor',
  'created_at',
  'read_at',
  'updated_at',
  'completed_at',
  'posted_at',
]);
type Found = RowOf<typeof ENTRY> & {
  kind: TransactionType;
  way: Direction;
  state: Status;
  movement_id: string | null;
  movement_kind: string | null;
  payee: string | null;
  now: Date;
};

/**
 * One entry by the ledger's id, relative to all own wallets together; null when the mirror has no
 * entry with that id.
 */
export async function viewTransaction(actor: Person, id: string): Promise<TransactionView | null> {
  assertMay(actor, 'movement.read');
  const [row] = await inOne<Found>(
    actor.merchantId,
    sql`
    SELECT ${ENTRY.of('r')}, ${typeOf} AS kind, ${directionOf({ wallet: null })} AS way, ${statusOf} AS state,
      m.id AS movement_id, m.kind AS movement_kind, m.name AS payee, clock_timestamp() AS now
    FROM ${LEDGER} LEFT JOIN ledger_records back ON back.id = r.refers_to
      LEFT JOIN movements m ON m.ext_id = coalesce(r.ext_id, back.ext_id) WHERE r.id = ${id}`,
  );
  if (row === undefined) return null;
  const whole = seesWhole(actor);
  const money = (minor: bigint | null): string | null => (minor === null ? null : toDecimal(minor));
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    id: row.id,
    type: row.kind,
    typeText: row.type,
    direction: row.way,
    status: row.state,
    statusText: row.status,
    resultCode: row.result_code,
    amount: toDecimal(row.amount_minor),
    fee: toDecimal(row.fee_minor),
    total: money(row.total_minor),
    received: money(row.received_minor),
    receiverFee: money(row.receiver_fee_minor),
    currency: row.currency,
    extId: row.ext_id,
    groupId: row.group_id,
    refersTo: row.refers_to,
    receiptNumber: row.receipt_number,
    channel: row.channel,
    source: row.source,
    fromWallet: row.from_wallet,
    toWallet: row.to_wallet,
    fromAccount: row.from_account,
    toAccount: row.to_account,
    description: row.description,
    fromDescription: row.from_description,
    toDescription: row.to_description,
    senderName: row.sender_name,
    senderIban: row.sender_iban === null || whole ? row.sender_iban : maskIban(row.sender_iban),
    createdAt: row.created_at.toISOString(),
    updatedAt: time(row.updated_at),
    completedAt: time(row.completed_at),
    postedAt: time(row.posted_at),
    readAt: row.read_at.toISOString(),
    movement:
      row.movement_id === null
        ? null
        : { id: row.movement_id, kind: row.movement_kind!, name: row.payee! },
    raw: whole ? row.raw : null,
    now: row.now.toISOString(),
  };
}
