import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';

const PASSKEY = columns('passkeys', [
  'id',
  'credential_id',
  'rp_id',
  'cose_key',
  'public_key',
  'counter',
  'transports',
  'label',
  'added_at',
  'last_used_at',
]);
export type KeyRow = RowOf<typeof PASSKEY, { transports: string[] }>;

/**
 * Serializes what a person does with their keys: an answer, a new key and a removal at the same time
 * each see what the one before has done. The table's guard takes the same lock.
 */
export async function lockKeys(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM people WHERE id = ${personId}::uuid FOR NO KEY UPDATE`;
}

/** The keys with which a person can sign now, oldest first. */
export async function keysOf(tx: Tx, personId: string): Promise<KeyRow[]> {
  return tx.$queryRaw<KeyRow[]>`
    SELECT ${PASSKEY} FROM passkeys WHERE person_id = ${personId}::uuid AND removed_at IS NULL
    ORDER BY added_at`;
}
