import type { CashoutOutcome } from '#lib/providers/card/classify-cashout.ts';
import type { SendOutcome } from '#lib/providers/outcome.ts';

/**
 * What the answer to the one request means to the movement. Pure. 112 names the rows that were
 * refused, in a shape that is only assumed: whether ours was taken is for people to find out, with
 * the gateway's words before them.
 */
export function answered(
  { extId, amountMinor }: { extId: string; amountMinor: bigint },
  outcome: CashoutOutcome,
): SendOutcome {
  const { raw, code, message } = outcome;
  switch (outcome.kind) {
    // The answer names no number of the gateway's: ours is what its panel shows.
    case 'accepted':
      return {
        raw,
        code,
        message,
        kind: 'accepted',
        extId,
        amountMinor,
        feeMinor: null,
        requestId: extId,
        transactionId: null,
      };
    case 'partly_accepted':
      return {
        raw,
        code,
        message: outcome.refused.find((row) => row.uniqueId === extId)?.reason ?? message,
        kind: 'unclear',
        why: 'unknown_code',
      };
    default:
      return outcome;
  }
}
