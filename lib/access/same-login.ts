import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { Person } from './actor.ts';

/** Whether the account is the actor's, or another one of the actor's login: one person has both. */
export async function isOwnLogin(tx: Tx, { personId }: Person, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ own: boolean }]>`
    SELECT ${id}::uuid IN (SELECT same_login(${personId}::uuid)) AS own`;
  return row.own;
}
