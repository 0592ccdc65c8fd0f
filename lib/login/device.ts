import 'server-only';
import { createHmac, randomUUID } from 'node:crypto';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { hashesMatch } from '#lib/runtime/secrets.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * A signed cookie identifies a browser with which a person signed in, so that strangers who guess
 * passwords delay only strangers. It grants no access: both factors are still required. Ending
 * another of one's own sessions revokes its device, signing out everywhere revokes all of them;
 * networks known only through a revoked device are revoked with it.
 */

/** A device belongs to one person; a network may be a whole office's. */
export type Known = 'device' | 'network' | null;

export const DEVICE_DAYS = 180;
const PURPOSE = 'known-device';

/**
 * The id of a device whose cookie has our signature; null for anything else, without a database
 * query.
 */
export function readDevice(cookie: string | null): string | null {
  const [id = '', signature = ''] = cookie?.split('.') ?? [];
  return UUID.test(id) && hashesMatch(signature, signatureOf(id)) ? id : null;
}

/**
 * How a caller has signed in as `email` before: with this device, or from this network within the
 * last 30 days; null for neither. `ip` is the caller's address; an IPv6 address counts by its /64.
 * A network is known through a device and no longer than it; for a disabled person nothing is
 * known.
 */
export async function readKnown(
  tx: Tx,
  email: string,
  { deviceId, ip }: { deviceId: string | null; ip: string | null },
): Promise<Known> {
  const [row] = await tx.$queryRaw<[{ device: boolean; network: boolean }]>`
    SELECT EXISTS (SELECT FROM known_devices d JOIN people p ON p.id = d.person_id
        WHERE d.id = ${deviceId}::uuid AND lower(p.email) = ${email} AND p.disabled_at IS NULL
          AND d.revoked_at IS NULL
          AND d.last_used_at > clock_timestamp() - make_interval(days => ${DEVICE_DAYS})) AS device,
      EXISTS (SELECT FROM sessions s JOIN people p ON p.id = s.person_id
        JOIN known_devices d ON d.id = s.device_id
        WHERE lower(p.email) = ${email} AND p.disabled_at IS NULL AND d.revoked_at IS NULL
          AND s.ip IS NOT NULL AND s.created_at > clock_timestamp() - interval '30 days'
          AND network(set_masklen(s.ip::inet, CASE family(s.ip::inet) WHEN 6 THEN 64 ELSE 32 END))
            >>= ${ip}::inet) AS network`;
  if (row.device) return 'device';
  return row.network ? 'network' : null;
}

/**
 * Called after both factors were correct. Returns the device (a new one if it was not this person's
 * before) and the value of its cookie.
 */
export async function rememberDevice(
  tx: Tx,
  merchantId: string,
  personId: string,
  deviceId: string | null,
): Promise<{ id: string; cookie: string }> {
  const again = await tx.$executeRaw`
    UPDATE known_devices SET last_used_at = clock_timestamp() WHERE id = ${deviceId}::uuid
      AND person_id = ${personId}::uuid AND revoked_at IS NULL`;
  const id = again === 1 && deviceId !== null ? deviceId : randomUUID();
  if (again === 0)
    await tx.$executeRaw`INSERT INTO known_devices (id, merchant_id, person_id)
      VALUES (${id}::uuid, ${merchantId}::uuid, ${personId}::uuid)`;
  return { id, cookie: `${id}.${signatureOf(id)}` };
}

/** `which`: the id of one of the person's devices, or all of them. */
export async function revokeDevices(tx: Tx, personId: string, which: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE known_devices SET revoked_at = clock_timestamp() WHERE person_id = ${personId}::uuid
      AND revoked_at IS NULL AND (${which} = 'all' OR id::text = ${which})`;
}

function signatureOf(id: string): string {
  return createHmac('sha256', env().authSecret).update(`${PURPOSE}:${id}`).digest('base64url');
}
