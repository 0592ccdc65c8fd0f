import 'server-only';
import { actorText } from '#lib/access/actor.ts';
import type { Actor } from '#lib/access/actor.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';

/**
 * Bigints are written as decimal text; nothing secret and nothing a card carries belongs in here,
 * and nothing personal.
 */
export type AuditDetail = Record<string, string | number | boolean | null | string[]>;

/**
 * What is about a person, or was typed by one: the entry says a commitment to it, the value itself
 * can be erased later.
 */
export type AuditPersonal = Record<string, string | null>;

/**
 * Appends one link to the merchant's chain, in the caller's transaction: the action and its row are
 * committed together or not at all. `subject` is `kind:id`, e.g. `movement:…`, `session:…`. A
 * person's name and address are written by themselves.
 */
export async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  subject: string,
  detail: AuditDetail = {},
  personal: AuditPersonal = {},
): Promise<void> {
  await tx.$executeRaw`SELECT ${auditLink(actor, action, subject, detail, personal)}`;
}

/**
 * The same as an expression, for a statement that does more: the chain's lock is held from here to
 * the commit.
 */
export function auditLink(
  actor: Actor,
  action: string,
  subject: string,
  detail: AuditDetail = {},
  personal: AuditPersonal = {},
): Prisma.Sql {
  const said = authored(actor, detail, personal);
  return sql`audit_append(${actor.merchantId}::uuid, ${actorText(actor)}, ${action}, ${subject}, ${JSON.stringify(said.detail)}::jsonb, ${JSON.stringify(said.personal)}::jsonb)`;
}

/**
 * What every entry of a person says of its author beside the id: role and session for good, name
 * and address until erased.
 */
export function authored(
  actor: Actor,
  detail: AuditDetail,
  personal: AuditPersonal,
): { detail: AuditDetail; personal: AuditPersonal } {
  if (actor.kind !== 'person') return { detail, personal };
  return {
    detail: { ...detail, role: actor.role, session: actor.sessionId },
    personal: { ...personal, name: actor.name, ip: actor.ip },
  };
}
