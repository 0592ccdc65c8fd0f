import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isFreshlyRead, payAgainRefusal } from './pay-again.ts';
import { expediteCheck } from './expedite.ts';
import { IS_NAMED_BY_RECOVERY, listedSince } from './restored.ts';
import { findMovement, fromRaw, MOVEMENT } from './row.ts';
import type { RawMovement } from './row.ts';

/** The conditions of "pay again" on the movement that the new intent replaces, for all kinds. */

const PATIENCE_MS = 8_000;
const POLL_MS = 200;

/**
 * Expedites a read of the parent and waits, within a person's patience, until the provider has
 * answered. A form that is submitted again needs no fresh read: it gets the movement that it made.
 *
 * @throws Refusal not_found, parent_not_fresh, parent_not_listed
 */
export async function refreshParent(
  actor: Person,
  { id, parentId }: { id: string; parentId: string },
): Promise<void> {
  if (await inTransaction(actor.merchantId, async (tx) => (await findMovement(tx, id)) !== null))
    return;
  const askedAt = performance.now();
  while (!(await isFresh(actor, parentId, performance.now() - askedAt < POLL_MS))) {
    if (performance.now() - askedAt > PATIENCE_MS) throw new Refusal('parent_not_fresh');
    await pause(POLL_MS);
  }
}

async function isFresh(actor: Person, parentId: string, ask: boolean): Promise<boolean> {
  return inTransaction(actor.merchantId, async (tx) => {
    const parent = await findMovement(tx, parentId);
    if (!parent) throw new Refusal('not_found');
    const now = (await databaseNow(tx)).getTime();
    const since = await listedSince(tx, parentId);
    if (isFreshlyRead(parent, now, since)) return true;
    if (since !== null && now < since) throw new Refusal('parent_not_listed');
    if (ask) await expediteCheck(tx, parent, now, 0);
    return false;
  });
}

/**
 * `kind`: kind of the new intent; a movement is paid again only by its own kind. The provider must
 * have been asked about the parent just now (`refreshParent`), whoever makes the new intent.
 *
 * @throws Refusal not_found, parent_alive, already_paid_again, parent_not_fresh
 */
export async function parentMayBePaidAgain(tx: Tx, parentId: string, kind: string): Promise<void> {
  // A statement of its own: one that waits for the lock reads the other tables as they were before.
  await tx.$executeRaw`SELECT FROM movements WHERE id = ${parentId}::uuid FOR UPDATE`;
  const [parent] = await tx.$queryRaw<(RawMovement & { named: boolean })[]>`
    SELECT ${MOVEMENT.of('m')}, ${IS_NAMED_BY_RECOVERY} AS named FROM movements m
      WHERE id = ${parentId}::uuid`;
  if (parent && parent.kind !== kind) throw new Refusal('not_found');
  const family = await tx.$queryRaw<RawMovement[]>`
    WITH RECURSIVE up AS (
      SELECT id, retry_of FROM movements WHERE id = ${parentId}::uuid UNION ALL
        SELECT m.id, m.retry_of FROM movements m JOIN up ON m.id = up.retry_of),
    family AS (
      SELECT id FROM up WHERE retry_of IS NULL UNION ALL SELECT m.id FROM movements m
        JOIN family f ON m.retry_of = f.id)
    SELECT ${MOVEMENT.of('m')} FROM movements m JOIN family USING (id) WHERE m.id <> ${parentId}::uuid
      ORDER BY m.created_at DESC`;
  const refusal = payAgainRefusal(
    parent ? fromRaw(parent) : null,
    family.map(fromRaw),
    parent?.named ?? false,
  );
  if (refusal?.code === 'already_paid_again')
    throw new Refusal(refusal.code, { id: refusal.by.id });
  if (refusal) throw new Refusal(refusal.code);
  const now = (await databaseNow(tx)).getTime();
  if (parent && !isFreshlyRead(fromRaw(parent), now, await listedSince(tx, parentId)))
    throw new Refusal('parent_not_fresh');
}
