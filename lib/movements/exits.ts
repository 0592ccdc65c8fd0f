import { capabilitiesOf, kindOf, KIND_NAMES } from './kinds.ts';
import type { KindName } from './kinds.ts';
import { LEGAL, STATES } from './state.ts';
import type { State } from './state.ts';

/**
 * Every way out of every state, by kind: who can take the step, with which verb, and under which
 * condition. Pure. `docs/exits.md` is generated from it, and a test fails for a state that is not
 * final and has no exit.
 */

/** `verb`: the name of the product function that takes the step. */
export type Exit = { by: 'worker' | 'person' | 'two people'; verb: string; condition: string };

export type ExitKind = KindName | 'plan_charge' | 'card_charge';
export const EXIT_KINDS: readonly ExitKind[] = [...KIND_NAMES, 'plan_charge', 'card_charge'];

const PLAN_CHARGE_STATES = [
  'QUEUED',
  'SENDING',
  'APPROVED',
  'UNKNOWN',
  'CHARGED',
  'NOT_CHARGED',
] as const;
/**
 * A checkout as its page shows it: `open` before anything was sent, `sent` until its record is
 * found.
 */
const CARD_CHARGE_STATES = [
  'open',
  'sent',
  'pending',
  'held',
  'maybe_captured',
  'completed',
  'captured',
  'failed',
  'cancelled',
  'refunded',
  'partly_refunded',
  'charged_back',
] as const;
type PlanChargeState = (typeof PLAN_CHARGE_STATES)[number];
type CardChargeState = (typeof CARD_CHARGE_STATES)[number];

export function exitStates(kind: ExitKind): readonly string[] {
  if (kind === 'plan_charge') return PLAN_CHARGE_STATES;
  return kind === 'card_charge' ? CARD_CHARGE_STATES : STATES;
}

/**
 * Whether nothing is left to do or to find out. An authorization ends by an operation of its own; a
 * paid checkout stays paid.
 */
export function isEnd(kind: ExitKind, state: string): boolean {
  if (kind === 'plan_charge') return state === 'CHARGED' || state === 'NOT_CHARGED';
  if (kind === 'card_charge')
    return !['open', 'sent', 'pending', 'held', 'maybe_captured'].includes(state);
  return LEGAL[state as State].length === 0;
}

/** @throws Error for a state that this kind does not have */
export function exitsOf(kind: ExitKind, state: string): Exit[] {
  if (!exitStates(kind).includes(state)) throw new Error(`${kind} has no state ${state}`);
  if (isEnd(kind, state)) return [];
  if (kind === 'plan_charge') return planChargeExits(state as PlanChargeState);
  if (kind === 'card_charge') return cardChargeExits(state as CardChargeState);
  return movementExits(kind, state as State);
}

const by = (who: Exit['by'], verb: string, condition: string): Exit => ({
  by: who,
  verb,
  condition,
});
const CANCEL = by('person', 'cancelMovement', 'no worker holds it');
const READ = by('worker', 'advanceOne', 'the provider’s record says what became of it');

function movementExits(kind: KindName, state: State): Exit[] {
  switch (state) {
    case 'DRAFT':
      return [by('person', 'storeIntent', 'in the transaction that stores it'), CANCEL];
    case 'AWAITING_APPROVAL':
      return [
        by('person', 'approveMovement', 'of other people, as many as the policy asks for'),
        by('person', 'sendBackMovement', 'with a reason, by another than its maker'),
        by('worker', 'advanceOne', 'the approval has run out after 24 h'),
        CANCEL,
      ];
    case 'APPROVED':
      return [
        by('worker', 'advanceOne', 'sending is not stopped and nothing objects'),
        by('worker', 'advanceOne', 'who has approved it is disabled: it waits for others'),
        CANCEL,
      ];
    case 'SUBMITTING':
      return [by('worker', 'advanceOne', 'the answer is recorded, or its lease has run out')];
    case 'UNKNOWN':
      return unknownExits(kind);
    case 'PENDING':
    case 'MANUAL_REVIEW':
      return acceptedExits(kind);
    case 'COMPLETED':
    case 'REJECTED':
    case 'FAILED':
    case 'CANCELLED':
    case 'EXPIRED':
      return [];
  }
}

