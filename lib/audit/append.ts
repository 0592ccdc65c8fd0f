import 'server-only';
import { actorText } from '#lib/access/actor.ts';
import type { Actor, Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';

/**
 * Bigints are written as decimal text. No secrets, no card data and no personal data belong in
 * here.
 */
export type AuditDetail = Record<string, string | number | boolean | null | string[]>;

/**
 * Values about a person or typed by a person. The entry holds only a commitment to each value, so
 * that the value itself can be erased later.
 */
export type AuditPersonal = Record<string, string | null>;

/**
 * Appends one link to the merchant's chain in the caller's transaction: the action and its audit
 * row are committed together or not at all. `subject` is `kind:id`, e.g. `movement:…`, `session:…`.
 * The actor's name and e-mail address are added automatically.
 */
export async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  subject: string,
  detail: AuditDetail = {},
  personal: AuditPersonal = {},
): Promise<void> {
  const entry = entrySql(actor, action, subject, detail, personal);
  await tx.$executeRaw`SELECT audit_append(${entry})`;
}

/**
 * The SQL expression that queues an entry with the caller's statement. It takes no lock; the entry
 * is linked after the commit ({@link linkEntries}).
 */
export function enqueueAudit(
  actor: Actor,
  action: string,
  subject: string,
  detail: AuditDetail,
): Prisma.Sql {
  return sql`audit_enqueue(${entrySql(actor, action, subject, detail, {})})`;
}

/** The entries that one transaction links: a long queue is linked in parts. */
export const LINK_MOST = 1_000;

/**
 * Links queued entries in their order, {@link LINK_MOST} at most, and gives their number. When it is
 * smaller, what the caller knew to be committed is in the chain, whoever linked it. It is one
 * statement by itself: a process that stands still after it does not hold the chain.
 */
export async function linkEntries(merchantId: string): Promise<number> {
  const [row] = await inOne<{ linked: bigint }>(
    merchantId,
    sql`SELECT audit_link(${merchantId}::uuid, ${LINK_MOST}::int) AS linked`,
  );
  return Number(row!.linked);
}

/** Links all that is queued. */
export async function linkQueue(merchantId: string): Promise<void> {
  while ((await linkEntries(merchantId)) === LINK_MOST) continue;
}

function entrySql(
  actor: Actor,
  action: string,
  subject: string,
  detail: AuditDetail,
  personal: AuditPersonal,
): Prisma.Sql {
  const entry = authored(actor, detail, personal);
  return sql`${actor.merchantId}::uuid, ${actorText(actor)}, ${action}, ${subject},
    ${JSON.stringify(entry.detail)}::jsonb, ${JSON.stringify(entry.personal)}::jsonb`;
}

/**
 * What each entry written by a person records about the author beside the id: role and session
 * permanently, name and address until they are erased. A text that a person typed may hold what the
 * database cannot store.
 */
export function authored(
  actor: Actor,
  detail: AuditDetail,
  personal: AuditPersonal,
): { detail: AuditDetail; personal: AuditPersonal } {
  if (actor.kind !== 'person') return { detail: stored(detail), personal: stored(personal) };
  return {
    detail: stored({ ...detail, role: actor.role, ...sessionOf(actor) }),
    personal: stored({ ...personal, name: actor.name, ip: actor.ip }),
  };
}

/** What a program does has no session: its key stands there instead. */
function sessionOf({ apiKey, sessionId }: Person): AuditDetail {
  return apiKey === undefined ? { session: sessionId } : { apiKey };
}

function stored<T extends AuditDetail | AuditPersonal>(values: T): T {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? storable(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
