import 'server-only';
import { rejudgeCardOperation } from '#lib/cards/operations/rejudge.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import type { Rejudge } from '#lib/movements/rejudge.ts';
import { rejudgePayout } from '#lib/payouts/rejudge.ts';
import type { PolicyClass } from '#lib/policy/rules.ts';
import { rejudgeTransfer } from '#lib/transfers/rejudge.ts';

/** What each class of the policy asks of its rules once more, before its last approval counts. */
const REJUDGES: Readonly<Record<PolicyClass, Rejudge>> = {
  payout: rejudgePayout,
  transfer: rejudgeTransfer,
  own_transfer: rejudgeTransfer,
  refund: rejudgeCardOperation,
};

/** A kind without a class never waits for approval; one that does all the same is never approved. */
export const rejudge: Rejudge = async (movement) => {
  const { policyClass } = kindOf(movement.kind);
  return policyClass === null ? async () => 'approval_unread' : REJUDGES[policyClass](movement);
};
