import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import {
  APPROVALS_OF_M,
  checkedApprovals,
  REQUIREMENTS_OF_M,
} from '#lib/movements/approvals-of.ts';
import type { StoredApproval } from '#lib/movements/approvals-of.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import { contentHash } from '#lib/movements/content.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import { hasRunOut } from '#lib/movements/schedule.ts';
import { databaseNow } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { waitingRefusal } from './approval-rules.ts';

export type Waiting = {
  movement: MovementRow;
  /** Its maker, and the makers of the versions that were sent back before it. */
  makers: string[];
  /** The actor, and every other account of the same login: together they approve once. */
  accounts: string[];
  approvals: Approval[];
  requirements: Requirement[];
  /** For whom this person would decide now: the person represented, or this person. */
  decidesFor: string;
  /** That person's accounts: an approval that counts for one of them counts for all. */
  represents: string[];
};

/**
 * Locks a movement that waits for approval. `seenHash`: the content that the person saw; it has to
 * be what stands there now.
 *
 * @throws NotAllowed: a deputyship has ended since the page was asked for
 * @throws Refusal not_found, not_waiting, content_changed, own_movement, represented_movement
 */
export async function lockWaiting(
  tx: Tx,
  actor: Person,
  { id, seenHash }: { id: string; seenHash: string },
): Promise<Waiting> {
  const [raw] = await tx.$queryRaw<
    (RawMovement & {
      now: Date;
      makers: string[];
      accounts: string[];
      represents: string[];
      approvals: StoredApproval[];
      requirements: Requirement[];
      stands_in_for: string | null;
    })[]
  >`
    WITH m AS MATERIALIZED (
      SELECT ${MOVEMENT} FROM movements WHERE id = ${id}::uuid FOR UPDATE)
    SELECT ${MOVEMENT.of('m')}, clock_timestamp() AS now,
      ARRAY(SELECT movement_makers(m.id)::text) AS makers,
      ARRAY(SELECT same_login(${actor.personId}::uuid)::text) AS accounts,
      ARRAY(SELECT same_login(coalesce(own.stands_in_for, ${actor.personId}::uuid))::text)
        AS represents,
      ${APPROVALS_OF_M} AS approvals, ${REQUIREMENTS_OF_M} AS requirements, own.stands_in_for
    FROM m CROSS JOIN
      (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS stands_in_for) own`;
  if (!raw) throw new Refusal('not_found');
  const represented = raw.stands_in_for;
  if (!may(actor.role, 'movement.approve') && represented === null)
    throw new NotAllowed('movement.approve');
  const movement = fromRaw(raw);
  const intact = contentHash(movement.kind, movement) === movement.contentHash;
  const facts = { makers: raw.makers, intact, now: raw.now.getTime() };
  const refusal = waitingRefusal(movement, facts, { ...actor, seenHash });
  if (refusal !== null) throw new Refusal(refusal);
  if (represented !== null && raw.makers.includes(represented))
    throw new Refusal('represented_movement');
  return {
    movement,
    makers: raw.makers,
    accounts: raw.accounts,
    represents: raw.represents,
    approvals: checkedApprovals(raw.approvals, movement),
    requirements: raw.requirements,
    decidesFor: represented ?? actor.personId,
  };
}

/**
 * A movement that has run out waits no more, also while no worker has noted it: the worker may be
 * stopped for longer than an approval lives.
 *
 * @throws Refusal not_waiting
 */
export async function assertWaits(
  tx: Tx,
  { state, stateSince }: Pick<MovementRow, 'state' | 'stateSince'>,
): Promise<void> {
  const now = (await databaseNow(tx)).getTime();
  if (state !== 'AWAITING_APPROVAL' || hasRunOut({ stateSince }, now))
    throw new Refusal('not_waiting');
}
