import 'server-only';
import type { Permission, Person } from '#lib/access/actor.ts';
import { audit } from './append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { countWithin } from '#lib/access/rate-limit.ts';

/**
 * Of one person and one right. Whoever tries on is known by then, and the trail is no place to be
 * filled by pressing.
 */
const ENTRIES_PER_HOUR = 3;
const HOUR = 60 * 60;

/**
 * Writes down that a signed-in person asked for what their role may not do. Never throws: the
 * refusal stands whether or not it could be written.
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
    log.error('a refusal is not in the audit trail', errorFields(error));
  }
}
