import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row, Tx } from '#lib/runtime/db.ts';
import { revokeDevices } from './device.ts';

/** The open sessions of any person, without the framework's request: what is listed and ended. */

export const IDLE_MINUTES = 15;

export type OpenSession = {
  id: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string;
  current: boolean;
};

/** The open sessions of one person. The caller has checked that the actor may see them. */
export async function listSessionsOf(actor: Person, personId: string): Promise<OpenSession[]> {
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<
      Row<'sessions', 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_seen_at'>[]
    >`
    SELECT s.id, s.ip, s.user_agent, s.created_at, s.last_seen_at FROM sessions s
    WHERE s.person_id = ${personId}::uuid AND ${isOpen()} ORDER BY s.last_seen_at DESC`,
  );
  return rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    current: row.id === actor.sessionId,
  }));
}

/** The condition that a session `s` is open; who may sign in is a condition of its own. */
export function isOpen(): Prisma.Sql {
  return sql`s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
    AND s.last_seen_at > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES})`;
}

/**
 * Ends one session of a person, or all of them (`'all'`: all devices are revoked too, and none gets
 * notifications any more). Their open streams end with them. Ending a session other than the
 * actor's own also revokes its device.
 */
export async function endSessionsOf(
  tx: Tx,
  actor: Person,
  personId: string,
  which: string,
): Promise<number> {
  const ended = await tx.$queryRaw<Row<'sessions', 'id' | 'device_id'>[]>`
    UPDATE sessions SET revoked_at = clock_timestamp()
    WHERE person_id = ${personId}::uuid AND revoked_at IS NULL
      AND (${which} = 'all' OR id::text = ${which}) RETURNING id, device_id`;
  for (const session of ended) {
    await publish(tx, actor, { kind: 'session', id: session.id });
    await audit(tx, actor, 'session.ended', `session:${session.id}`);
    if (session.device_id !== null && session.id !== actor.sessionId)
      await revokeDevices(tx, personId, session.device_id);
  }
  if (which === 'all') {
    await revokeDevices(tx, personId, 'all');
    await removePushDevices(tx, actor, personId);
  }
  return ended.length;
}

/** Removes the devices that show notifications; the person adds them again after a sign-in. */
async function removePushDevices(tx: Tx, actor: Person, personId: string): Promise<void> {
  const removed = await tx.$queryRaw<Row<'push_devices', 'id'>[]>`
    DELETE FROM push_devices WHERE person_id = ${personId}::uuid RETURNING id`;
  for (const { id: device } of removed)
    await audit(tx, actor, 'person.push_removed', `person:${personId}`, { device });
}
