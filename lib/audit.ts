import 'server-only';
import { actorText } from '#lib/actor.ts';
import type { Actor } from '#lib/actor.ts';
import { sql } from '#lib/db.ts';
import type { Prisma, Tx } from '#lib/db.ts';

/** Bigints are written as decimal text; nothing secret and nothing a card carries belongs in here. */
export type AuditDetail = Record<string, string | number | boolean | null | string[]>;

/**
 * Appends one link to the merchant's chain, in the caller's transaction: the action and its row are committed together or
 * not at all. `subject` is `kind:id`, e.g. `movement:…`, `session:…`.
 */
export async function audit(tx: Tx, actor: Actor, action: string, subject: string, detail: AuditDetail = {}): Promise<void> {
  await tx.$executeRaw`SELECT ${auditLink(actor, action, subject, detail)}`;
}

/** The same as an expression, for a statement that does more: the chain's lock is held from here to the commit. */
export function auditLink(actor: Actor, action: string, subject: string, detail: AuditDetail = {}): Prisma.Sql {
  const full = actor.kind === 'person' ? { ...detail, name: actor.name, role: actor.role, ip: actor.ip, session: actor.sessionId } : detail;
  return sql`audit_append(${actor.merchantId}::uuid, ${actorText(actor)}, ${action}, ${subject}, ${JSON.stringify(full)}::jsonb)`;
}
