import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { HeldBack } from '#lib/begin-check/begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { recorded } from '#lib/movements/one-step.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';
import type { PlanChargeOutcome } from '#lib/providers/card/classify-plan.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Reply } from '#lib/providers/outcome.ts';

/**
 * The order of effects of one plan charge: claim → query the plan → leave → begin → request →
 * record. Pure. The worker and the simulator carry out its effects.
 */

export type ChargeAnswer = PlanChargeOutcome | HeldBack;

export type ChargeClaim<T> = { kind: 'nothing_due' | 'settled' } | { kind: 'charge'; task: T };

export type ChargeEffect<T> =
  /** One transaction; its result is `ChargeClaim`. */
  | { kind: 'claim' }
  /**
   * `query`: the plan's record, a `Reply<Plan>`. `begin`, `request`: as in the other send steps.
   */
  | SendEffect<T>
  /**
   * One transaction that judges the record and commits that the charge is being sent, with a lease
   * of its own. Its result is the task with what the request needs, or null: the charge has ended,
   * or another worker has it.
   */
  | { kind: 'leave'; task: T; reply: Reply<Plan> }
  /** One transaction. */
  | { kind: 'record'; task: T; answer: ChargeAnswer };

/**
 * Returns false when there was nothing to do. Throws what its transactions and its request throw.
 */
export function* chargeStep<T>(clocks: () => Clocks): Generator<ChargeEffect<T>, boolean, unknown> {
  const claim = (yield { kind: 'claim' }) as ChargeClaim<T>;
  if (claim.kind !== 'charge') return claim.kind === 'settled';
  const reply = (yield { kind: 'query', task: claim.task }) as Reply<Plan>;
  // `leave` takes the lease under which the charge is sent.
  const began = clocks();
  const task = (yield { kind: 'leave', task: claim.task, reply }) as T | null;
  if (task === null) return true;
  const answer = yield* beginAndRequest<T, PlanChargeOutcome>(task, { began, clocks });
  yield* recorded({ kind: 'record' as const, task, answer });
  return true;
}
