import type { PolicyVerdict } from '#lib/policy/verdict.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import { approvalsNeeded } from './approvals-cover.ts';
import type { Requirement } from './approvals-cover.ts';
import type { MovementRow } from './row.ts';

/** What a verdict of the policy leaves beside a movement. Pure: shared with the simulator. */

/** Null where there is nothing to store: no policy, and no limit that is reached. */
export function requirementOf(
  { version, judgement, stepUp }: PolicyVerdict,
  contentHash: string,
): Requirement | null {
  const { needed, roles } = judgement;
  if (version === null && needed === 0) return null;
  return { needed, ownersOnly: needed > 0 && !roles.includes('approver'), contentHash, stepUp };
}

/** The approvals that a new movement waits for. `least`: those of its batch. */
export function approvalsToStore({ judgement }: PolicyVerdict, least = 0): number {
  return Math.max(judgement.needed, least);
}

/**
 * What the policy of now asks beyond what was asked before. Null where it asks for nothing more: a
 * policy that has become looser changes nothing.
 */
export function addedRequirement(
  verdict: PolicyVerdict,
  movement: Pick<MovementRow, 'approvalsNeeded' | 'contentHash'>,
  asked: readonly Requirement[],
): Requirement | null {
  const next = requirementOf(verdict, movement.contentHash);
  if (next === null) return null;
  const signed = asked.map((one) => one.stepUp);
  const isStricter =
    next.needed > approvalsNeeded(movement, asked) ||
    (next.ownersOnly && !asked.some((one) => one.ownersOnly)) ||
    strictestStepUp([next.stepUp, ...signed]) !== strictestStepUp(signed);
  return isStricter ? next : null;
}
