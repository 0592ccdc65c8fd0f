import { beginAndRequest } from '#lib/begin-check/begin-check.ts';
import type { Timing } from '#lib/begin-check/begin-check.ts';
import type { SendOrder } from '#lib/movements/one-step.ts';
import type { CashoutOutcome } from '#lib/providers/card/classify-cashout.ts';
import { answered } from './answered.ts';

/**
 * The effects of sending a card-balance payout: query our own database → begin → request. Pure. The
 * gateway cannot be queried about one, so our database and our send journal are the only sources
 * before the request.
 */

/**
 * `mayHaveLeft`: the restored database may have lost a send of this payout, and the send journal
 * does not rule that out. A person's "send it" cannot rule it out either.
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
