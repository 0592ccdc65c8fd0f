import 'server-only';
import type { Permission, Person } from '#lib/access/actor.ts';
import { audit } from './append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { countWithin } from '#lib/access/rate-limit.ts';

/**
 * The maximum number of audit entries an hour for one person and one permission: further attempts
 * add no information, and repeated clicks must not flood the trail.
 */
const ENTRIES_PER_HOUR = 3;
const HOUR = 60 * 60;

/**
 * Audits that a signed-in person attempted an action which their role does not permit. Never
 * throws: the refusal stands even when it could not be audited.
 */
export async function noteNotAllowed(actor: Person, permission: Permission): Promise<void> {
  try {
    await inTransaction(actor.merchantId, async (tx) => {
      const counted = await countWithin(
        tx,
        actor.merchantId,
        `not-allowed:${permission}:${actor.personId}`,
        ENTRIES_PER_HOUR,
        HOUR,
      );
      if (counted.ok)
        await audit(tx, actor, 'session.not_allowed', `session:${actor.sessionId}`, { permission });
    });
  } catch (error) {
    log.error('a refusal is not in the audit log', errorFields(error));
  }
}
