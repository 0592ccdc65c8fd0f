import 'server-only';
import { cashoutBody } from './cashout-body.ts';
import type { CashoutContent } from './cashout-body.ts';
import { classifyCashout } from './classify-cashout.ts';
import type { CashoutOutcome } from './classify-cashout.ts';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';

/**
 * Sends money of the card balance to bank accounts (`published`: POST cashout/tobank). One request,
 * never retried. `beforeWrite` is called once the connection is open, before the first byte.
 *
 * The gateway documents neither a status query for a card-balance payout nor idempotency by our
 * ids. So an unclear payout is never resent automatically and never becomes final by itself: two
 * people resolve it with the gateway. Only the cashout-reverse webhook reports returned money, and
 * a webhook is a claimed status, not proof.
 *
 * Never throws for network errors.
 * @throws RangeError for content that cannot be sent (see `cashoutBody`).
 */
export async function sendCashout(
  line: Line,
  content: CashoutContent,
  sending: Sending,
): Promise<CashoutOutcome> {
  const { fields, hashParts } = cashoutBody(content);
  const exchange = await line.send({
    path: '/ccpayment/api/cashout/tobank',
    fields: { merchant_key: line.merchantKey, hash_key: line.hashKey(hashParts), ...fields },
    beforeWrite: sending.beforeWrite,
  });
  return classifyCashout(exchange, content, line.codes.errands);
}
