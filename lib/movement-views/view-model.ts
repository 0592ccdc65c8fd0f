import type { Stop } from '#lib/send-control/stops.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';
import type { Closing } from '#lib/movements/closing.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import type { Alert, Refund, State } from '#lib/movements/state.ts';

/**
 * What a movement's page shows; `payee`, `taxNumber` and `found` are masked for people who may not
 * see them whole. JSON-safe: amounts are decimal text ('12400.00'), times ISO, ids text.
 */
export type MovementView = {
  id: string;
  rail: KindName;
  /** Of what is done with a card payment, which has no page of its own: the payment. */
  cardPaymentId: string | null;
  extId: string;
  state: State;
  refund: Refund;
  attention: Alert | null;
  /** Who has seen the flag, and what came of it. */
  attentionSeen: { by: string; at: string; reason: string } | null;
  amount: string;
  currency: string;
  fee: string | null;
  wallet: string;
  /** An IBAN, or the number of the wallet that receives. */
  payee: string;
  bankName: string | null;
  name: string;
  /** Empty for a transfer. */
  taxNumber: string;
  /** Of a person's wallet: by what it was found, and the masked name that the provider answered. */
  found: { key: string; name: string | null } | null;
  /** Of a cashout alone. */
  phone: string | null;
  paymentType: string;
  description: string;
  overrides: string[];
  overrideReason: string | null;
  maker: string;
  createdAt: string;
  stateSince: string;
  lastSendAt: string | null;
  acceptedAt: string | null;
  endedAt: string | null;
  refundAt: string | null;
  requestId: string | null;
  transactionId: string | null;
  reasonCode: string | null;
  reasonText: string | null;
  ledgerSeenAt: string | null;
  /** When the provider is asked next; null when it is not. */
  nextLookAt: string | null;
  /**
   * The database's clock when this was read: countdowns start from it, not from the browser's
   * clock.
   */
  now: string;
  /** What keeps a payout that is ready to leave; null when nothing does. */
  heldBy: Pick<Stop, 'cause' | 'reason' | 'by' | 'since'> | null;
  /** It waits for a person's "send it" since a recovery. */
  waitsForPerson: boolean;
  /**
   * Not sent as far as this database knows, but older than a recovery: it may have left in the time
   * that was lost.
   */
  mayHaveLeft: boolean;
  sends: number;
  notSentTries: number;
  retryOf: string | null;
  retriedBy: string | null;
  /** The saved recipient whose account this went to; null when it is nobody's. */
  recipientId: string | null;
  receipt: { id: string; state: 'WAITING' | 'READY' | 'FAILED'; at: string | null } | null;
  timeline: TimelineEntry[];
  witnesses: Witnesses;
  raw: { at: string; witness: string; text: string }[];
  /** How people may end it; null while a machine goes on, and for whoever may not. */
  closing: Closing | null;
  /** What people said of it; null when nobody did. */
  said: SecondPersonView | null;
  can: { ask: boolean; cancel: boolean; payAgain: boolean; acknowledge: boolean };
};

export type TimelineEntry = {
  at: string;
  witness: 'person' | 'worker' | 'answer' | 'read' | 'ledger' | 'notice';
  kind: string;
  /** The outcome's kind: accepted, refused, unclear, duplicate, not_sent, found, … */
  outcome: string | null;
  why: string | null;
  hint: string | null;
  code: string | null;
  from: State;
  to: State;
};

export type Witness = { says: string; why: string | null; at: string; times: number };
export type Witnesses = {
  answer: Witness | null;
  record: Witness | null;
  ledger: Witness | null;
  notice: Witness | null;
};
