import 'server-only';
import type { CardPart } from './content-text.ts';
import type { Alert, Movement, Refund, State } from './state.ts';

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
  /** Only of a card operation; null for all other kinds. */
  card: CardPart | null;
  /** Only of a card-balance payout, digits only; null for all other kinds. */
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

/** The columns of `movements` as the driver gives them. */
export type RawMovement = Record<string, unknown> & { id: string };

export function fromRaw(raw: RawMovement): MovementRow {
  return {
    id: raw.id,
    rail: raw.rail as string,
    state: raw.state as State,
    refund: raw.refund as Refund,
    attention: raw.attention as Alert | null,
    extId: raw.ext_id as string,
    wallet: raw.wallet as string,
    iban: raw.iban as string,
    name: raw.name as string,
    taxNumber: raw.tax_number as string,
    toWallet: raw.to_wallet as string | null,
    foundBy: raw.found_by as string | null,
    foundName: raw.found_name as string | null,
    amountMinor: raw.amount_minor as bigint,
    currency: raw.currency as string,
    paymentType: raw.payment_type as string,
    description: raw.description as string,
    card: raw.card_payment_id === null ? null : cardOf(raw),
    phone: raw.phone as string | null,
    contentHash: raw.content_hash as string,
    approvalsNeeded: raw.approvals_needed as number,
    makerId: raw.maker_id as string,
    makerIp: raw.maker_ip as string | null,
    everAmbiguous: raw.ever_ambiguous as boolean,
    unclearSince: time(raw.unclear_since),
    duplicateSeen: raw.duplicate_seen as boolean,
    refundHinted: raw.refund_hinted as boolean,
    sends: raw.sends as number,
    ibanWaits: raw.iban_waits as number,
    notSentTries: raw.not_sent_tries as number,
    notFoundReads: raw.not_found_reads as number,
    lastSendAt: time(raw.last_send_at),
    lastReadAt: time(raw.last_read_at),
    watchSince: time(raw.watch_since),
    stateSince: time(raw.state_since) ?? 0,
    acceptedAt: time(raw.accepted_at),
    endedAt: time(raw.ended_at),
    refundAt: time(raw.refund_at),
    requestId: raw.request_id as string | null,
    transactionId: raw.transaction_id as string | null,
    feeMinor: raw.fee_minor as bigint | null,
    reasonCode: raw.reason_code as string | null,
    reasonText: raw.reason_text as string | null,
    ledgerSeenAt: time(raw.ledger_seen_at),
    createdAt: time(raw.created_at) ?? 0,
    nextAt: time(raw.next_at),
    lastHintAt: time(raw.last_hint_at),
    leaseToken: raw.lease_token as string | null,
    leaseUntil: time(raw.lease_until),
  };
}

function cardOf(raw: RawMovement): CardPart {
  const refundIdsBefore = raw.refund_ids_before as string[] | null;
  return {
    paymentId: raw.card_payment_id as string,
    invoiceId: raw.invoice_id as string,
    beforeMinor: raw.before_minor as bigint,
    refundIdsBefore,
  };
}

function time(value: unknown): number | null {
  return value instanceof Date ? value.getTime() : null;
}
