import { mayStillBegin } from './claim-rules.ts';
import type { Clocks, Heard } from './claim-rules.ts';

/**
 * One step of one movement, effect after effect. Pure: `advance.ts` carries the effects out, and the simulator stops the
 * process before and after each of them. An effect that fails is thrown into the step at its place.
 */

/** The answer is worth more than the attempt: a database that is away for a moment is tried again before it is given up. */
const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];

type Nothing = { kind: 'nothing_due' } | { kind: 'settled' };
/** What a claim left to be done outside its transaction. */
export type Task = { kind: 'send' | 'read' | 'ledger' };

export type Effect<T extends Task> =
  /** One transaction; its result is the claim. */
  | { kind: 'claim' }
  /** One question to the provider, or one send; its result is what was heard. `mayWrite` is asked before the first byte. */
  | { kind: 'ask'; task: T; mayWrite: () => boolean }
  /** One transaction. */
  | { kind: 'record'; task: T; heard: Heard }
  | { kind: 'rest'; ms: number };

/** Claims, asks, and writes down what was heard. Returns the claim. Throws what its claim, its question or its last record throws. */
export function* oneStep<T extends Task, N extends Nothing>(clocks: () => Clocks): Generator<Effect<T>, T | N, unknown> {
  // Read before the claim: whatever holds the process up between here and the first byte counts against the lease.
  const began = clocks();
  const claim = (yield { kind: 'claim' }) as T | N;
  if (!isTask(claim)) return claim;
  const heard = (yield { kind: 'ask', task: claim, mayWrite: () => mayStillBegin(began, clocks()) }) as Heard;
  for (const wait of [...RECORD_RETRY_MS, null]) {
    try {
      yield { kind: 'record', task: claim, heard };
      return claim;
    } catch (error) {
      if (wait === null) throw error;
    }
    yield { kind: 'rest', ms: wait };
  }
  return claim;
}

function isTask<T extends Task>(claim: T | Nothing): claim is T {
  return claim.kind !== 'nothing_due' && claim.kind !== 'settled';
}
