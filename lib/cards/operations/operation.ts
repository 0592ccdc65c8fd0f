import { CAPTURE_LIFE_MS, HOLD_LIFE_MS } from '../payments/authorization.ts';
import { learn } from '../payments/payment.ts';
import type { KnownPayment, PaymentState } from '../payments/payment.ts';
import type { CardOperationKind } from '#lib/movements/kinds.ts';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/types.ts';
import { waitingMinor } from './proof.ts';

/**
 * What may be done with a card payment, judged by what was known of it and by its current record.
 * Pure. Both the action that starts an operation and the worker's check directly before the send
 * use this one function.
 */

export const OPERATIONS = ['capture', 'release', 'refund'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const KIND_OF: Readonly<Record<Operation, CardOperationKind>> = {
  capture: 'card_capture',
  release: 'card_release',
  refund: 'card_refund',
};

export function operationOf(kind: CardOperationKind): Operation {
  return OPERATIONS.find((one) => KIND_OF[one] === kind)!;
}

/**
 * Why an operation is not sent. `not_verified`: the gateway did not report the payment's current
 * state. `contradicted`: the payment's record has another amount, or denies an outcome that was
 * known. `not_held`: there is no authorization to capture or void. `not_taken`: there is no
 * captured amount to refund. `changed_elsewhere`: the last check still found an authorization or a
 * captured amount. `age_unknown`: a person has to enter the day of the authorization first.
 * `one_open`: another operation of this payment has not ended. `amount_invalid`: the amount is not
 * above zero.
 */
export const OPERATION_STOPS = [
  'amount_invalid',
  'reason_needed',
  'not_verified',
  'contradicted',
  'one_open',
  'changed_elsewhere',
  'not_held',
  'age_unknown',
  'too_old',
  'lapsed',
  'not_taken',
  'more_than_left',
] as const;
export type OperationStop = (typeof OPERATION_STOPS)[number];

/**
 * `leftMinor`: the amount that can be captured, voided or refunded. `beforeMinor`: the amount in
 * the record before the operation, either the authorized amount or the sum of all refunds so far.
 * Both in minor units. `refundIdsBefore`: the numbers of the refunds that the record lists; null
 * for an authorization.
 */
export type Standing = {
  leftMinor: bigint;
  beforeMinor: bigint;
  refundIdsBefore: readonly string[] | null;
};

/**
 * What is known of a payment. `capturedHereMinor`: what captures that were started here and are
 * completed have taken; null without any.
 */
export type KnownHere = KnownPayment & { capturedHereMinor?: bigint | null };

export type Judged = { kind: 'may'; standing: Standing } | { kind: 'stop'; why: OperationStop };

const TAKEN: readonly (PaymentState | null)[] = [
  'completed',
  'captured',
  'maybe_captured',
  'partly_refunded',
];

/**
 * Whether `operation` may be sent, and for which amount. `known`: the register's data; `record`:
 * what the gateway's record says now. Times in milliseconds.
 */
export function judge(
  operation: Operation,
  known: KnownHere,
  record: RecordOutcome,
  now: number,
): Judged {
  const stop = (why: OperationStop): Judged => ({ kind: 'stop', why });
  const after = learn(known, record, now);
  if (record.kind !== 'found')
    return stop(
      after.problem === 'mismatch' || after.problem === 'contradiction'
        ? 'contradicted'
        : 'not_verified',
    );
  if (after.problem !== null) return stop('contradicted');
  if (operation === 'refund') return judgeRefund(known, after, record);

  const age = known.heldSince === null ? null : now - known.heldSince;
  if (
    operation === 'capture' &&
    age !== null &&
    age >= HOLD_LIFE_MS &&
    ['held', 'cancelled'].includes(record.state)
  )
    return stop('lapsed');
  if (record.state !== 'held')
    return stop(known.state === 'held' ? 'changed_elsewhere' : 'not_held');
  if (operation === 'capture' && age === null) return stop('age_unknown');
  if (operation === 'capture' && age! >= CAPTURE_LIFE_MS) return stop('too_old');
  if (record.amountMinor === null) return stop('not_verified');
  return {
    kind: 'may',
    standing: {
      leftMinor: record.amountMinor,
      beforeMinor: record.chargedMinor ?? record.amountMinor,
      refundIdsBefore: null,
    },
  };
}

/**
 * The charged amount may be less than the ordered one (a partial capture) or more (a commission
 * that is not ours to refund); what was captured from here counts where the record names no charged
 * amount. Refunds that wait at the gateway are not in the record's total yet and may still be
 * carried out, so they are not left either.
 */
function judgeRefund(
  known: KnownHere,
  { state, amountMinor, chargedMinor, refundedMinor }: KnownPayment,
  { refunds, chargedMinor: named }: ChargeRecord,
): Judged {
  if (!TAKEN.includes(state))
    return { kind: 'stop', why: TAKEN.includes(known.state) ? 'changed_elsewhere' : 'not_taken' };
  if (amountMinor === null || refundedMinor === null) return { kind: 'stop', why: 'not_verified' };
  const capturedHere = named === null ? (known.capturedHereMinor ?? null) : null;
  const taken = [chargedMinor, capturedHere].reduce(
    (least: bigint, minor) => (minor !== null && minor < least ? minor : least),
    amountMinor,
  );
  const givenBack = refundedMinor + waitingMinor(refunds);
  return {
    kind: 'may',
    standing: {
      leftMinor: taken > givenBack ? taken - givenBack : 0n,
      beforeMinor: refundedMinor,
      refundIdsBefore: refunds.map((row) => row.refundId),
    },
  };
}
