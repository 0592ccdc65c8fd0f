import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { HeldBack } from '#lib/begin-check/begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { recorded } from '#lib/movements/one-step.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';
import type { CompletionOutcome } from '#lib/providers/card/types.ts';

/**
 * The order of effects of one card charge, and of the completion of one: claim → begin → request →
 * record. Pure. The web process and the simulator carry out its effects.
 */

export type CardAnswer = CompletionOutcome | HeldBack;

export type CardChargeEffect<T> =
  /** Runs in one transaction and results in the task, or null when the charge was sent before. */
  | { kind: 'claim' }
  | SendEffect<T>
  /** Runs in one transaction. */
  | { kind: 'record'; task: T; answer: CardAnswer };

/**
 * Returns the gateway's answer; null when the charge was sent before. Throws what its claim and its
 * last record throw.
 */
export function* cardChargeStep<T>(
  clocks: () => Clocks,
): Generator<CardChargeEffect<T>, CardAnswer | null, unknown> {
  // Read before the claim: any delay of the process between here and the first byte counts against
  // the lease.
  const began = clocks();
  const task = (yield { kind: 'claim' }) as T | null;
  if (task === null) return null;
  let response: CardAnswer;
  try {
    response = yield* beginAndRequest<T, CompletionOutcome>(task, { began, clocks });
  } catch {
    // After an exception from the request it is no longer certain that nothing was sent.
    response = { kind: 'unclear', why: 'shape', raw: null, code: null, message: null };
  }
  yield* recorded({ kind: 'record' as const, task, answer: response });
  return response;
}
