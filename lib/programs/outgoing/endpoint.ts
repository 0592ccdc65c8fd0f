import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { isPublicEndpoint } from '#lib/runtime/public-address.ts';
import { newWebhookSecret, openFormer, openSecrets, sealFormer, sealSecrets } from './secret.ts';

/** The one address to which the merchant's programs are told. */

/** So long the former secret signs beside the new one. */
export const OLD_SECRET_HOURS = 24;
/** So many former secrets sign at once: each makes the header of the signatures longer. */
const OLD_SECRETS_MAX = 4;

export type EndpointView = {
  url: string;
  by: string;
  setAt: string;
  /** Until when the former secret signs too. */
  oldUntil: string | null;
};

/**
 * Sets or changes the address. The first time it makes the secret, which is in this answer and
 * nowhere else; a changed address keeps its secret (null).
 *
 * @throws Refusal not_allowed, endpoint_address
 */
export async function setEndpoint(
  actor: Person,
  typed: string,
): Promise<{ secret: string | null }> {
  assertMay(actor, 'api.manage');
  const url = typed.trim();
  if (!isPublicEndpoint(url, { sandbox: env().sandboxOn })) throw new Refusal('endpoint_address');
  const secret = newWebhookSecret();
  return inTransaction(actor.merchantId, async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO api_endpoints (merchant_id, url, secret_sealed, set_by)
      VALUES (${actor.merchantId}::uuid, ${url}, ${sealSecrets(actor.merchantId, [secret])},
        ${actor.personId}::uuid) ON CONFLICT DO NOTHING`;
    if (made === 0)
      await tx.$executeRaw`
        UPDATE api_endpoints SET url = ${url}, set_by = ${actor.personId}::uuid,
          set_at = clock_timestamp()`;
    await audited(tx, actor, 'api.endpoint_set', new URL(url).host);
    return { secret: made === 0 ? null : secret };
  });
}

/**
 * Makes a new secret, which is in this answer and nowhere else. The former one signs beside it for
 * a day, and each that still signs until its own day is over: the program may use any of them, because
 * an answer with a new secret can be lost.
 *
 * @throws Refusal not_allowed, endpoint_none
 */
export async function rotateSecret(actor: Person): Promise<{ secret: string }> {
  assertMay(actor, 'api.manage');
  const secret = newWebhookSecret();
  const { merchantId } = actor;
  await inTransaction(merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      (Row<'api_endpoints', 'secret_sealed' | 'old_secret_sealed' | 'old_until'> & { now: Date })[]
    >`SELECT secret_sealed, old_secret_sealed, old_until, clock_timestamp() AS now
      FROM api_endpoints FOR UPDATE`;
    if (row === undefined) throw new Refusal('endpoint_none');
    const { now, old_secret_sealed: old, old_until: oldUntil } = row;
    const until = now.getTime() + OLD_SECRET_HOURS * 60 * 60_000;
    const before =
      old === null || oldUntil === null || oldUntil <= now
        ? []
        : openFormer(merchantId, old, oldUntil).filter((one) => one.until > now.getTime());
    const last = openSecrets(merchantId, row.secret_sealed).map((one) => ({ secret: one, until }));
    const former = [...last, ...before].slice(0, OLD_SECRETS_MAX);
    await tx.$executeRaw`
      UPDATE api_endpoints SET old_secret_sealed = ${sealFormer(merchantId, former)},
        old_until = ${new Date(until)},
        secret_sealed = ${sealSecrets(merchantId, [secret])}`;
    await audited(tx, actor, 'api.secret_changed', null);
  });
  return { secret };
}

/**
 * Sends no webhooks any more. What waits is given up at its next try.
 *
 * @throws Refusal not_allowed, endpoint_none
 */
export async function removeEndpoint(actor: Person): Promise<void> {
  assertMay(actor, 'api.manage');
  await inTransaction(actor.merchantId, async (tx) => {
    if ((await tx.$executeRaw`DELETE FROM api_endpoints`) === 0) throw new Refusal('endpoint_none');
    await audited(tx, actor, 'api.endpoint_removed', null);
  });
}

/** Null while no address is set. */
export async function viewEndpoint(
  actor: Person,
): Promise<{ endpoint: EndpointView | null; can: { manage: boolean } }> {
  assertMay(actor, 'api.read');
  const can = { manage: may(actor.role, 'api.manage') };
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<
      (Row<'api_endpoints', 'url' | 'set_at' | 'old_until'> &
        Row<'people', 'name'> & {
          isOld: boolean;
        })[]
    >`
      SELECT e.url, e.set_at, e.old_until, p.name,
        coalesce(e.old_until > clock_timestamp(), false) AS "isOld"
      FROM api_endpoints e JOIN people p ON p.id = e.set_by`,
  );
  if (row === undefined) return { endpoint: null, can };
  const oldUntil = row.isOld ? (row.old_until?.toISOString() ?? null) : null;
  return {
    endpoint: { url: row.url, by: row.name, setAt: row.set_at.toISOString(), oldUntil },
    can,
  };
}

async function audited(tx: Tx, actor: Person, action: string, host: string | null): Promise<void> {
  await audit(tx, actor, action, 'api_endpoint:programs', { ...(host !== null && { host }) });
  await publish(tx, actor, { kind: 'program', id: actor.merchantId });
}
