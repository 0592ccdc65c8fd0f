import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { SendOrder } from '#lib/movements/one-step.ts';
import type { CashoutOutcome } from '#lib/providers/card/classify-cashout.ts';
import { answered } from './answered.ts';

/**
 * The order of effects of a payout from the card balance: query our own books → begin → request.
 * Pure. The gateway answers no question about one, so our books and our send journal are all that
 * can be asked before.
 */

/**
 * `mayHaveLeft`: the books may have forgotten that it was sent, and the send journal does not rule
 * it out. A person's word cannot either.
 */
export type Queried = { mayHaveLeft: boolean };

export function* sendCashout<T>(
  task: T,
  sent: { extId: string; amountMinor: bigint },
  timing: Timing,
): SendOrder<T> {
  const { mayHaveLeft } = (yield { kind: 'query', task }) as Queried;
  if (mayHaveLeft) return { kind: 'record_exists', code: null, message: null, raw: null };
  return answered(sent, yield* beginAndRequest<T, CashoutOutcome>(task, timing));
}
