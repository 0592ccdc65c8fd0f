import 'server-only';
import type { Role } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';

type Joined = { id: string; name: string; email: string; role: Role };

/**
 * Finds or makes the person of a completed sign-in; null for one who is disabled, also under another
 * address of the same login at the provider. The first person of a merchant is its owner. A later
 * one gets the role of the invitation of this address; without one, read-only access until an owner
 * changes it.
 */
export async function joinAtSignIn(
  tx: Tx,
  merchant: string,
  email: string,
  user: { id: string; name: string },
): Promise<Joined | null> {
  const [barred] = await tx.$queryRaw<Row<'people', 'id'>[]>`
    SELECT id FROM people WHERE disabled_at IS NOT NULL AND provider_user_id = ${user.id} LIMIT 1`;
  if (barred) return null;
  // Of two first sign-ins at once the second waits here, and then finds a person.
  await tx.$executeRaw`SELECT FROM merchants WHERE id = ${merchant}::uuid
    AND NOT EXISTS (SELECT FROM people) FOR NO KEY UPDATE`;
  const invitation = await invitationFor(tx, email);
  const [row] = await tx.$queryRaw<(Joined & { is_new: boolean })[]>`
    INSERT INTO people (merchant_id, email, name, role, provider_user_id)
    VALUES (${merchant}::uuid, ${email}, ${storable(user.name) || email},
      CASE WHEN EXISTS (SELECT FROM people) THEN ${invitation?.role ?? 'support'} ELSE 'owner' END,
      ${user.id})
    ON CONFLICT (merchant_id, lower(email)) DO UPDATE
      SET provider_user_id = excluded.provider_user_id, name = excluded.name
      WHERE people.disabled_at IS NULL
    RETURNING id, name, email, role, xmax = 0 AS is_new`;
  if (!row) return null;
  if (row.is_new) await noteJoined(tx, merchant, row, invitation?.id ?? null);
  return { id: row.id, name: row.name, email: row.email, role: row.role };
}

/**
 * The invitation that gives this address a role now. Its row is locked, so that it is not withdrawn
 * while it is used. The table's guard enforces the same conditions.
 */
async function invitationFor(
  tx: Tx,
  email: string,
): Promise<Row<'person_invitations', 'id' | 'role', { role: Role }> | null> {
  const [row] = await tx.$queryRaw<Row<'person_invitations', 'id' | 'role', { role: Role }>[]>`
    SELECT id, role FROM person_invitations
    WHERE email = ${email} AND used_at IS NULL AND withdrawn_at IS NULL
      AND expires_at > clock_timestamp()
      AND (confirmed_at IS NOT NULL OR role NOT IN ('approver', 'owner')) FOR UPDATE`;
  return row ?? null;
}

async function noteJoined(
  tx: Tx,
  merchantId: string,
  person: Joined,
  invitation: string | null,
): Promise<void> {
  if (invitation !== null)
    await tx.$executeRaw`
      UPDATE person_invitations SET used_at = clock_timestamp(), person_id = ${person.id}::uuid
      WHERE id = ${invitation}::uuid`;
  await audit(
    tx,
    { kind: 'provider', merchantId },
    'person.joined',
    `person:${person.id}`,
    { to: person.role, invitation },
    { person: person.name, email: person.email },
  );
  await publish(tx, { merchantId }, { kind: 'person', id: person.id });
}
