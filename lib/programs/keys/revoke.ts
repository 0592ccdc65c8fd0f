import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { pauseBatchesOfKey } from '#lib/batches/run/pause-key.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { closeRequest, openRequest } from '#lib/second-person/requests.ts';
import { lockKey } from './lock.ts';
import { keyQuestion } from './question.ts';

/**
 * Ends a key at once: what has not been stored with it by now never will be, and the batches that were
 * submitted with it and are not over are paused. One owner is enough; anybody who could confirm a key
 * declines one that waits.
 *
 * @throws Refusal not_allowed, not_found, key_over
 */
export async function revokeKey(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'people.confirm');
  await inTransaction(actor.merchantId, async (tx) => {
    const key = await lockKey(tx, id);
    if (key.confirmed_at !== null && !may(actor.role, 'api.manage'))
      throw new NotAllowed('api.manage');
    if (key.revoked_at !== null) throw new Refusal('key_over');
    await tx.$executeRaw`
      UPDATE api_keys SET revoked_at = clock_timestamp(), revoked_by = ${actor.personId}::uuid
      WHERE id = ${id}::uuid`;
    const open = await openRequest(tx, keyQuestion(id).subject);
    if (open !== null) await closeRequest(tx, open.id, null);
    const paused = await pauseBatchesOfKey(tx, actor, key);
    const detail = {
      prefix: key.prefix,
      wasConfirmed: key.confirmed_at !== null,
      ...(paused > 0 && { pausedBatches: paused }),
    };
    await audit(tx, actor, 'api.key_revoked', `api_key:${id}`, detail, { keyName: key.name });
    await publish(tx, actor, { kind: 'program', id });
    // The list of what waits shows it; it follows no `program`, which each API request announces.
    await publish(tx, actor, { kind: 'person', id });
  });
}
