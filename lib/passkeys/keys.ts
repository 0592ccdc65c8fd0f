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

/** The keys with which a person can sign now, oldest first. */
export async function keysOf(tx: Tx, personId: string): Promise<KeyRow[]> {
  return tx.$queryRaw<KeyRow[]>`
    SELECT ${PASSKEY} FROM passkeys WHERE person_id = ${personId}::uuid AND removed_at IS NULL
    ORDER BY added_at`;
}
