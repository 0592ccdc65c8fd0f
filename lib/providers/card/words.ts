/**
 * The card gateway in our own words. Amounts are bigint minor units (TRY, USD and EUR have two decimals), ids are exact text,
 * moments are the gateway's own text (Turkish local time without a zone, `published-weak`). `raw` is the body as heard without
 * card data, kept as evidence; `why` is a short id, never a text for people.
 */
import type { NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { ChargeState } from './codes.ts';

/** `is_3d` (`contract`): which ways to pay the merchant's contract with the gateway allows. */
export type PaymentMode = 'non_secure' | 'choice' | 'three_d' | 'branded' | 'unknown';

/** How far card data may come: `CARD_ENTRY`. */
export type CardEntry = 'off' | '3d' | 'all';

/** What a read of an order is compared with. */
export type ExpectedCharge = { invoiceId: string; amountMinor: bigint };

/** The gateway's own record of an order: the only witness that ends a card payment. */
export type ChargeRecord = {
  state: ChargeState;
  invoiceId: string;
  orderId: string | null;
  transactionId: string | null;
  /** What was ordered. */
  amountMinor: bigint;
  /** What was charged or is held, when the record says so: with commission, or after a partial capture, not the same. */
  chargedMinor: bigint | null;
  /** All refunds together; null when the record does not say. */
  refundedMinor: bigint | null;
  /** First six and last four digits at most. */
  card: string | null;
  /** The words for a failure, as the gateway or the bank wrote them: shown, never interpreted. */
  reason: string | null;
  settlesOn: string | null;
  recurring: { id: string | null; planCode: string; nextAt: string | null; status: string | null } | null;
};

/** The answer to "what became of this invoice?". */
export type RecordOutcome = { raw: string | null } & (({ kind: 'found' } & ChargeRecord) | { kind: 'not_found' } | { kind: 'no_answer'; why: string });

/** What every answer about money brings with it. */
export type Said = { raw: string | null; code: string | null; message: string | null };

/**
 * The ways in which a request about money ends without having been approved. `refused` is said of this request alone; `look`
 * proves nothing but that the record has to be read.
 */
export type NotApproved =
  | { kind: 'not_sent'; why: NotSentWhy }
  | { kind: 'unauthorized' }
  | { kind: 'refused'; code: string }
  | { kind: 'pending' }
  | { kind: 'look'; code: string }
  | { kind: 'unclear'; why: UnclearWhy };
