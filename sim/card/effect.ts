import type { CardTx } from './store.ts';

/**
 * What a process of ours does in the world: whoever drives it may stop it before and after each of
 * these.
 */
export type Effect =
  | { kind: 'transaction'; name: string; work: (tx: CardTx) => unknown; token?: string }
  /** Money: one request. `intent` is for the judges; `mayWrite` is asked before the first byte. */
  | {
      kind: 'request';
      path: 'confirmPayment' | 'refund' | 'cashout' | 'processPlan' | 'pay';
      body: string;
      intent: string;
      token: string;
      mayWrite: () => boolean;
    }
  /** A question that moves no money: an order's record, or a plan's. */
  | { kind: 'query'; path: 'checkstatus' | 'plan'; id: string }
  /**
   * One line of the send journal, on disk; its result says whether it is. `attempt`: which send of
   * its reference it is, from 1.
   */
  | { kind: 'journal'; reference: string; attempt: number }
  | { kind: 'rest'; ms: number };

export type Lane<Result = void> = Generator<Effect, Result, unknown>;

/**
 * Runs one of the product's orders of effects: each is carried out, and what it throws is thrown at
 * its place.
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
