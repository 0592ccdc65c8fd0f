import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Permission, Person, Role } from '#lib/access/actor.ts';
import { NotAllowed, Refusal } from '#lib/access/refusal.ts';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * Serializes all changes to the people of a merchant, and asks for the right again under the lock:
 * of two owners who disable each other at once, the second is no longer one.
 *
 * @throws NotAllowed
 */
export async function lockPeople(tx: Tx, actor: Person, permission: Permission): Promise<void> {
  await tx.$executeRaw`SELECT FROM merchants WHERE id = ${actor.merchantId}::uuid FOR NO KEY UPDATE`;
  const [self] = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role FROM people WHERE id = ${actor.personId}::uuid AND disabled_at IS NULL`;
  if (!self || !may(self.role, permission)) throw new NotAllowed(permission);
}

const PERSON = columns('people', ['id', 'name', 'email', 'role', 'disabled_at']);
export type LockedPerson = RowOf<typeof PERSON, { role: Role }>;

/**
 * The verbs compare the id that they were given with the actor's own as text. The database would
 * find the same person by an id in capitals, too, so an id in another form finds nobody.
 *
 * @throws Refusal not_found
 */
export async function lockPerson(tx: Tx, id: string): Promise<LockedPerson> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [row] = await tx.$queryRaw<LockedPerson[]>`
    SELECT ${PERSON} FROM people WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (!row) throw new Refusal('not_found');
  return row;
}

const INVITATION = columns('person_invitations', [
  'id',
  'email',
  'role',
  'invited_by',
  'confirmed_at',
  'expires_at',
  'withdrawn_at',
  'used_at',
]);
export type LockedInvitation = RowOf<typeof INVITATION, { role: Role }>;

/** @throws Refusal not_found */
export async function lockInvitation(tx: Tx, id: string): Promise<LockedInvitation> {
  if (!UUID.test(id)) throw new Refusal('not_found');
  const [row] = await tx.$queryRaw<LockedInvitation[]>`
    SELECT ${INVITATION} FROM person_invitations WHERE id = ${id}::uuid FOR UPDATE`;
  if (!row) throw new Refusal('not_found');
  return row;
}

/** The invitation of an address that is neither used nor withdrawn; at most one. */
export async function openInvitationOf(tx: Tx, email: string): Promise<LockedInvitation | null> {
  const [row] = await tx.$queryRaw<LockedInvitation[]>`
    SELECT ${INVITATION} FROM person_invitations
    WHERE email = ${email} AND used_at IS NULL AND withdrawn_at IS NULL FOR UPDATE`;
  return row ?? null;
}

/**
 * Whether nobody but the owner is, or ever was, somebody who could be the second of two: then one
 * is enough. The table's guard enforces the same.
 */
export async function isAlone(tx: Tx, actor: Person): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    [{ alone: boolean }]
  >`SELECT people_alone(${actor.merchantId}::uuid) AS alone`;
  return row.alone;
}
