import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ADDRESS_MAX, NAME_MAX } from './address.ts';
import { LIST_NEEDS } from './lists.ts';
import type { ViewList } from './lists.ts';

const VIEWS_MAX = 20;

/**
 * Saves an address of a list under a name, for this person only. A repeated name means the new
 * address: the older view is removed. An address that is too long is refused, because a part of it
 * would open other rows.
 *
 * @throws Refusal `not_allowed`, `view_name`, `view_too_long`, `views_full`
 */
export async function saveView(
  actor: Person,
  { list, name, address }: { list: ViewList; name: string; address: string },
): Promise<string> {
  assertMay(actor, LIST_NEEDS[list]);
  const called = nameOf(name);
  if (address.length > ADDRESS_MAX) throw new Refusal('view_too_long');
  return inTransaction(actor.merchantId, async (tx) => {
    // Serialize, or two concurrent saves would both pass the limit.
    await tx.$executeRaw`SELECT FROM people WHERE id = ${actor.personId}::uuid FOR NO KEY UPDATE`;
    await tx.$executeRaw`UPDATE saved_views SET deleted_at = clock_timestamp()
      WHERE person_id = ${actor.personId}::uuid AND list = ${list} AND name = ${called}
      AND deleted_at IS NULL`;
    const [made] = await tx.$queryRaw<Row<'saved_views', 'id'>[]>`
      INSERT INTO saved_views (merchant_id, person_id, list, name, address, created_at)
        SELECT ${actor.merchantId}::uuid, ${actor.personId}::uuid, ${list}, ${called},
        ${address}, clock_timestamp()
      WHERE (SELECT count(*) FROM saved_views WHERE person_id = ${actor.personId}::uuid
        AND list = ${list} AND deleted_at IS NULL) < ${VIEWS_MAX} RETURNING id`;
    if (made === undefined) throw new Refusal('views_full', { max: VIEWS_MAX });
    return made.id;
  });
}

/**
 * @throws Refusal `not_allowed`, `not_found`, `view_name` (also for the name of another view of the
 * list)
 */
export async function renameView(actor: Person, id: string, name: string): Promise<void> {
  const called = nameOf(name);
  await change(
    actor,
    id,
    (own) =>
      inTransaction(
        actor.merchantId,
        (tx) => tx.$executeRaw`
    UPDATE saved_views v SET name = ${called} WHERE id = ${own}::uuid
      AND person_id = ${actor.personId}::uuid AND deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM saved_views o WHERE o.person_id = v.person_id AND o.list = v.list
        AND o.name = ${called} AND o.deleted_at IS NULL AND o.id <> v.id)`,
      ),
    'view_name',
  );
}

/**
 * Removes a view. It can be restored for a day. @throws Refusal `not_allowed`, `not_found`
 */
export async function removeView(actor: Person, id: string): Promise<void> {
  await change(
    actor,
    id,
    (own) =>
      inTransaction(
        actor.merchantId,
        (tx) => tx.$executeRaw`
    UPDATE saved_views SET deleted_at = clock_timestamp() WHERE id = ${own}::uuid
      AND person_id = ${actor.personId}::uuid AND deleted_at IS NULL`,
      ),
    'not_found',
  );
}

/**
 * Undoes a removal. @throws Refusal `not_allowed`, `not_found`: it no longer exists, or its name is
 * in use again
 */
export async function restoreView(actor: Person, id: string): Promise<void> {
  await change(
    actor,
    id,
    (own) =>
      inTransaction(
        actor.merchantId,
        (tx) => tx.$executeRaw`
    UPDATE saved_views v SET deleted_at = NULL WHERE id = ${own}::uuid
      AND person_id = ${actor.personId}::uuid AND deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM saved_views o WHERE o.person_id = v.person_id AND o.list = v.list
        AND o.name = v.name AND o.deleted_at IS NULL)`,
      ),
    'not_found',
  );
}

async function change(
  actor: Person,
  id: string,
  write: (id: string) => Promise<number>,
  otherwise: 'not_found' | 'view_name',
): Promise<void> {
  assertMay(actor, 'movement.read');
  if (!UUID.test(id) || (await write(id)) !== 1)
    throw new Refusal(otherwise, otherwise === 'view_name' ? { max: NAME_MAX } : {});
}

function nameOf(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (name === '' || name.length > NAME_MAX) throw new Refusal('view_name', { max: NAME_MAX });
  return name;
}
