import { answer, lateAnswer, unknown } from './answer-evidence.ts';
import { withAlert, journaled, cleared } from './alert.ts';
import { ledger } from './ledger-evidence.ts';
import { capabilitiesOf } from './kinds.ts';
import { completed, read } from './read-evidence.ts';
import { isFinal, LEGAL, NEVER_SENT } from './state.ts';
import type { Evidence, Hint, Movement, State } from './state.ts';

/**
 * The only function that says what evidence proves. Pure: `(movement, evidence, at) → movement`.
 * The web, the worker and the simulator import this file. Rules: docs/money-rules.md, "Steps".
 */

/** States that no longer wait for a first response: alerts about missing responses end here. */
const SETTLED: readonly State[] = [
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
];
/** The only state in which a person takes a step, where others lead to the same state. */
const ONLY_FROM: Partial<Record<Evidence['kind'], State>> = {
  submitted: 'DRAFT',
  approved: 'AWAITING_APPROVAL',
  sent_back: 'AWAITING_APPROVAL',
};
/** States of a movement that was or may have been sent and has not ended. */
const WATCHED: readonly State[] = ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];
/**
 * Stored reason code of a movement that people ended (two of them; one for an authorization)
 * instead of a provider record. Never overwritten.
 */
export const PEOPLE_SAID = 'people_said';

/**
 * Returns the movement as the evidence leaves it; evidence that proves nothing changes counters at
 * most.
 *
 * @throws Error when a claim or a person takes a step that is not legal in this state
 */
export function reduce(movement: Movement, evidence: Evidence, at: number): Movement {
  const next = consider(movement, evidence, at);
  const decided = evidence.kind === 'claimed' || evidence.source === 'person';
  if (next.state === movement.state && !decided) return next;
  const isLegal =
    LEGAL[movement.state].includes(next.state) &&
    (ONLY_FROM[evidence.kind] ?? movement.state) === movement.state;
  if (!isLegal)
    throw new Error(`illegal step ${movement.state} → ${next.state} by ${evidence.kind}`);
  return {
    ...next,
    stateSince: at,
    endedAt: isFinal(next.state) ? at : next.endedAt,
    alert: SETTLED.includes(next.state) ? cleared(next.alert) : next.alert,
  };
}

function consider(movement: Movement, evidence: Evidence, at: number): Movement {
  switch (evidence.kind) {
    case 'claimed':
      return {
        ...movement,
        state: 'SUBMITTING',
        sends: movement.sends + 1,
        lastSendAt: at,
        notFoundReads: 0,
      };
    case 'lease_expired':
      return movement.state === 'SUBMITTING' ? unknown(movement, at) : movement;
    case 'pending_too_long':
      return movement.state === 'PENDING' ? { ...movement, state: 'MANUAL_REVIEW' } : movement;
    case 'approval_expired':
      return movement.state === 'AWAITING_APPROVAL' ? { ...movement, state: 'EXPIRED' } : movement;
    case 'approvals_missing':
    case 'approvals_lapsed':
    case 'earlier_may_be_paid':
      return movement.state === 'APPROVED' ? keptBack(movement, evidence.kind) : movement;
    case 'return_unconfirmed':
      return movement.returned === 'REPORTED'
        ? {
            ...movement,
            returned: 'NONE',
            alert: withAlert(movement.alert, 'return_not_confirmed'),
          }
        : movement;
    case 'answer':
      return movement.state === 'SUBMITTING' && !evidence.late
        ? answer(journaled(movement, evidence.outcome), evidence.outcome, at)
        : lateAnswer(movement, evidence.outcome, at);
    case 'read':
      return read(withReadTime(movement, evidence, at), evidence, at);
    case 'ledger':
      return ledger(withReadTime(movement, evidence, at), evidence.outcome, at);
    case 'notice':
      return notice(movement, evidence.hint, at);
    case 'submitted':
      return { ...movement, state: 'AWAITING_APPROVAL' };
    case 'approved':
      return { ...movement, state: 'APPROVED' };
    case 'edited':
      return { ...movement, state: 'DRAFT' };
    case 'cancelled':
    case 'sent_back':
      return { ...movement, state: 'CANCELLED' };
    case 'resolved_accepted':
      return !capabilitiesOf(movement.kind).answersQuestions && movement.state === 'UNKNOWN'
        ? { ...movement, state: 'PENDING', acceptedAt: at, watchSince: at }
        : movement;
    case 'resolved_done':
      return WATCHED.includes(movement.state)
        ? { ...completed(movement, at), reasonCode: PEOPLE_SAID }
        : movement;
    case 'resolved_not_sent':
      // People may end a movement whose outcome the provider does not report, but they cannot
      // overrule the provider's record: a contradiction stays, and so does the lock on "pay again".
      return WATCHED.includes(movement.state)
        ? {
            ...movement,
            state: 'FAILED',
            reasonCode: PEOPLE_SAID,
            alert: movement.alert === 'contradiction' ? 'contradiction' : null,
          }
        : movement;
  }
}

/** Lapsed approvals are requested again; anything else that keeps it from leaving raises an alert. */
function keptBack(
  movement: Movement,
  why: 'approvals_missing' | 'approvals_lapsed' | 'earlier_may_be_paid',
): Movement {
  return why === 'approvals_lapsed'
    ? { ...movement, state: 'AWAITING_APPROVAL', alert: cleared(movement.alert) }
    : { ...movement, alert: withAlert(movement.alert, why) };
}

/**
 * Records the time of a read, which "pay again" requires to be fresh: the provider answered a query
 * that was sent just now, whatever the answer.
 */
function withReadTime(
  movement: Movement,
  { outcome, late }: Extract<Evidence, { kind: 'read' | 'ledger' }>,
  at: number,
): Movement {
  return outcome.kind === 'no_answer' || late ? movement : { ...movement, lastReadAt: at };
}
/**
 * A webhook is a hint: it never ends, fails or returns a movement by itself. A reported return
 * locks "pay again" until the ledger answers.
 */
function notice(movement: Movement, hint: Hint, at: number): Movement {
  // The sender of the webhook knows our reference, so earlier "not found" reads no longer count.
  const next = movement.notFoundReads > 0 ? { ...movement, notFoundReads: 0 } : movement;
  if (hint !== 'refunded' || movement.returned !== 'NONE' || NEVER_SENT.includes(movement.state))
    return next;
  const { answersQuestions, keepsLedger } = capabilitiesOf(movement.kind);
  // Without a ledger to confirm or deny it, a reported return would stay reported for ever. Where
  // nothing can be queried either, the webhook alone says that the money came back: people look.
  const isEnded = isFinal(movement.state) && movement.state !== 'COMPLETED';
  if (!keepsLedger && (answersQuestions || isEnded)) return next;
  if (!keepsLedger)
    return {
      ...next,
      returnHinted: true,
      alert: withAlert(next.alert, 'return_not_confirmed'),
    };
  if (movement.state === 'COMPLETED')
    return { ...next, returned: 'REPORTED', returnedAt: at, watchSince: at };
  return isFinal(movement.state) ? next : { ...next, returnHinted: true };
}
