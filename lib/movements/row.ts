import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import type { CardPart } from './content-text.ts';
import type { KindName } from './kinds.ts';
import type { Alert, Movement, Returned, State } from './state.ts';

/** A movement row with our field names: the reducer's fields, the content and the queue fields. */
export type MovementRow = Movement & {
  id: string;
  name: string;
  taxNumber: string;
  toWallet: string | null;
  foundBy: string | null;
  foundName: string | null;
  paymentType: string;
  description: string;
  /** The card part of a card operation; null for all other kinds. */
  card: CardPart | null;
  /**
   * The payee's telephone number of a card-balance payout, digits only; null for all other kinds.
   */
  phone: string | null;
  contentHash: string;
  approvalsNeeded: number;
  makerId: string;
  makerIp: string | null;
  nextAt: number | null;
  lastHintAt: number | null;
  leaseToken: string | null;
  leaseUntil: number | null;
};

export const MOVEMENT = columns('movements', [
  'id',
  'kind',
  'state',
  'returned',
  'alert',
  'ext_id',
  'wallet',
  'iban',
  'name',
  'tax_number',
  'to_wallet',
  'found_by',
  'found_name',
  'amount_minor',
  'currency',
  'payment_type',
  'description',
  'card_payment_id',
  'phone',
  'content_hash',
  'approvals_needed',
  'maker_id',
  'maker_ip',
  'ever_ambiguous',
  'unclear_since',
  'duplicate_seen',
  'return_hinted',
  'sends',
  'iban_waits',
  'not_sent_tries',
  'not_found_reads',
  'last_send_at',
  'last_read_at',
  'watch_since',
  'state_since',
  'accepted_at',
  'ended_at',
  'returned_at',
  'request_id',
  'transaction_id',
  'fee_minor',
  'reason_code',
  'reason_text',
  'ledger_seen_at',
  'created_at',
  'next_at',
  'last_hint_at',
  'lease_token',
  'lease_until',
  'refund_ids_before',
  'invoice_id',
  'before_minor',
  'claim_failures',
  'retry_of',
  'overrides',
  'override_reason',
  'alert_seen_at',
  'alert_seen_reason',
]);

/** A row of `movements`, with its text columns narrowed to the values that we write. */
export type RawMovement = RowOf<
  typeof MOVEMENT,
  {
    kind: KindName;
    state: State;
    returned: Returned;
    alert: Alert | null;
    refund_ids_before: string[] | null;
    overrides: string[];
  }
>;

export function fromRaw(raw: RawMovement): MovementRow {
  return {
    id: raw.id,
    kind: raw.kind,
    state: raw.state,
    returned: raw.returned,
    alert: raw.alert,
    extId: raw.ext_id,
    wallet: raw.wallet,
    iban: raw.iban,
    name: raw.name,
    taxNumber: raw.tax_number,
    toWallet: raw.to_wallet,
    foundBy: raw.found_by,
    foundName: raw.found_name,
    amountMinor: raw.amount_minor,
    currency: raw.currency,
    paymentType: raw.payment_type,
    description: raw.description,
    card: cardOf(raw),
    phone: raw.phone,
    contentHash: raw.content_hash,
    approvalsNeeded: raw.approvals_needed,
    makerId: raw.maker_id,
    makerIp: raw.maker_ip,
    everAmbiguous: raw.ever_ambiguous,
    unclearSince: time(raw.unclear_since),
    duplicateSeen: raw.duplicate_seen,
    returnHinted: raw.return_hinted,
    sends: raw.sends,
    ibanWaits: raw.iban_waits,
    notSentTries: raw.not_sent_tries,
    notFoundReads: raw.not_found_reads,
    lastSendAt: time(raw.last_send_at),
    lastReadAt: time(raw.last_read_at),
    watchSince: time(raw.watch_since),
    stateSince: raw.state_since.getTime(),
    acceptedAt: time(raw.accepted_at),
    endedAt: time(raw.ended_at),
    returnedAt: time(raw.returned_at),
    requestId: raw.request_id,
    transactionId: raw.transaction_id,
    feeMinor: raw.fee_minor,
    reasonCode: raw.reason_code,
    reasonText: raw.reason_text,
    ledgerSeenAt: time(raw.ledger_seen_at),
    createdAt: raw.created_at.getTime(),
    nextAt: time(raw.next_at),
    lastHintAt: time(raw.last_hint_at),
    leaseToken: raw.lease_token,
    leaseUntil: time(raw.lease_until),
  };
}

/**
 * The card part of a movement; null when the movement is no operation on a card payment. The
 * database demands all of these columns or none.
 */
function cardOf(raw: RawMovement): CardPart | null {
  const { card_payment_id: paymentId, invoice_id: invoiceId, before_minor: beforeMinor } = raw;
  if (paymentId === null) return null;
  if (invoiceId === null || beforeMinor === null)
    throw new Error('a card operation without the number of its payment or the content before it');
  return { paymentId, invoiceId, beforeMinor, refundIdsBefore: raw.refund_ids_before };
}

function time(value: Date | null): number | null {
  return value === null ? null : value.getTime();
}

export async function findMovement(tx: Tx, id: string): Promise<MovementRow | null> {
  const [raw] = await tx.$queryRaw<
    RawMovement[]
  >`SELECT ${MOVEMENT} FROM movements WHERE id = ${id}::uuid`;
  return raw ? fromRaw(raw) : null;
}
