import type { Payment } from './provider.ts';
import type { World } from './world.ts';

/**
 * A proxy sent an accepted request once more, and the provider may have executed it again or
 * refused it. No rule of ours can prevent the damage in the minutes in which no record shows it:
 * but it must be found, and people must be alerted (end.ts).
 */
export function isDoubled({ lives, knobs }: World, extId: string): boolean {
  const { dedupe, knowsIdsFirst } = knobs.questions;
  return !(dedupe === 'atomic' && knowsIdsFirst) && lives.of(extId).met.has('request doubled');
}

/**
 * Of two copies people can know the one that the record shows. Of a send that a restore removed
 * from the rows, and that neither a journal nor the provider's list named when sending resumed,
 * they can know only what the record shows by `at`.
 */
export function canBeKnown({ watch, provider }: World, payment: Payment, at: number): boolean {
  const { extId } = payment;
  return (
    (!watch.excused.has(`copies of ${extId}`) && !watch.excused.has(`forgotten ${extId}`)) ||
    provider.shown(extId, at) === payment
  );
}
