import type { ChargeState } from '#lib/providers/card/codes.ts';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/types.ts';
import { storableFields } from '#lib/runtime/stored-text.ts';

/**
 * A card payment as successive records of the gateway describe it. Pure.
 *
 * The gateway has no list: a payment is known from a webhook or from a pasted number, and only its
 * own record (`checkstatus`) decides its state. A record is believed, unless it denies that a
 * finished payment has finished, or has another amount than before: then the known state stays, and
 * an alert is raised.
 */

/**
 * `maybe_captured`: the record says completed and pre-authorization, and never said `held` before.
 * A brand without a status of its own for an authorization reports the same for a mere
 * authorization (`assumed`), so it is unknown whether the money was captured.
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
 * `not_found`: the gateway has no such order. `mismatch`: the record has another amount.
 * `contradiction`: it denies that a finished payment has finished.
 */
export type PaymentProblem = 'not_found' | 'no_answer' | 'mismatch' | 'contradiction';

/**
 * The known state of a payment. Amounts in minor units; null means unknown. `card`: the last four
 * digits. Times in milliseconds.
 */
export type KnownPayment = {
  state: PaymentState | null;
  problem: PaymentProblem | null;
  amountMinor: bigint | null;
  /**
   * The charged or authorized amount. Once money was taken and it was less than `amountMinor`: what
   * was captured, without the buyer's commission.
   */
  chargedMinor: bigint | null;
  refundedMinor: bigint | null;
  card: string | null;
  orderId: string | null;
  transactionId: string | null;
  reason: string | null;
  settlesOn: string | null;
  installments: number | null;
  /** What the gateway keeps of the merchant's money. */
  commissionMinor: bigint | null;
  planCode: string | null;
  refunds: { refundId: string; amountMinor: string; at: string | null; status: string | null }[];
  /**
   * When the sale's webhook came, or the day that a person entered; null when the age of an
   * authorization is unknown.
   */
  heldSince: number | null;
  /** The record once said `held`: from then on "completed" means that it was captured. */
  heldSeen: boolean;
  /** When the gateway last answered. */
  verifiedAt: number | null;
};

/** The allowed state transitions, besides staying the same. Any other one is a contradiction. */
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
  // An invoice number that has had any outcome cannot be used again (code 117).
  failed: [],
  cancelled: [],
};

/** The payment after one reading of its record. */
export function learn(known: KnownPayment, answer: RecordOutcome, at: number): KnownPayment {
  switch (answer.kind) {
    case 'no_answer':
      return answer.why === 'mismatch'
        ? { ...known, problem: 'mismatch', verifiedAt: at }
        : { ...known, problem: known.problem ?? 'no_answer' };
    case 'not_found':
      return { ...known, problem: withoutRecord(known), verifiedAt: at };
    case 'found': {
      // One text that the database cannot hold would keep the whole record from being stored, and
      // its payment unverified for ever.
      const record = { ...storableFields(answer), refunds: answer.refunds.map(storableFields) };
      const state = stateOf(record.state, known.heldSeen);
      const isDenied =
        known.state !== null && state !== known.state && !FOLLOWS[known.state].includes(state);
      const isLess =
        known.refundedMinor !== null &&
        record.refundedMinor !== null &&
        record.refundedMinor < known.refundedMinor;
      if (isDenied || isLess) return { ...known, problem: 'contradiction', verifiedAt: at };
      return {
        state,
        problem: null,
        amountMinor: known.amountMinor ?? record.amountMinor,
        chargedMinor: chargedIn(known, record, state),
        refundedMinor: record.refundedMinor ?? known.refundedMinor,
        card: record.card?.match(/[0-9]{4}$/)?.[0] ?? known.card,
        orderId: record.orderId ?? known.orderId,
        transactionId: record.transactionId ?? known.transactionId,
        reason: record.reason,
        settlesOn: record.settlesOn ?? known.settlesOn,
        installments: record.installments ?? known.installments,
        commissionMinor: record.commissionMinor ?? known.commissionMinor,
        planCode: record.recurring?.planCode ?? known.planCode,
        refunds:
          record.refunds.length === 0
            ? known.refunds
            : record.refunds.map((refund) => ({
                ...refund,
                amountMinor: refund.amountMinor.toString(),
              })),
        // A record has no time: when it is first read, an authorization may have any age.
        heldSince: known.heldSince,
        heldSeen: known.heldSeen || state === 'held',
        verifiedAt: at,
      };
    }
  }
}

const MAY_BE_TAKEN: readonly (PaymentState | null)[] = [
  'maybe_captured',
  'completed',
  'captured',
  'partly_refunded',
  'refunded',
  'charged_back',
];

/**
 * The charged amount after this record. The record's own includes the commission that the buyer
 * pays (`assumed`), which cannot be refunded: of a partial capture only what was captured is kept.
 * An authorized amount that was read proves whether the commission is in the amounts: by as much as
 * it was above the ordered amount. Only without one is the named commission subtracted. What was
 * captured never grows.
 */
function chargedIn(
  known: KnownPayment,
  { chargedMinor: charged, amountMinor, buyerCommissionMinor }: ChargeRecord,
  state: PaymentState,
): bigint | null {
  const earlier = known.chargedMinor;
  if (charged === null) return earlier;
  const ordered = known.amountMinor ?? amountMinor;
  if (ordered === null || !MAY_BE_TAKEN.includes(state)) return charged;
  const above = earlier !== null && earlier > ordered ? earlier - ordered : 0n;
  const named = buyerCommissionMinor ?? 0n;
  const isProven = known.heldSeen && earlier !== null;
  const commission = isProven || above > named ? above : named;
  // A sale is always of the ordered amount: a charged amount that equals it has no commission in it.
  const isWhole = charged === ordered && isSale(known, state);
  const captured = isWhole || commission >= charged ? charged : charged - commission;
  if (earlier !== null && earlier < captured && MAY_BE_TAKEN.includes(known.state)) return earlier;
  return captured < ordered ? captured : charged;
}

/** Whether the money was taken at once, as far as is known, and not by a capture. */
function isSale(known: KnownPayment, state: PaymentState): boolean {
  return !known.heldSeen && known.state !== 'maybe_captured' && state !== 'maybe_captured';
}

/** A failed payment and one that the gateway does not know are both unpaid. */
function withoutRecord({ state, problem }: KnownPayment): PaymentProblem | null {
  if (state === null) return 'not_found';
  if (state !== 'failed') return 'contradiction';
  return problem === 'no_answer' ? null : problem;
}

function stateOf(recorded: ChargeState, heldSeen: boolean): PaymentState {
  if (recorded === 'captured') return heldSeen ? 'captured' : 'maybe_captured';
  return recorded === 'completed' && heldSeen ? 'captured' : recorded;
}

/**
 * Whether a reading changed the state, the problem, the charged amount or the refunds of a payment.
 */
export function differs(before: KnownPayment, after: KnownPayment): boolean {
  return (
    before.state !== after.state ||
    before.problem !== after.problem ||
    before.refundedMinor !== after.refundedMinor ||
    before.chargedMinor !== after.chargedMinor ||
    before.refunds.length !== after.refunds.length
  );
}
