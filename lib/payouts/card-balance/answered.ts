import type { CashoutOutcome } from '#lib/providers/card/classify-cashout.ts';
import type { SendOutcome } from '#lib/providers/outcome.ts';

/**
 * The outcome of the only request. Pure. The gateway's code 112 names the refused rows in a shape
 * that is only `assumed`: people have to find out from the gateway's text whether our row was
 * accepted.
 */
export function answered(
  { extId, amountMinor }: { extId: string; amountMinor: bigint },
  outcome: CashoutOutcome,
): SendOutcome {
  const { raw, code, message } = outcome;
  switch (outcome.kind) {
    // The accepting answer has no number of the gateway; the gateway's panel shows our reference.
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
