import { waitingRefusal } from '#lib/approvals/approval-rules.ts';
import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';

/** The rules of a press on a batch that waits for approval. Pure: shared with the simulator. */

/**
 * Why a person can neither approve a batch nor send it back. `since`: when it was submitted. `root`:
 * the hash that its rows give as they are stored now; null where there are none.
 */
export function batchRefusal(
  batch: { waits: boolean; since: number; contentHash: string; makers: readonly string[] },
  root: string | null,
  press: { personId: string; seenHash: string },
): ReturnType<typeof waitingRefusal> {
  const { waits, since, contentHash, makers } = batch;
  return waitingRefusal(
    { state: waits ? 'AWAITING_APPROVAL' : 'CANCELLED', stateSince: since, contentHash },
    { makers, intact: root === contentHash, now: since },
    press,
  );
}

/** Whether all rows may run. `asked`: what policies asked of the batch, the one of now included. */
export function isBatchApproved(
  batch: { contentHash: string; makerId: string; approvalsNeeded: number },
  approvals: readonly Approval[],
  asked: readonly Requirement[],
): boolean {
  return approvalsCover({ movement: batch, approvals, requirements: asked });
}
