import type { CardTx } from './store.ts';

/**
 * The effects of a process of ours: the simulator may stop the process before and after each of
 * them.
 */
export type Effect =
  | { kind: 'transaction'; name: string; work: (tx: CardTx) => unknown; token?: string }
  /**
   * One request that moves money. `intent` is for the judges; `mayWrite` is called before the first
   * byte.
   */
  | {
      kind: 'request';
      path: 'confirmPayment' | 'refund' | 'cashout' | 'processPlan' | 'pay';
      body: string;
      intent: string;
      token: string;
      mayWrite: () => boolean;
    }
  /** A query that moves no money, for an order's record or a plan's. */
  | { kind: 'query'; path: 'checkstatus' | 'plan'; id: string }
  /**
   * One entry of the send journal, on disk; its result tells whether it is stored. `attempt`: the
   * number of this send of its reference, from 1.
   */
  | { kind: 'journal'; reference: string; attempt: number }
  | { kind: 'rest'; ms: number };

export type Lane<Result = void> = Generator<Effect, Result, unknown>;

/**
 * Runs one of the product's orders of effects: carries out each effect, and throws an effect's
 * error into the order at that effect.
 */
export function* driven<E, Result>(
  order: Generator<E, Result, unknown>,
  carryOut: (effect: E) => Lane<unknown>,
): Lane<Result> {
  let next = order.next();
  while (!next.done) {
    let value: unknown;
    try {
      value = yield* carryOut(next.value);
    } catch (error) {
      next = order.throw(error);
      continue;
    }
    next = order.next(value);
  }
  return next.value;
}
