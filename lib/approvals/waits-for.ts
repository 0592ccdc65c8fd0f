import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';

/**
 * Whether the movement `m` waits for the approval of one person: not of its makers, only of owners
 * where the policy asks for one, and of nobody who has approved it. A deputy is held to what the
 * person represented has made and given, too. `represented` may be null.
 */
export function waitsFor(who: {
  id: Prisma.Sql;
  role: Prisma.Sql;
  represented: Prisma.Sql;
}): Prisma.Sql {
  return sql`(m.state = 'AWAITING_APPROVAL'
    AND NOT EXISTS (SELECT FROM movement_makers(m.id) AS maker
      WHERE maker IN (${who.id}, ${who.represented}))
    AND (${who.role} = 'owner' OR NOT EXISTS (SELECT FROM approval_requirements r
      WHERE r.movement_id = m.id AND r.owners_only))
    AND NOT EXISTS (SELECT FROM approvals a WHERE a.movement_id = m.id
      AND (a.person_id = ${who.id}
        OR coalesce(a.deputy_of, a.person_id) = coalesce(${who.represented}, ${who.id}))))`;
}
