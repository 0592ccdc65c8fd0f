import type { Payment } from './provider.ts';
import type { World } from './world.ts';

/**
 * Whether a proxy sent an accepted request once more, so that the provider may have executed it
 * again or refused it. No rule of ours can prevent the damage in the minutes in which no record
 * shows it, but people must be alerted afterwards (end.ts).
 */
export function isDoubled({ lives, knobs }: World, extId: string): boolean {
  const { dedupe, knowsIdsFirst } = knobs.questions;
  return !(dedupe === 'atomic' && knowsIdsFirst) && lives.of(extId).met.has('request doubled');
}

/**
 * Whether people can know of a payment. Of two copies they can know only the one that the record
 * shows by `at`. The same holds for a send that a restore removed from the rows and that neither a
 * journal nor the provider's list named when sending resumed.
 */
export function canBeKnown({ watch, provider }: World, payment: Payment, at: number): boolean {
  const { extId } = payment;
  return (
    (!watch.excused.has(`copies of ${extId}`) && !watch.excused.has(`forgotten ${extId}`)) ||
    provider.shown(extId, at) === payment
  );
}
