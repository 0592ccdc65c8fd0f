import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { HAS_LAPSED_A } from '#lib/access/disabled-login.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import { STEP_UP, STEP_UP_TABLES } from '#lib/movements/approvals-of.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import { checkedApprovals } from '#lib/movements/checked-approvals.ts';
import type { StoredApproval } from '#lib/movements/checked-approvals.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { readReasons } from '#lib/policy/stored-rules.ts';
import type { PolicyReason } from '#lib/policy/rules.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { itemProved } from '#lib/step-up/stored.ts';
import type { StoredStepUp } from '#lib/step-up/stored.ts';
import { UUID } from '#lib/values/uuid.ts';
import { readFrozen, rootOf } from './frozen.ts';
import type { FrozenRow } from './frozen.ts';
import { batchRefusal } from './press-rules.ts';

/** A submitted batch as its approvals see it, in the words of a movement that waits. */
export type WaitingBatch = {
  id: string;
  name: string;
  contentHash: string;
  makerId: string;
  wallet: string;
  currency: string;
  approvalsNeeded: number;
  /** When it was submitted. */
  since: number;
  /** It waits: not approved, not stopped, and not run out. */
  waits: boolean;
  makers: string[];
  accounts: string[];
  represents: string[];
  approvals: Approval[];
  requirements: Requirement[];
  reasons: PolicyReason[];
  /** Whom the person would decide for: the person represented, or themself. */
  decidesFor: string;
  rows: FrozenRow[];
};

