import { isEnough, strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked, StepUpMethod } from '#lib/step-up/method.ts';
import type { MovementRow } from './row.ts';

/** Which approvals of a movement count, and whether they are enough. Pure: shared with the simulator. */

/**
 * `asOwner`: the person was an owner then. `releases`: an owner's override, which stands for every
 * approval that is missing. `signed`: what the stored signature proves now about this content.
 * `deputyOf`: the person for whom a deputy gave it. `lapsed`: one of the two is disabled now.
 */
export type Approval = {
  personId: string;
  deputyOf: string | null;
  lapsed: boolean;
  contentHash: string;
  asOwner: boolean;
  releases: boolean;
  signed: StepUpMethod;
};

/** What the policy of a moment asked of exactly this content. `stepUp`: of each approval. */
export type Requirement = {
  needed: number;
  ownersOnly: boolean;
  contentHash: string;
  stepUp: StepUpAsked;
};

/** `requirements`: what policies asked of it; empty where the merchant had none. */
type Approved = {
  /** A batch is approved in the same way; its hash stands for all its rows. */
  movement: Pick<MovementRow, 'contentHash' | 'makerId' | 'approvalsNeeded'>;
  approvals: readonly Approval[];
  requirements: readonly Requirement[];
};

/**
 * Nothing is sent without enough distinct approvals of exactly this content, the maker's own and
 * those of disabled people not counted, each signed as the policy asked (docs/money-rules.md, I3).
 * The strictest requirement counts.
 */
export function approvalsCover(approved: Approved): boolean {
  const { movement, requirements } = approved;
  if (requirements.some((one) => one.contentHash !== movement.contentHash)) return false;
  const ofOthers = standing(approved);
  if (ofOthers.some((one) => one.releases && one.asOwner)) return true;
  return approvedFor(approved).size >= approvalsNeeded(movement, requirements);
}

/** The distinct people whose approvals count, in the role that the policies asked for. */
export function approvedFor(approved: Approved): Set<string> {
  const byOwners = approved.requirements.some((one) => one.ownersOnly);
  const people = standing(approved)
    .filter((one) => one.asOwner || !byOwners)
    .map(countsFor);
  return new Set(people);
}

function standing({ movement, approvals, requirements }: Approved): Approval[] {
  const stepUp = strictestStepUp(requirements.map((one) => one.stepUp));
  return approvals.filter(
    (one) =>
      one.contentHash === movement.contentHash &&
      one.personId !== movement.makerId &&
      isEnough(one.signed, stepUp) &&
      one.deputyOf !== movement.makerId &&
      !one.lapsed,
  );
}

/** Whose approval it is: a deputy and the person represented never count as two. */
export function countsFor({ personId, deputyOf }: Pick<Approval, 'personId' | 'deputyOf'>): string {
  return deputyOf ?? personId;
}

/** How many people have to approve it: as stored with it, or as a later policy asked. */
export function approvalsNeeded(
  movement: Pick<MovementRow, 'approvalsNeeded'>,
  requirements: readonly Pick<Requirement, 'needed'>[],
): number {
  return Math.max(movement.approvalsNeeded, ...requirements.map((one) => one.needed));
}
