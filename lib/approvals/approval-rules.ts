import type { Role } from '#lib/access/actor.ts';
import { countsFor } from '#lib/movements/approvals-cover.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { hasRunOut } from '#lib/movements/schedule.ts';
import { isEnough, strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpMethod } from '#lib/step-up/method.ts';

/** Why an approval is refused. Pure: shared with the simulator. */

type Approver = { accounts: readonly string[]; represents: readonly string[]; role: Role };

/**
 * Why a person can neither approve a movement nor send it back. `makers`: whoever made it or an
 * earlier version of it. `intact`: its fields still give its content hash. `seenHash`: the hash of
 * the content that the person saw.
 */
export function waitingRefusal(
  movement: Pick<MovementRow, 'state' | 'stateSince' | 'contentHash'>,
  { makers, intact, now }: { makers: readonly string[]; intact: boolean; now: number },
  { personId, seenHash }: { personId: string; seenHash: string },
): 'not_waiting' | 'content_changed' | 'own_movement' | null {
  if (movement.state !== 'AWAITING_APPROVAL' || hasRunOut(movement, now)) return 'not_waiting';
  if (movement.contentHash !== seenHash || !intact) return 'content_changed';
  return makers.includes(personId) ? 'own_movement' : null;
}

/**
 * A login approves once, and so do a deputy and the person represented between them. `accounts`: the
 * person, and every other account of the same login. `represents`: the accounts of whom the person
 * decides for. `asked`: what policies have asked so far, the one of now included. `releases`: an owner
 * releases it alone, which needs no approval, so that none bars it.
 */
export function approverRefusal(
  { accounts, represents, role }: Approver,
  approvals: readonly Pick<Approval, 'personId' | 'deputyOf'>[],
  { asked, releases }: { asked: readonly Requirement[]; releases: boolean },
): 'approved_before' | 'pair_approved_before' | 'approver_role' | null {
  if (releases) return null;
  if (approvals.some((one) => accounts.includes(one.personId))) return 'approved_before';
  if (approvals.some((one) => represents.includes(countsFor(one)))) return 'pair_approved_before';
  return role !== 'owner' && asked.some((one) => one.ownersOnly) ? 'approver_role' : null;
}

/** `signed`: what the person's signature proves about this movement. */
export function signatureRefusal(
  signed: StepUpMethod,
  asked: readonly Requirement[],
): 'step_up_needed' | null {
  return isEnough(signed, strictestStepUp(asked.map((one) => one.stepUp)))
    ? null
    : 'step_up_needed';
}
