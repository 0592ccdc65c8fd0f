import type { StepUpMethod } from '#lib/step-up/method.ts';
import type { Approval } from './approvals-cover.ts';

/**
 * An approval as it is stored: with its signature, which is not checked yet. Pure: shared with the
 * simulator.
 */
export type StoredApproval<Answer> = Omit<Approval, 'signed'> & { stepUp: Answer | null };

/** `proved`: computes anew what a signature proves about the movement as it stands in its row now. */
export function checkedApprovals<Answer>(
  stored: readonly StoredApproval<Answer>[],
  proved: (answer: Answer | null, signer: { personId: string; overrides: boolean }) => StepUpMethod,
): Approval[] {
  return stored.map(({ stepUp, ...approval }) => ({
    ...approval,
    signed: proved(stepUp, { personId: approval.personId, overrides: approval.releases }),
  }));
}
