import type { SendOutcome } from '#lib/providers/outcome.ts';
import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { Clocks, ProviderResponse } from './claim-rules.ts';

/**
 * One step of one movement as a sequence of effects. Pure: `advance.ts` carries the effects out,
 * and the simulator stops the process before and after each one. A failing effect throws into the
 * step at its place.
 */

/**
 * The waits between the tries to record a response, in milliseconds: losing an answer costs more
 * than waiting while the database is briefly unavailable.
 */
const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];

type Nothing = { kind: 'nothing_due' } | { kind: 'settled' };
/** The work that a claim leaves to do outside its transaction. */
export type Task = { kind: 'send' | 'read' | 'ledger' };

/** The effects of one send between its claim and its record, for any kind. */
export type SendEffect<T> =
  /** One query to the provider about the subject of the send; the kind defines its result. */
  | { kind: 'query'; task: T }
  /** One transaction and one journal entry; its result is `Begun`. */
  | { kind: 'begin'; task: T }
  /** The only request; the kind defines its answer. `mayWrite` is called before the first byte. */
  | { kind: 'request'; task: T; mayWrite: () => boolean }
  /**
   * One transaction that renews this worker's lease; its result says whether the lease was still
   * this worker's.
   */
  | { kind: 'renew'; task: T }
  | { kind: 'rest'; ms: number };

/** The sequence of effects of one send; returns what it proves. */
export type SendOrder<T> = Generator<SendEffect<T>, SendOutcome, unknown>;

export type Effect<T extends Task> =
  /** One transaction; its result is the claim. */
  | { kind: 'claim' }
  | SendEffect<T>
  /** One query of a claimed read or ledger check; its result is `ProviderResponse`. */
  | { kind: 'ask'; task: T }
  /** One transaction. */
  | { kind: 'record'; task: T; response: ProviderResponse };

/** The sequence of a send for kinds that need no query before it: payouts and transfers. */
export function* sendAtOnce<T>(task: T, timing: Timing): SendOrder<T> {
  return yield* beginAndRequest<T, SendOutcome>(task, timing);
}

/**
 * Claims, sends or queries, and records the response. `orderOf`: the sequence of the task's kind.
 * Returns the claim. Throws what its claim, its query or its last write throws.
 */
export function* oneStep<T extends Task, N extends Nothing>(
  clocks: () => Clocks,
  orderOf: (task: T, timing: Timing) => SendOrder<T>,
): Generator<Effect<T>, T | N, unknown> {
  // Read the clocks before the claim: any delay between here and the first byte counts against the
  // lease.
  const began = clocks();
  const claim = (yield { kind: 'claim' }) as T | N;
  if (!isTask(claim)) return claim;
  const response =
    claim.kind === 'send'
      ? answer(yield* orderOf(claim, { began, clocks }))
      : ((yield { kind: 'ask', task: claim }) as ProviderResponse);
  yield* recorded({ kind: 'record', task: claim, response });
  return claim;
}

/** Records a response, with retries. Throws the error of the last try. */
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

function answer(outcome: SendOutcome): ProviderResponse {
  return { source: 'answer', kind: 'answer', outcome };
}

function isTask<T extends Task>(claim: T | Nothing): claim is T {
  return claim.kind !== 'nothing_due' && claim.kind !== 'settled';
}
