import type { Stop } from '#lib/send-control/stops.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';
import type { Closing } from '#lib/movements/closing.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import type { Decided } from './decided.ts';

/**
 * The data of a movement's page; `payee`, `taxNumber` and `found` are masked for people who may not
 * see them whole. JSON-safe: amounts are decimal text ('12400.00'), times ISO, ids text.
 */
export type MovementView = {
  id: string;
  kind: KindName;
  /**
   * The card payment of a card operation, which has no page of its own; null for every other kind.
   */
  cardPaymentId: string | null;
  extId: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  /** Who acknowledged the alert, when, and why. */
  alertSeen: { by: string; at: string; reason: string } | null;
  amount: string;
  currency: string;
  fee: string | null;
  wallet: string;
  /** An IBAN, or the number of the receiving wallet. */
  payee: string;
  bankName: string | null;
  name: string;
  /** The payee's tax number; empty for a transfer. */
  taxNumber: string;
  /**
   * How a person's wallet was found: the search key, and the masked name that the provider
   * returned. Null for every other payee.
   */
  found: { key: string; name: string | null } | null;
  /** The payee's telephone number of a card-balance payout; null for every other kind. */
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
  returnedAt: string | null;
  requestId: string | null;
  transactionId: string | null;
  reasonCode: string | null;
  reasonText: string | null;
  ledgerSeenAt: string | null;
  /** When the provider is queried next; null when it will not be. */
  nextLookAt: string | null;
  /** The database's clock at the read: countdowns start from it, not from the browser's clock. */
  now: string;
  /** The stop that defers a payout that is ready to be sent; null when none does. */
  stop: Pick<Stop, 'cause' | 'reason' | 'by' | 'since'> | null;
  /** It waits because its batch is paused or stopped. */
  isBatchHeld: boolean;
  /** The movement waits for a person's "send it" since a recovery. */
  waitsForPerson: boolean;
  /**
   * The movement may have been sent: this database shows no send, but the movement is older than a
   * recovery that cannot rule out that the restore lost one.
   */
  mayHaveLeft: boolean;
  sends: number;
  /** The requests that left and that the provider refused by its one-minute rule for an IBAN. */
  ibanWaits: number;
  notSentTries: number;
  retryOf: string | null;
  retriedBy: string | null;
  /** The saved recipient of the account that was paid; null when there is none. */
  recipientId: string | null;
  /** The row of a batch that it was made of; `name` is empty for pasted rows. */
  batch: { id: string; name: string; row: number } | null;
  /** The name of the API key with which it, or its batch, was made; null when by hand. */
  apiKey: string | null;
  receipt: { id: string; state: 'WAITING' | 'READY' | 'FAILED'; at: string | null } | null;
  timeline: TimelineEntry[];
  observations: SourceObservations;
  raw: { at: string; source: string; text: string }[];
  /**
   * How people may end the movement; null while a worker will end it, and for people who lack the
   * permission.
   */
  closing: Closing | null;
  /** The statements of people about it; null without any. */
  statements: SecondPersonView | null;
  /** Who has approved it, released it alone or sent it back. */
  decided: Decided;
  /** `decide`: to open the page on which the person approves it or sends it back. */
  can: { decide: boolean; ask: boolean; cancel: boolean; payAgain: boolean; acknowledge: boolean };
};

export type TimelineEntry = {
  at: string;
  source: 'person' | 'worker' | 'answer' | 'read' | 'ledger' | 'notice';
  kind: string;
  /** The outcome's kind: accepted, refused, unclear, duplicate, not_sent, found, … */
  outcome: string | null;
  why: string | null;
  hint: string | null;
  code: string | null;
  from: State;
  to: State;
};

export type SourceObservation = { says: string; why: string | null; at: string; times: number };
export type SourceObservations = {
  answer: SourceObservation | null;
  record: SourceObservation | null;
  ledger: SourceObservation | null;
  notice: SourceObservation | null;
};
