import type { PolicyReason } from '#lib/policy/rules.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';

/** How many may be approved by one press. */
export const MANY_MAX = 50;

/** What is unusual about a movement that waits for approval. Pure. */
export const FLAGS = [
  'payee_changed',
  'first_payment',
  'unusual_amount',
  'split',
  'maker_day',
  'overridden_findings',
] as const;
export type Flag = (typeof FLAGS)[number];

/**
 * `known`: what our own books say of the payee now. A rule about the amount alone is nothing
 * unusual.
 */
export function flagsOf(facts: {
  reasons: readonly Pick<PolicyReason, 'when'>[];
  known: { isFirstPayment: boolean; isPayeeChanged: boolean; isAmountUnusual: boolean };
  overrides: readonly string[];
}): Flag[] {
  const asked = new Set(facts.reasons.map((reason) => reason.when));
  const holds: Record<Flag, boolean> = {
    payee_changed: facts.known.isPayeeChanged || asked.has('payee_changed'),
    first_payment: facts.known.isFirstPayment || asked.has('first_payment'),
    unusual_amount: facts.known.isAmountUnusual,
    split: asked.has('split'),
    maker_day: asked.has('maker_day'),
    overridden_findings: facts.overrides.length > 0,
  };
  return FLAGS.filter((flag) => holds[flag]);
}

/** From so many payments on, the largest of them says what is usual. */
const PAST_MIN = 3;
const UNUSUAL_TIMES = 3n;

/**
 * `past`: the completed payments to the same IBAN in the same currency in the last 12 months. An
 * amount is unusual above three times the largest of them.
 */
export function isAmountUnusual(
  amountMinor: bigint,
  past: { count: number; largestMinor: bigint },
): boolean {
  return past.count >= PAST_MIN && amountMinor > UNUSUAL_TIMES * past.largestMinor;
}

export function isFlagged(flags: readonly Flag[]): boolean {
  return flags.length > 0;
}

/**
 * Whether one press in the queue may approve it: nothing to read first, and nothing to sign, which
 * only its own page and the form of many at once ask for.
 */
export function isOnePress(waiting: {
  barred: string | null;
  flags: readonly Flag[];
  stepUp: StepUpAsked;
}): boolean {
  return waiting.barred === null && !isFlagged(waiting.flags) && waiting.stepUp === 'none';
}