const APPROVALS_OF_B = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'personId', a.person_id, 'deputyOf', a.deputy_of, 'contentHash', a.content_hash,
  'asOwner', a.role = 'owner', 'lapsed', ${HAS_LAPSED_A},
  'releases', a.override_reason IS NOT NULL,
  'stepUp', (SELECT ${STEP_UP} FROM ${STEP_UP_TABLES} WHERE s.id = a.step_up_id))), '[]')
  FROM batch_approvals a WHERE a.batch_id = b.id)`;

/** Whether the run `r` waits for the approval of its batch. */
export const BATCH_WAITS_R = sql`(r.approved_at IS NULL AND r.stopped_at IS NULL
  AND r.began_at > clock_timestamp() - make_interval(secs => ${APPROVAL_LIFE_MS / 1_000}))`;

/** Whether the run `r` waited for approval longer than an approval lives. */
export const BATCH_EXPIRED_R = sql`(r.approved_at IS NULL AND r.began_at
  <= clock_timestamp() - make_interval(secs => ${APPROVAL_LIFE_MS / 1_000}))`;

/**
 * Whether the run `r` is older than a recovery: what the restore has lost may include its approval
 * and its payments.
 */
export const IS_OLDER_THAN_RECOVERY_R = sql`EXISTS (SELECT FROM recoveries v
  WHERE v.began_at > r.began_at)`;

/** The columns of `RunFacts` (`lib/batches/run/phase.ts`) of a run `r`. */
export const RUN_FACTS_R = sql`r.approved_at IS NOT NULL AS approved, ${BATCH_EXPIRED_R} AS expired,
  r.sent_back_reason IS NOT NULL AS "sentBack", r.hold IS NOT NULL AS held,
  r.stopped_at IS NOT NULL AS stopped, r.fed_at IS NOT NULL AS fed`;

/**
 * Whether the batch `b` with its run `r` waits for the approval of one person, as `waitsFor` says of
 * a movement. `represented` may be null.
 */
export function batchWaitsFor(who: Record<'id' | 'role' | 'represented', ReturnType<typeof sql>>) {
  return sql`(${BATCH_WAITS_R}
    AND NOT EXISTS (SELECT FROM batch_makers(b.id) AS maker
      WHERE maker IN (${who.id}, ${who.represented}))
    AND (${who.role} = 'owner' OR NOT r.owners_only)
    AND NOT EXISTS (SELECT FROM batch_approvals a WHERE a.batch_id = b.id
      AND (a.person_id = ${who.id}
        OR coalesce(a.deputy_of, a.person_id) = coalesce(${who.represented}, ${who.id}))))`;
}

type Found = Row<'batches', 'id' | 'name' | 'wallet' | 'currency' | 'maker_id' | 'content_hash'> &
  Row<
    'batch_runs',
    'began_at' | 'approvals_needed' | 'owners_only' | 'step_up' | 'reasons',
    { step_up: StepUpAsked }
  > & {
    waits: boolean;
    makers: string[];
    accounts: string[];
    represents: string[];
    stands_in_for: string | null;
    approvals: StoredApproval<StoredStepUp>[];
  };

/** Reads a submitted batch, and locks its run where `locks`. Null where there is none. */
export async function readWaitingBatch(
  tx: Tx,
  actor: Person,
  id: string,
  { locks }: { locks: boolean },
): Promise<WaitingBatch | null> {
  if (!UUID.test(id)) return null;
  if (locks) await tx.$executeRaw`SELECT FROM batch_runs WHERE batch_id = ${id}::uuid FOR UPDATE`;
  const [found] = await tx.$queryRaw<Found[]>`
    SELECT b.id, b.name, b.wallet, b.currency, b.maker_id, b.content_hash, r.began_at,
      r.approvals_needed, r.owners_only, r.step_up, r.reasons, ${BATCH_WAITS_R} AS waits,
      ARRAY(SELECT batch_makers(b.id)::text) AS makers,
      ARRAY(SELECT same_login(${actor.personId}::uuid)::text) AS accounts,
      ARRAY(SELECT same_login(coalesce(own.stands_in_for, ${actor.personId}::uuid))::text)
        AS represents, own.stands_in_for, ${APPROVALS_OF_B} AS approvals
    FROM batches b JOIN batch_runs r ON r.batch_id = b.id CROSS JOIN
      (SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS stands_in_for) own
    WHERE b.id = ${id}::uuid`;
  if (!found) return null;
  const contentHash = found.content_hash ?? '';
  return {
    id: found.id,
    name: found.name,
    contentHash,
    makerId: found.maker_id,
    wallet: found.wallet,
    currency: found.currency,
    approvalsNeeded: found.approvals_needed,
    since: found.began_at.getTime(),
    waits: found.waits,
    makers: found.makers,
    accounts: found.accounts,
    represents: found.represents,
    approvals: checkedApprovals(found.approvals, (answer, signer) =>
      itemProved(answer, signer, contentHash),
    ),
    requirements: [
      {
        needed: found.approvals_needed,
        ownersOnly: found.owners_only,
        contentHash,
        stepUp: found.step_up,
      },
    ],
    reasons: readReasons(found.reasons),
    decidesFor: found.stands_in_for ?? actor.personId,
    rows: await readFrozen(tx, found.id),
  };
}

/**
 * Locks a batch that waits for approval. `seenHash`: the hash of the rows that the person saw; the
 * rows as they are stored still have to give it.
 *
 * @throws NotAllowed: a deputyship has ended since the page was asked for
 * @throws Refusal not_found, not_waiting, content_changed, own_movement, represented_movement
 */
export async function lockWaitingBatch(
  tx: Tx,
  actor: Person,
  { id, seenHash }: { id: string; seenHash: string },
): Promise<WaitingBatch> {
  const batch = await readWaitingBatch(tx, actor, id, { locks: true });
  if (batch === null) throw new Refusal('not_found');
  const represented = batch.decidesFor === actor.personId ? null : batch.decidesFor;
  if (!may(actor.role, 'movement.approve') && represented === null)
    throw new NotAllowed('movement.approve');
  const press = { personId: actor.personId, seenHash };
  const refusal = batchRefusal(batch, rootOf(batch, batch.rows), press);
  if (refusal !== null) throw new Refusal(refusal);
  if (represented !== null && batch.makers.includes(represented))
    throw new Refusal('represented_movement');
  return batch;
}
