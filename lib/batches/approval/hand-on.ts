import 'server-only';
import type { Person, Role } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import type { Requirement } from '#lib/movements/approvals-cover.ts';
import {
  APPROVALS_OF_M,
  checkedApprovals,
  REQUIREMENTS_OF_M,
} from '#lib/movements/approvals-of.ts';
import type { StoredApproval } from '#lib/movements/approvals-of.ts';
import { record } from '#lib/movements/evidence.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { NO_POLICY } from '#lib/movements/submit.ts';
import { databaseNow } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { stepUpItem } from '#lib/step-up/challenge.ts';
import { rootFrom } from '#lib/step-up/tree.ts';
import type { TreeStep } from '#lib/step-up/tree.ts';

/** An approval of a batch; `person`: who gave it, as they are now. */
type OfBatch = Row<
  'batch_approvals',
  'id' | 'person_id' | 'deputy_of' | 'override_reason' | 'content_hash' | 'session',
  { session: { sessionId: string; ip: string | null } }
> &
  Row<'people', 'name' | 'email' | 'role', { role: Role }> & { tree: TreeStep[] };

/**
 * Gives a movement that was made of a row the approvals of its batch, and what was asked of these. It
 * is ready to be sent where they are enough for that and for what the policy of this moment asks of
 * it; otherwise it waits for further ones by itself. The caller has judged the row in this
 * transaction.
 */
export async function handOnApprovals(
  tx: Tx,
  maker: Person,
  batchId: string,
  movement: MovementRow,
): Promise<void> {
  const { merchantId } = maker;
  await storeAskedOfBatch(tx, batchId, movement);
  const all = await tx.$queryRaw<OfBatch[]>`
    SELECT a.id, a.person_id, a.deputy_of, a.override_reason, a.content_hash, a.session, p.name,
      p.email, p.role, w.tree
    FROM batch_approvals a JOIN people p ON p.id = a.person_id
      JOIN batch_rows w ON w.batch_id = a.batch_id AND w.movement_id = ${movement.id}::uuid
    WHERE a.batch_id = ${batchId}::uuid ORDER BY a.created_at, a.id`;
  for (const one of all) await handOn(tx, maker, movement, { ...one, batchId });
  const last = all.at(-1);
  if (last === undefined) return;
  const [found] = await tx.$queryRaw<[{ approvals: StoredApproval[]; asked: Requirement[] }]>`
    SELECT ${APPROVALS_OF_M} AS approvals, ${REQUIREMENTS_OF_M} AS asked
    FROM movements m WHERE m.id = ${movement.id}::uuid`;
  const approvals = checkedApprovals(found.approvals, movement);
  if (!approvalsCover({ movement, approvals, requirements: found.asked })) return;
  const approver: Person = {
    kind: 'person',
    merchantId,
    personId: last.person_id,
    name: last.name,
    email: last.email,
    role: last.role,
    standsInFor: last.deputy_of,
    ...last.session,
  };
  const now = (await databaseNow(tx)).getTime();
  await record(tx, approver, movement, { source: 'person', kind: 'approved' }, now, () => ({
    nextAt: now,
    lease: null,
  }));
}

/**
 * Roles and signatures that were asked for the sum are asked for each row as well: where an approval
 * of the batch does not count any more, nobody of a lesser role and without a signature replaces it.
 * How many approvals it needs is stored with the movement.
 */
async function storeAskedOfBatch(
  tx: Tx,
  batchId: string,
  { id, contentHash }: MovementRow,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO approval_requirements (merchant_id, movement_id, policy_version, needed,
      owners_only, reasons, content_hash, step_up)
    SELECT r.merchant_id, ${id}::uuid, coalesce(r.policy_version, ${NO_POLICY}), r.approvals_needed,
      r.owners_only, r.reasons, ${contentHash}, r.step_up
    FROM batch_runs r WHERE r.batch_id = ${batchId}::uuid
      AND (r.owners_only OR r.step_up <> 'none')`;
}

/**
 * Leaves out whom the database would refuse: a maker of the movement, and a second account. A row
 * that no longer leads to the hash that was approved was changed past the triggers: it waits for
 * approvals of its own.
 */
async function handOn(
  tx: Tx,
  maker: Person,
  movement: MovementRow,
  { batchId, tree, ...given }: OfBatch & { batchId: string },
): Promise<void> {
  const { id, extId, contentHash } = movement;
  if (rootFrom(stepUpItem(movement), tree) !== given.content_hash) return;
  const stored = await tx.$executeRaw`
    INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash, override_reason,
      step_up_id, batch_approval_id)
    SELECT a.merchant_id, ${id}::uuid, a.person_id, ${contentHash}, a.override_reason,
      a.step_up_id, a.id
    FROM batch_approvals a WHERE a.id = ${given.id}::uuid
      AND NOT EXISTS (SELECT FROM movement_makers(${id}::uuid) AS maker
        WHERE maker IN (a.person_id, a.deputy_of))
      AND NOT EXISTS (SELECT FROM approvals o WHERE o.movement_id = ${id}::uuid
        AND a.override_reason IS NULL AND o.override_reason IS NULL AND (
          o.person_id IN (SELECT same_login(a.person_id)) OR coalesce(o.deputy_of, o.person_id)
          IN (SELECT same_login(coalesce(a.deputy_of, a.person_id)))))`;
  if (stored === 0) return;
  await audit(tx, maker, 'movement.approved_in_batch', `movement:${id}`, {
    extId,
    contentHash,
    batch: batchId,
    batchHash: given.content_hash,
    by: given.person_id,
    ...(given.deputy_of === null ? {} : { deputyOf: given.deputy_of }),
    ...(given.override_reason === null ? {} : { overridden: true }),
    steps: tree.map((step) => ('left' in step ? `left ${step.left}` : `right ${step.right}`)),
  });
}
