import type { SendOutcome } from '#lib/providers/outcome.ts';

/** Why a person should look at a movement, and which reason is shown first. Pure. */
export type Alert =
  | 'contradiction'
  | 'mismatch'
  | 'id_collision'
  | 'return_not_confirmed'
  | 'return_amount_differs'
  | 'unknown_too_long'
  | 'provider_unreachable'
  | 'iban_wait_exhausted'
  | 'not_seen_for_a_week'
  | 'claim_failing'
  | 'journal_unwritable'
  | 'approvals_missing'
  | 'earlier_may_be_paid';

/**
 * The severe alerts, the most severe first: a later, less severe alert never replaces one of these.
 * The first of them, a contradiction, locks "pay again".
 */
const GRAVE: readonly Alert[] = ['contradiction', 'mismatch', 'return_amount_differs'];
/**
 * The alerts that the next response of the provider clears. Most of them say that the provider or
 * our own system does not respond.
 */
const SILENCE: readonly Alert[] = [
  'unknown_too_long',
  'provider_unreachable',
  'not_seen_for_a_week',
  'iban_wait_exhausted',
  'id_collision',
  'claim_failing',
  'journal_unwritable',
  'approvals_missing',
  'earlier_may_be_paid',
];

/** The alert to show when `next` is raised while `current` is up. */
export function withAlert(current: Alert | null, next: Alert): Alert {
  return current !== null && gravity(current) > gravity(next) ? current : next;
}

/** The alert that remains once the provider has answered about this movement. */
export function cleared(current: Alert | null): Alert | null {
  return current !== null && SILENCE.includes(current) ? null : current;
}

type Tried = { alert: Alert | null; everAmbiguous: boolean; notSentTries: number };

/**
 * Raises an alert when our own send journal cannot be written, and clears it once the journal works
 * again: the tries made meanwhile prove nothing about the provider and no longer count.
 */
export function journaled<M extends Tried>(movement: M, outcome: SendOutcome): M {
  const isUnwritten = outcome.kind === 'not_sent' && outcome.refusal === 'not_journaled';
  if (isUnwritten)
    return movement.everAmbiguous
      ? movement
      : { ...movement, alert: withAlert(movement.alert, 'journal_unwritable') };
  return movement.alert === 'journal_unwritable'
    ? { ...movement, alert: null, notSentTries: 0 }
    : movement;
}

function gravity(alert: Alert): number {
  const place = GRAVE.indexOf(alert);
  return place < 0 ? 0 : GRAVE.length - place;
}
