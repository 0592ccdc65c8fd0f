import 'server-only';
import { createHash } from 'node:crypto';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { columns, inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { isPublicEndpoint } from '#lib/runtime/public-address.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { UUID } from '#lib/values/uuid.ts';
import { pushIdentities } from './identity.ts';

const DEVICES_MAX = 10;
const AGENT_MAX = 400;
/** An uncompressed point of P-256 and 16 random bytes, in base64url. */
const P256DH = /^B[A-Za-z0-9_-]{86}$/;
const AUTH = /^[A-Za-z0-9_-]{22}$/;

/** What a browser says of its subscription. `identity`: our public key for which it was made. */
export type NewDevice = {
  endpoint: string;
  p256dh: string;
  auth: string;
  identity: string;
  locale: string;
  agent: string | null;
};

/** A device as its person sees it. `mark`: SHA-256 of its endpoint, by which its browser knows it. */
export type PushDevice = { id: string; agent: string | null; addedAt: string; mark: string };

/** The devices, and the public key for which a browser has to make its subscription. */
export type PushSettings = { devices: PushDevice[]; identity: string };

const DEVICE = columns('push_devices', ['id', 'endpoint', 'agent', 'added_at']);

export async function viewPushSettings(actor: Person): Promise<PushSettings> {
  const rows = await inOne<RowOf<typeof DEVICE>>(
    actor.merchantId,
    sql`SELECT ${DEVICE} FROM push_devices WHERE person_id = ${actor.personId}::uuid
      ORDER BY added_at DESC`,
  );
  return {
    identity: pushIdentities()[0].publicKey,
    devices: rows.map((row) => ({
      id: row.id,
      agent: row.agent,
      addedAt: row.added_at.toISOString(),
      mark: createHash('sha256').update(row.endpoint).digest('hex'),
    })),
  };
}

/**
 * Adds the browser in which the person sits. A browser that was somebody else's before notifies only
 * this person from now on.
 *
 * @throws Refusal push_endpoint, push_too_many
 */
export async function addPushDevice(actor: Person, device: NewDevice): Promise<void> {
  if (
    !isPublicEndpoint(device.endpoint, { sandbox: env().sandboxOn }) ||
    !P256DH.test(device.p256dh) ||
    !AUTH.test(device.auth) ||
    device.identity !== pushIdentities()[0].publicKey
  )
    throw new Refusal('push_endpoint');
  const locale = LOCALES.find((one) => one === device.locale) ?? 'tr';
  const agent = storable(device.agent)?.slice(0, AGENT_MAX) ?? null;
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`SELECT FROM people WHERE id = ${actor.personId}::uuid FOR NO KEY UPDATE`;
    await tx.$executeRaw`DELETE FROM push_devices WHERE endpoint = ${device.endpoint}`;
    const [{ count }] = await tx.$queryRaw<[{ count: number }]>`
      SELECT count(*)::int AS count FROM push_devices WHERE person_id = ${actor.personId}::uuid`;
    if (count >= DEVICES_MAX) throw new Refusal('push_too_many', { most: DEVICES_MAX });
    const [{ id }] = await tx.$queryRaw<[{ id: string }]>`
      INSERT INTO push_devices (merchant_id, person_id, endpoint, p256dh, auth, identity, locale,
        agent)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${device.endpoint},
        ${device.p256dh}, ${device.auth}, ${device.identity}, ${locale}, ${agent}) RETURNING id`;
    const { host } = new URL(device.endpoint);
    await audit(tx, actor, 'person.push_added', `person:${actor.personId}`, { device: id, host });
  });
}

/**
 * Removes one of the person's own devices, by its id or by its endpoint. Idempotent for an endpoint,
 * because the browser may have given it up already.
 *
 * @throws Refusal not_found
 */
export async function removePushDevice(
  actor: Person,
  which: { id: string } | { endpoint: string },
): Promise<void> {
  if ('id' in which && !UUID.test(which.id)) throw new Refusal('not_found');
  const named = 'id' in which ? sql`id = ${which.id}::uuid` : sql`endpoint = ${which.endpoint}`;
  await inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      DELETE FROM push_devices WHERE ${named} AND person_id = ${actor.personId}::uuid RETURNING id`;
    if (rows[0] === undefined) {
      if ('id' in which) throw new Refusal('not_found');
      return;
    }
    const device = rows[0].id;
    await audit(tx, actor, 'person.push_removed', `person:${actor.personId}`, { device });
  });
}
