import 'server-only';
import { Refusal } from '#lib/access/refusal.ts';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { KeyRight } from './rights.ts';

const KEY = columns('api_keys', [
  'id',
  'person_id',
  'name',
  'prefix',
  'rights',
  'wallet',
  'confirmed_at',
  'revoked_at',
]);
export type LockedKey = RowOf<typeof KEY, { rights: KeyRight[] }>;

/** @throws Refusal not_found */
export async function lockKey(tx: Tx, id: string): Promise<LockedKey> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [row] = await tx.$queryRaw<LockedKey[]>`
    SELECT ${KEY} FROM api_keys WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (!row) throw new Refusal('not_found');
  return row;
}
