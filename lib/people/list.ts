import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { isOpen } from '#lib/login/open-sessions.ts';
import { columns, inTransaction, records, sql } from '#lib/runtime/db.ts';
import type { Prisma, RowOf } from '#lib/runtime/db.ts';
import { compareTurkish } from '#lib/values/turkish.ts';

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  disabledAt: string | null;
  lastSignInAt: string | null;
  openSessions: number;
  self: boolean;
};

const STAFF = columns('people', ['id', 'name', 'email', 'role', 'disabled_at']);
export type StaffRow = RowOf<typeof STAFF, { role: Role }> & {
  last_sign_in_at: Date | null;
  open_sessions: number;
};

/**
 * A person `p` with the last sign-in and the number of open sessions. Sessions are deleted after a
 * month, so the devices are asked as well.
 */
export function staffColumns(): Prisma.Sql {
  return sql`${STAFF.of('p')},
    greatest((SELECT max(s.created_at) FROM sessions s WHERE s.person_id = p.id),
      (SELECT max(d.last_used_at) FROM known_devices d WHERE d.person_id = p.id)) AS last_sign_in_at,
    (SELECT count(*)::int FROM sessions s WHERE s.person_id = p.id AND p.disabled_at IS NULL
      AND ${isOpen()}) AS open_sessions`;
}

/** This merchant's people, those who may sign in first. */
export async function listPeople(actor: Person): Promise<PersonRow[]> {
  assertMay(actor, 'people.read');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<StaffRow[]>`SELECT ${staffColumns()} FROM people p`,
  );
  return rows
    .map((row) => personRow(actor, row))
    .sort(
      (a, b) =>
        Number(a.disabledAt !== null) - Number(b.disabledAt !== null) ||
        compareTurkish(a.name, b.name),
    );
}

export function personRow(actor: Person, row: StaffRow): PersonRow {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    openSessions: row.open_sessions,
    self: row.id === actor.personId,
  };
}

/** Names for the filter of the audit log; its readers see them in every row anyway. */
export async function listPeopleNames(actor: Person): Promise<{ id: string; name: string }[]> {
  assertMay(actor, 'audit.read');
  const { person } = await records(actor.merchantId);
  const rows = await person.findMany({ select: { id: true, name: true } });
  return rows.sort((a, b) => compareTurkish(a.name, b.name));
}
