import type { ChargeState } from '#lib/providers/card/codes.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';

/**
 * A card payment as the gateway's records describe it, one after the other. Pure.
 *
 * The gateway has no list: a payment is known from a notice or from a pasted number, and only its
 * own record (`checkstatus`) says what became of it. A record is believed, unless it says of what
 * has ended that it has not, or names another amount than before: then what was known stays, and a
 * person is told.
 */

/**
 * `maybe_captured`: the record says completed and pre-authorization, and never said `held` before.
 * A brand without a word of its own for a hold writes the same of a mere hold (`assumed`), so
 * nobody knows whether the money was taken.
 */
export const PAYMENT_STATES = [
  'pending',
  'held',
  'maybe_captured',
  'completed',
  'captured',
  'failed',
  'cancelled',
  'partly_refunded',
  'refunded',
  'charged_back',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * `not_found`: the gateway knows no such order. `mismatch`: the record is of another amount.
 * `contradiction`: it denies what had ended.
 */
export type PaymentProblem = 'not_found' | 'no_answer' | 'mismatch' | 'contradiction';

/**
 * What is known of a payment. Amounts in minor units; null is not known. `card`: the last four
 * digits. Times in milliseconds.
 */
export type KnownPayment = {
  state: PaymentState | null;
  problem: PaymentProblem | null;
  amountMinor: bigint | null;
  chargedMinor: bigint | null;
  refundedMinor: bigint | null;
  card: string | null;
  orderId: string | null;
  transactionId: string | null;
  reason: string | null;
  settlesOn: string | null;
  planCode: string | null;
  refunds: { refundId: string; amountMinor: string; at: string | null; status: string | null }[];
  /**
   * When the sale's notice came, or the day that a person named; null where nobody knows the age of
   * a hold.
   */
  heldSince: number | null;
  /** The record once said `held`: from then on "completed" means that it was captured. */
  heldSeen: boolean;
  /** When the gateway last answered. */
  verifiedAt: number | null;
};

/** What a state may be followed by, beside itself. What is not here contradicts it. */
const FOLLOWS: Record<PaymentState, readonly PaymentState[]> = {
  pending: PAYMENT_STATES,
  held: ['completed', 'captured', 'cancelled', 'partly_refunded', 'refunded', 'charged_back'],
  maybe_captured: [
    'held',
    'completed',
    'captured',
    'cancelled',
    'partly_refunded',
    'refunded',
    'charged_back',
  ],
  completed: ['cancelled', 'partly_refunded', 'refunded', 'charged_back'],
  captured: ['cancelled', 'partly_refunded', 'refunded', 'charged_back'],
  partly_refunded: ['refunded', 'charged_back'],
  refunded: ['charged_back'],
  charged_back: [],
  // An invoice number is used up by its first end (117), whatever that was.
  failed: [],
  cancelled: [],
};

/** The payment after one look at its record. */
export function learn(known: KnownPayment, heard: RecordOutcome, at: number): KnownPayment {
  switch (heard.kind) {
    case 'no_answer':
      return heard.why === 'mismatch'
        ? { ...known, problem: 'mismatch', verifiedAt: at }
        : { ...known, problem: known.problem ?? 'no_answer' };
    case 'not_found':
      return {
        ...known,
        problem: known.state === null ? 'not_found' : 'contradiction',
        verifiedAt: at,
      };
    case 'found': {
      const state = stateOf(heard.state, known.heldSeen);
      const isDenied =
        known.state !== null && state !== known.state && !FOLLOWS[known.state].includes(state);
      const isLess =
        known.refundedMinor !== null &&
        heard.refundedMinor !== null &&
        heard.refundedMinor < known.refundedMinor;
      if (isDenied || isLess) return { ...known, problem: 'contradiction', verifiedAt: at };
      return {
        state,
        problem: null,
        amountMinor: known.amountMinor ?? heard.amountMinor,
        chargedMinor: heard.chargedMinor ?? known.chargedMinor,
        refundedMinor: heard.refundedMinor ?? known.refundedMinor,
        card: heard.card?.match(/[0-9]{4}$/)?.[0] ?? known.card,
        orderId: heard.orderId ?? known.orderId,
        transactionId: heard.transactionId ?? known.transactionId,
        reason: heard.reason,
        settlesOn: heard.settlesOn ?? known.settlesOn,
        planCode: heard.recurring?.planCode ?? known.planCode,
        refunds:
          heard.refunds.length === 0
            ? known.refunds
            : heard.refunds.map((refund) => ({
                ...refund,
                amountMinor: refund.amountMinor.toString(),
              })),
        // A record names no time: a hold may be of any age when it is first read.
        heldSince: known.heldSince,
        heldSeen: known.heldSeen || state === 'held',
        verifiedAt: at,
      };
    }
  }
}

function stateOf(said: ChargeState, heldSeen: boolean): PaymentState {
  if (said === 'captured') return heldSeen ? 'captured' : 'maybe_captured';
  return said === 'completed' && heldSeen ? 'captured' : said;
}

/** Whether a person would see a difference. */
export function differs(before: KnownPayment, after: KnownPayment): boolean {
  return (
    before.state !== after.state ||
    before.problem !== after.problem ||
    before.refundedMinor !== after.refundedMinor ||
    before.chargedMinor !== after.chargedMinor ||
    before.refunds.length !== after.refunds.length
  );
}
