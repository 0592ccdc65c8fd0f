import 'server-only';
import { cashoutBody } from './cashout-body.ts';
import type { CashoutContent } from './cashout-body.ts';
import { classifyCashout } from './classify-cashout.ts';
import type { CashoutOutcome } from './classify-cashout.ts';
import type { Line } from './connection.ts';
import type { Sending } from './pay.ts';

/**
 * Sends money of the card balance to bank accounts (`published`: POST cashout/tobank): one request,
 * whatever happens. `beforeWrite` is asked when the connection stands, before the first byte.
 *
 * The gateway documents no read of a cashout and no protection against a second one with the same
 * ids. So what is unclear is never sent again by a machine and never ends by itself: two people
 * settle it with the gateway. That money came back is told by the cashout-reverse web hook alone,
 * and a web hook is a hint.
 *
 * Never throws for the network; throws RangeError for content that cannot be sent (see
 * `cashoutBody`).
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
