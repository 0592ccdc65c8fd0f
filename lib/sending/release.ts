import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { inTransaction } from '#lib/db.ts';
import { announce } from '#lib/movements/evidence.ts';
import { pullHeld } from '#lib/movements/pull.ts';
import { endRecovery, recoveryMayEnd } from '#lib/recovery/ready.ts';
import { Refusal } from '#lib/refusal.ts';
import { adoptIdentity } from './adopt-identity.ts';
import { stopReason } from './stop.ts';
import { confirmRefusal } from './stops.ts';
import type { Cause, RailChoice } from './stops.ts';

/** Letting sending go on takes two people: one asks and says why, another one confirms. The database insists on it too. */

type Which = { rail: RailChoice; cause: Cause };

/** @throws Refusal not_allowed, stop_reason_needed, not_stopped, recovery_not_read, recovery_unseen */
export async function askRelease(actor: Person, { rail, cause }: Which, reason: string): Promise<void> {
  require(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    if (cause === 'recovery') await recoveryMayEnd(tx);
    const asked = await tx.$executeRaw`
      UPDATE send_switches SET release_asked_by = ${actor.personId}::uuid, release_asked_at = clock_timestamp(), release_reason = ${why}
      WHERE rail = ${rail} AND cause = ${cause} AND off`;
    if (asked === 0) throw new Refusal('not_stopped');
    await audit(tx, actor, 'sending.release_asked', `sending:${rail}`, { cause }, { reason: why });
    await announce(tx, actor.merchantId, { kind: 'sending', id: rail });
  });
}

/** @throws Refusal not_allowed, not_stopped, release_not_asked, second_person_needed, owner_needed, recovery_not_read, recovery_unseen, workers_disagree */
export async function confirmRelease(actor: Person, { rail, cause }: Which): Promise<void> {
  require(actor, 'sending.control');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ asker: string | null; role: string | null; reason: string | null }[]>`
      SELECT s.release_asked_by AS asker, p.role, s.release_reason AS reason FROM send_switches s LEFT JOIN people p ON p.id = s.release_asked_by
      WHERE s.rail = ${rail} AND s.cause = ${cause} AND s.off FOR UPDATE OF s`;
    if (!row) throw new Refusal('not_stopped');
    const askedBy = row.asker === null ? null : { id: row.asker, role: row.role ?? '' };
    const refusal = confirmRefusal({ cause, askedBy }, { id: actor.personId, role: actor.role });
    if (refusal) throw new Refusal(refusal);
    if (cause === 'recovery') await recoveryMayEnd(tx);
    if (cause === 'environment') await adoptIdentity(tx);
    await tx.$executeRaw`
      UPDATE send_switches SET off = false, released_by = ${actor.personId}::uuid, changed_at = clock_timestamp() WHERE rail = ${rail} AND cause = ${cause}`;
    if (cause === 'recovery') await endRecovery(tx);
    await audit(tx, actor, 'sending.released', `sending:${rail}`, { cause, askedBy: row.asker }, { reason: row.reason });
    await pullHeld(tx);
    await announce(tx, actor.merchantId, { kind: 'sending', id: rail });
  });
}
