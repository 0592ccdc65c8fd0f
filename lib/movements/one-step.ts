import type { SendOutcome } from '#lib/providers/outcome.ts';
import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { Clocks, Heard } from './claim-rules.ts';

/**
 * One step of one movement, effect after effect. Pure: `advance.ts` carries the effects out, and
 * the simulator stops the process before and after each of them. An effect that fails is thrown
 * into the step at its place.
 */

/**
 * The answer is worth more than the attempt: a database that is away for a moment is tried again
 * before it is given up.
 */
const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];

type Nothing = { kind: 'nothing_due' } | { kind: 'settled' };
/** What a claim left to be done outside its transaction. */
export type Task = { kind: 'send' | 'read' | 'ledger' };

/** What one send does between its claim and its record, whatever its kind. */
export type SendEffect<T> =
  /** One question to the provider about what the send is about; its result is the kind's own. */
  | { kind: 'query'; task: T }
  /** One transaction and one journal line; its result is `Begun`. */
  | { kind: 'begin'; task: T }
  /**
   * The one request; its result is the kind's own answer. `mayWrite` is asked before the first
   * byte.
   */
  | { kind: 'request'; task: T; mayWrite: () => boolean }
  /**
   * One transaction that keeps the own lease for another term; its result says whether it was still
   * the own one.
   */
  | { kind: 'renew'; task: T }
  | { kind: 'rest'; ms: number };

/** The order of effects of one send; returns what it proves. */
export type SendOrder<T> = Generator<SendEffect<T>, SendOutcome, unknown>;

export type Effect<T extends Task> =
  /** One transaction; its result is the claim. */
  | { kind: 'claim' }
  | SendEffect<T>
  /** One question of a claimed read or ledger look; its result is `Heard`. */
  | { kind: 'ask'; task: T }
  /** One transaction. */
  | { kind: 'record'; task: T; heard: Heard };

/** Of kinds that are sent without a look before: a payout, a transfer. */
export function* sendAtOnce<T>(task: T, timing: Timing): SendOrder<T> {
  return yield* beginAndRequest<T, SendOutcome>(task, timing);
}

/**
 * Claims, sends or asks, and writes down what was heard. `orderOf`: the order of the task's kind.
 * Returns the claim. Throws what its claim, its question or its last record throws.
 */
export function* oneStep<T extends Task, N extends Nothing>(
  clocks: () => Clocks,
  orderOf: (task: T, timing: Timing) => SendOrder<T>,
): Generator<Effect<T>, T | N, unknown> {
  // Read before the claim: whatever holds the process up between here and the first byte counts
  // against the lease.
  const began = clocks();
  const claim = (yield { kind: 'claim' }) as T | N;
  if (!isTask(claim)) return claim;
  const heard =
    claim.kind === 'send'
      ? answer(yield* orderOf(claim, { began, clocks }))
      : ((yield { kind: 'ask', task: claim }) as Heard);
  yield* recorded({ kind: 'record', task: claim, heard });
  return claim;
}

/**
 * Writes down what was heard, again and again while that fails. Throws what the last try throws.
 */
export function* recorded<E extends { kind: 'record' }>(
  effect: E,
): Generator<E | { kind: 'rest'; ms: number }, void, unknown> {
  for (const wait of [...RECORD_RETRY_MS, null]) {
    try {
      yield effect;
      return;
    } catch (error) {
      if (wait === null) throw error;
    }
    yield { kind: 'rest', ms: wait };
  }
}

function answer(outcome: SendOutcome): Heard {
  return { witness: 'answer', kind: 'answer', outcome };
}

function isTask<T extends Task>(claim: T | Nothing): claim is T {
  return claim.kind !== 'nothing_due' && claim.kind !== 'settled';
}
