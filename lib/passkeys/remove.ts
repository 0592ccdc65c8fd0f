import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import { keysOf, lockKeys } from './keys.ts';

/**
 * Removes one of a person's own keys at once. The last one stays: a session alone would otherwise
 * remove it and add another. Who has lost it asks two people (`lost.ts`).
 *
 * @throws Refusal not_found, last_passkey
 */
export async function removeKey(actor: Person, id: string): Promise<void> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockKeys(tx, actor.personId);
    const keys = await keysOf(tx, actor.personId);
    const key = keys.find((one) => one.id === id);
    if (key === undefined) throw new Refusal('not_found');
    if (keys.length === 1) throw new Refusal('last_passkey');
    await tx.$executeRaw`
      UPDATE passkeys SET removed_at = clock_timestamp() WHERE id = ${id}::uuid`;
    const detail = { passkey: id };
    await audit(tx, actor, 'person.passkey_removed', `person:${actor.personId}`, detail, {
      label: key.label,
    });
  });
}
