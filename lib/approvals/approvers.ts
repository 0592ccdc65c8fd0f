import 'server-only';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Approver } from './eligible.ts';

/**
 * Everybody who may approve now, by name: those whose role permits it, and the deputies of today. A
 * deputy approves as an approver, whoever is represented.
 */
export async function readApprovers(tx: Tx): Promise<Approver[]> {
  return tx.$queryRaw<Approver[]>`
    SELECT id, name, CASE WHEN role = 'owner' THEN 'owner' ELSE 'approver' END AS role,
      deputy_of AS "deputyOf"
    FROM (SELECT p.id, p.name, p.role, deputy_for(p.id, clock_timestamp()) AS deputy_of
      FROM people p WHERE NOT ${IS_DISABLED_P}) who
    WHERE role IN ('approver', 'owner') OR deputy_of IS NOT NULL ORDER BY name`;
}