function unknownExits(kind: KindName): Exit[] {
  const { answersQuestions, knowsIds, record } = capabilitiesOf(kind);
  if (!answersQuestions) {
    return [
      by(
        'two people',
        'closeMovement',
        'taken, by the provider’s panel, once the quiet time is over',
      ),
      by('two people', 'closeMovement', 'not taken, 24 h after the first unclear moment'),
    ];
  }
  const resend = by(
    'worker',
    'advanceOne',
    'same id again: quiet time over, three clean reads, at most twice, within 24 h of the first unclear moment',
  );
  return [
    READ,
    ...(knowsIds ? [resend] : []),
    ...(record === 'payment' ? [unchangedExit(kind)] : [NOT_DONE]),
    ...CANNOT_SAY,
  ];
}

const NOT_DONE = by(
  'two people',
  'closeMovement',
  'not carried out: written answer, 24 h, the record read within the last minute does not know it',
);
const CANNOT_SAY = [
  by(
    'two people',
    'closeMovement',
    'carried out: written answer, 24 h, the record read within the last minute cannot say it',
  ),
  by(
    'two people',
    'closeMovement',
    'not carried out: written answer, 24 h, the record read within the last minute cannot say it',
  ),
];

function unchangedExit(kind: KindName): Exit {
  const condition =
    'not carried out: quiet time over, three clean reads, and the record read within the last minute is as before';
  return by(kindOf(kind).isHarmlessTwice ? 'person' : 'two people', 'closeMovement', condition);
}

function acceptedExits(kind: KindName): Exit[] {
  if (capabilitiesOf(kind).answersQuestions) return [READ, NOT_DONE, ...CANNOT_SAY];
  return [
    by('two people', 'closeMovement', 'paid, by a statement, once the quiet time is over'),
    by('two people', 'closeMovement', 'not paid, 24 h after it was accepted'),
  ];
}

function planChargeExits(state: PlanChargeState): Exit[] {
  const byStatement = by(
    'two people',
    'closePlanCharge',
    'charged or not charged: written answer, 24 h after the send, the plan’s record read within the last minute',
  );
  switch (state) {
    case 'QUEUED':
      return [
        by(
          'worker',
          'chargeOneDuePlan',
          'it is sent, or the press is too old and nothing was sent',
        ),
      ];
    case 'SENDING':
      return [by('worker', 'chargeOneDuePlan', 'the answer is recorded, or its lease has run out')];
    case 'APPROVED':
    case 'UNKNOWN':
      return [
        by('worker', 'verifyOneDuePlan', 'the plan’s record lists a new charge'),
        byStatement,
      ];
    case 'CHARGED':
    case 'NOT_CHARGED':
      return [];
  }
}

function cardChargeExits(state: CardChargeState): Exit[] {
  const read = by('worker', 'verifyOneDuePayment', 'the payment’s record says what became of it');
  const ask = by('person', 'askAboutPayment', 'the record is read again now');
  switch (state) {
    case 'open':
      return [by('person', 'chargeTypedCard', 'the payer’s card is asked for'), ask];
    case 'sent':
    case 'maybe_captured':
      return [read, ask];
    case 'pending':
      return [read, by('person', 'completeCharge', 'the bank has verified the card'), ask];
    case 'held':
      return [
        by('person', 'startCapture', 'the hold is not too old'),
        by('person', 'startVoid', 'it is still held'),
        read,
      ];
    case 'completed':
    case 'captured':
    case 'failed':
    case 'cancelled':
    case 'refunded':
    case 'partly_refunded':
    case 'charged_back':
      return [];
  }
}
