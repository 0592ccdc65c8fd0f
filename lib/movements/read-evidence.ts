import type { ReadOutcome } from '../providers/outcome.ts';
import { withAlert } from './alert.ts';
import { posted } from './ledger-evidence.ts';
import { capabilitiesOf } from './kinds.ts';
import { isFinal, NEVER_SENT } from './state.ts';
import type { Evidence, Movement, State } from './state.ts';

const LEVEL_STATE = {
  pending: 'PENDING',
  completed: 'COMPLETED',
  rejected: 'REJECTED',
  failed: 'FAILED',
} as const satisfies Record<string, State>;

type Recorded = {
  outcome: Extract<ReadOutcome, { kind: 'found' }>;
  claimed: (typeof LEVEL_STATE)[keyof typeof LEVEL_STATE] | 'MANUAL_REVIEW';
  /** The record may belong to an earlier request. */
  isLate: boolean;
  /** Earlier requests may be missing from `sends`. */
  isRestored: boolean;
};

/**
 * What the provider's own record proves. No other evidence of the provider completes a movement.
 */
export function read(
  movement: Movement,
  { outcome, late, mayArrive, restored }: Extract<Evidence, { kind: 'read' }>,
  at: number,
): Movement {
  const final = isFinal(movement.state);
  // Another number under our reference is another request, a sign of a second execution. A card
  // payment's record carries the payment's number instead.
  const isNumbered =
    capabilitiesOf(movement.kind).keepsLedger &&
    outcome.kind === 'found' &&
    outcome.line?.double !== true;
  const isOther =
    isNumbered && movement.requestId !== null && movement.requestId !== outcome.requestId;
  if (isOther || (outcome.kind === 'no_answer' && outcome.why === 'mismatch'))
    return {
      ...movement,
      alert: withAlert(movement.alert, final ? 'contradiction' : 'mismatch'),
    };
  if (outcome.kind === 'no_answer') return movement;
  // A late "not found" may have been queried before the last send, so it does not count.
  if (outcome.kind === 'not_found')
    return late ? movement : { ...movement, notFoundReads: movement.notFoundReads + 1 };

  const claimed =
    outcome.level === 'pending' && outcome.manual ? 'MANUAL_REVIEW' : LEVEL_STATE[outcome.level];
  if (final)
    return contradicts(movement.state, claimed)
      ? { ...movement, alert: withAlert(movement.alert, 'contradiction') }
      : movement;
  // The provider has a record of a movement that was never sent from here: the database was
  // restored and has lost the send.
  if (NEVER_SENT.includes(movement.state))
    return { ...movement, alert: withAlert(movement.alert, 'contradiction') };
  if (
    movement.state !== 'UNKNOWN' &&
    movement.state !== 'PENDING' &&
    movement.state !== 'MANUAL_REVIEW'
  )
    return movement;
  return withRecord(
    movement,
    {
      outcome,
      claimed,
      isLate: late === true || mayArrive === true,
      isRestored: restored === true,
    },
    at,
  );
}

/** Takes an open movement to the state that its record claims. */
function withRecord(
  movement: Movement,
  { outcome, claimed, isLate, isRestored }: Recorded,
  at: number,
): Movement {
  const seen: Movement = {
    ...movement,
    requestId: outcome.requestId,
    acceptedAt: movement.acceptedAt ?? at,
  };
  switch (claimed) {
    case 'PENDING':
      return movement.state === 'UNKNOWN' ? { ...seen, state: claimed, watchSince: at } : seen;
    case 'MANUAL_REVIEW':
      return {
        ...seen,
        state: claimed,
        watchSince: movement.state === 'UNKNOWN' ? at : movement.watchSince,
      };
    case 'COMPLETED':
      return completed(posted(seen, outcome.line, at), at);
    case 'REJECTED':
    case 'FAILED':
      // One of several requests had no clear answer: this record may belong to an earlier one, and
      // the last one may still be accepted.
      if (isLate && (isRestored || wasSentAgain(movement)))
        return { ...movement, notFoundReads: 0 };
      return {
        ...seen,
        state: claimed,
        reasonCode: `level_${outcome.level}`,
        reasonText: outcome.reason,
      };
  }
}

/** Two requests or more left, and not each of them had a clear answer. */
function wasSentAgain({ everAmbiguous, sends, notSentTries }: Movement): boolean {
  return everAmbiguous && sends - notSentTries > 1;
}

export function completed(movement: Movement, at: number): Movement {
  // Without a ledger to confirm or deny it, a reported return would stay reported for ever: there
  // the alert of the webhook stays.
  const hinted = movement.returnHinted && capabilitiesOf(movement.kind).keepsLedger;
  return {
    ...movement,
    state: 'COMPLETED',
    acceptedAt: movement.acceptedAt ?? at,
    watchSince: at,
    returned: hinted ? 'REPORTED' : movement.returned,
    returnedAt: hinted ? at : movement.returnedAt,
  };
}

/**
 * A record that contradicts the stored final state. A pending record contradicts a refusal or
 * failure too, because that money is live.
 */
function contradicts(final: State, claimed: State): boolean {
  if (final === 'COMPLETED') return claimed !== 'COMPLETED';
  return claimed !== 'REJECTED' && claimed !== 'FAILED';
}
