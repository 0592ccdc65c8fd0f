import type { SendOutcome } from '#lib/providers/outcome.ts';

/** Why a person should look, and which reason stays on top. Pure. */
export type Alert =
  | 'contradiction'
  | 'mismatch'
  | 'id_collision'
  | 'refund_not_confirmed'
  | 'refund_amount_differs'
  | 'unknown_too_long'
  | 'provider_unreachable'
  | 'iban_wait_exhausted'
  | 'not_seen_for_a_week'
  | 'claim_failing'
  | 'journal_unwritable';

/**
 * Gravest first: what is heard later never covers one of these with a lesser one ("pay again" hangs
 * on the first).
 */
const GRAVE: readonly Alert[] = ['contradiction', 'mismatch', 'refund_amount_differs'];
/** These say that nobody answers: they end with the answer. */
const SILENCE: readonly Alert[] = [
  'unknown_too_long',
  'provider_unreachable',
  'not_seen_for_a_week',
  'iban_wait_exhausted',
  'id_collision',
  'claim_failing',
  'journal_unwritable',
];

/** The flag to carry when `next` is found out while `current` flies. */
export function withAlert(current: Alert | null, next: Alert): Alert {
  return current !== null && gravity(current) > gravity(next) ? current : next;
}

/** What is left of a flag once the provider has spoken of this movement. */
export function cleared(current: Alert | null): Alert | null {
  return current !== null && SILENCE.includes(current) ? null : current;
}

type Tried = { attention: Alert | null; everAmbiguous: boolean; notSentTries: number };

/**
 * Whether it is our own journal that lets nothing leave. When it works again, what was tried
 * meanwhile says nothing of the provider.
 */
export function journaled<M extends Tried>(movement: M, outcome: SendOutcome): M {
  const isUnwritten = outcome.kind === 'not_sent' && outcome.refusal === 'not_journaled';
  if (isUnwritten)
    return movement.everAmbiguous
      ? movement
      : { ...movement, attention: withAlert(movement.attention, 'journal_unwritable') };
  return movement.attention === 'journal_unwritable'
    ? { ...movement, attention: null, notSentTries: 0 }
    : movement;
}

function gravity(attention: Alert): number {
  const place = GRAVE.indexOf(attention);
  return place < 0 ? 0 : GRAVE.length - place;
}
