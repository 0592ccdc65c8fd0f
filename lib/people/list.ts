import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { columns, inTransaction, records } from '#lib/runtime/db.ts';
import type { RowOf } from '#lib/runtime/db.ts';
import { compareTurkish } from '#lib/values/turkish.ts';

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  disabled: boolean;
  lastSeenAt: string | null;
  self: boolean;
};

const STAFF = columns('people', ['id', 'name', 'email', 'role', 'disabled_at']);

/** This merchant's staff with role and last visit. */
export async function listPeople(actor: Person): Promise<PersonRow[]> {
  assertMay(actor, 'people.read');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<
      (RowOf<typeof STAFF, { role: Role }> & { last_seen_at: Date | null })[]
    >`SELECT ${STAFF.of('p')},
      (SELECT max(s.last_seen_at) FROM sessions s WHERE s.person_id = p.id) AS last_seen_at FROM people p`,
  );
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      disabled: row.disabled_at !== null,
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      self: row.id === actor.personId,
    }))
    .sort((a, b) => compareTurkish(a.name, b.name));
}

/** Names for the filter of the audit log; its readers see them in every row anyway. */
export async function listPeopleNames(actor: Person): Promise<{ id: string; name: string }[]> {
  assertMay(actor, 'audit.read');
  const { person } = await records(actor.merchantId);
  const rows = await person.findMany({ select: { id: true, name: true } });
  return rows.sort((a, b) => compareTurkish(a.name, b.name));
}
