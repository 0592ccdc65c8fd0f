import 'server-only';
import { wakeWorkers } from '#lib/live/publish.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { approvalsCover } from './approvals-cover.ts';
import type { Requirement } from './approvals-cover.ts';
import { APPROVALS_OF_M, checkedApprovals, REQUIREMENTS_OF_M } from './approvals-of.ts';
import type { StoredApproval } from './approvals-of.ts';
import { fromRaw, MOVEMENT } from './row.ts';
import type { RawMovement } from './row.ts';

/**
 * Makes what is approved, and lacks approvals since this person was disabled in the same transaction,
 * due at once: a worker then lets it wait for another approval. What others have approved too keeps
 * its time. A row that is locked or leased at this moment is left out: whoever holds it looks anyway.
 */
export async function recheckApprovalsOf(tx: Tx, personId: string): Promise<void> {
  const rows = await tx.$queryRaw<
    (RawMovement & { approvals: StoredApproval[]; requirements: Requirement[] })[]
  >`
    WITH m AS MATERIALIZED (
      SELECT ${MOVEMENT} FROM movements WHERE state = 'APPROVED' AND iban_waits = 0
        AND (lease_until IS NULL OR lease_until < clock_timestamp())
        AND EXISTS (SELECT FROM approvals a WHERE a.movement_id = movements.id
          AND ${personId}::uuid IN (a.person_id, a.deputy_of))
      FOR NO KEY UPDATE SKIP LOCKED)
    SELECT ${MOVEMENT.of('m')}, ${APPROVALS_OF_M} AS approvals, ${REQUIREMENTS_OF_M} AS requirements
    FROM m`;
  const lacking = rows.filter(({ approvals, requirements, ...raw }) => {
    const movement = fromRaw(raw);
    return !approvalsCover({
      movement,
      approvals: checkedApprovals(approvals, movement),
      requirements,
    });
  });
  if (lacking.length === 0) return;
  await tx.$executeRaw`
    UPDATE movements SET next_at = clock_timestamp()
    WHERE id = ANY(${lacking.map(({ id }) => id)}::uuid[])`;
  await wakeWorkers(tx);
}
