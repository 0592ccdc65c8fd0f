import type { SendOutcome } from '../providers/outcome.ts';
import { withAlert } from './alert.ts';
import { capabilitiesOf } from './kinds.ts';
import { positiveId } from './ledger-evidence.ts';
import { isFinal } from './state.ts';
import type { Movement } from './state.ts';

const MAX_IBAN_WAITS = 6;

/** What the answer to the current request proves. */
export function answer(movement: Movement, outcome: SendOutcome, at: number): Movement {
  switch (outcome.kind) {
    case 'accepted':
      return accepted(movement, outcome, at);
    case 'not_sent':
    case 'unauthorized': {
      const after: Movement = { ...movement, notSentTries: movement.notSentTries + 1 };
      return movement.everAmbiguous ? unknown(after, at) : { ...after, state: 'APPROVED' };
    }
    case 'same_iban_wait': {
      if (movement.everAmbiguous) return unknown(movement, at);
      const ibanWaits = movement.ibanWaits + 1;
      return {
        ...movement,
        state: 'APPROVED',
        ibanWaits,
        alert:
          ibanWaits >= MAX_IBAN_WAITS
            ? withAlert(movement.alert, 'iban_wait_exhausted')
            : movement.alert,
      };
    }
    case 'refused':
      if (movement.everAmbiguous) return unknown(movement, at);
      return {
        ...movement,
        state: 'REJECTED',
        reasonCode: outcome.code,
        reasonText: outcome.message,
      };
    case 'duplicate': {
      // The answer says that the provider knows our id already. If an earlier request may have been
      // executed, the provider means that request. If none may, somebody else used our id, which
      // cannot happen: raise an alert.
      const after: Movement = { ...unknown(movement, at), duplicateSeen: true };
      return movement.everAmbiguous
        ? after
        : { ...after, alert: withAlert(after.alert, 'id_collision') };
    }
    case 'record_exists':
      return { ...unknown(movement, at), duplicateSeen: true };
    case 'unclear': {
      const after = unknown(movement, at);
      return outcome.why === 'mismatch'
        ? { ...after, alert: withAlert(after.alert, 'mismatch') }
        : after;
    }
  }
}

/**
 * An answer that arrives after its lease was lost proves only what the provider has: "refused" or
 * "not sent" would speak of an earlier request while another one may be in flight.
 */
export function lateAnswer(movement: Movement, outcome: SendOutcome, at: number): Movement {
  switch (outcome.kind) {
    case 'accepted':
      // Two acceptances under two request numbers would be two payments. A card operation's number
      // is that of the payment, and answer and record may name it differently.
      if (
        capabilitiesOf(movement.kind).record === 'payment'
          ? movement.state === 'FAILED'
          : movement.requestId !== null && movement.requestId !== outcome.requestId
      )
        return { ...movement, alert: withAlert(movement.alert, 'contradiction') };
      if (movement.state === 'UNKNOWN' || movement.state === 'SUBMITTING')
        return accepted(movement, outcome, at);
      // A card operation that people closed as done has no record number to compare with the
      // acceptance, and the acceptance agrees with them.
      if (capabilitiesOf(movement.kind).record === 'payment' && movement.state === 'COMPLETED')
        return movement;
      return movement.requestId === null
        ? { ...movement, alert: withAlert(movement.alert, 'contradiction') }
        : movement;
    case 'duplicate':
    case 'record_exists':
      return isFinal(movement.state) ? movement : { ...movement, duplicateSeen: true };
    case 'unclear':
      return outcome.why === 'mismatch'
        ? { ...movement, alert: withAlert(movement.alert, 'mismatch') }
        : movement;
    default:
      return movement;
  }
}

function accepted(
  movement: Movement,
  outcome: Extract<SendOutcome, { kind: 'accepted' }>,
  at: number,
): Movement {
  return {
    ...movement,
    state: 'PENDING',
    acceptedAt: at,
    watchSince: at,
    requestId: outcome.requestId,
    transactionId: positiveId(outcome.transactionId) ?? movement.transactionId,
    feeMinor: outcome.feeMinor ?? movement.feeMinor,
  };
}

export function unknown(movement: Movement, at: number): Movement {
  const alert =
    movement.alert === 'provider_unreachable' || movement.alert === 'journal_unwritable'
      ? null
      : movement.alert;
  const unclearSince = movement.unclearSince ?? movement.lastSendAt ?? at;
  return {
    ...movement,
    state: 'UNKNOWN',
    everAmbiguous: true,
    unclearSince,
    watchSince: at,
    notFoundReads: 0,
    alert,
  };
}
