import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { HAS_LAPSED_A } from '#lib/access/disabled-login.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Decided } from './decided.ts';

/** The decisions about a movement in any state. Times ISO. */
export async function viewDecided(actor: Person, id: string): Promise<Decided> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const given = await tx.$queryRaw<
      (Row<'approvals', 'created_at' | 'override_reason'> & {
        by: string;
        of: string | null;
        lapsed: boolean;
      })[]
    >`SELECT p.name AS by, o.name AS of, a.created_at, a.override_reason,
        m.state IN ('AWAITING_APPROVAL', 'APPROVED')
          AND ${HAS_LAPSED_A} AS lapsed
      FROM approvals a JOIN movements m ON m.id = a.movement_id
        JOIN people p ON p.id = a.person_id LEFT JOIN people o ON o.id = a.deputy_of
      WHERE a.movement_id = ${id}::uuid ORDER BY a.created_at`;
    return {
      given: given.map((row) => ({
        by: row.by,
        of: row.of,
        at: row.created_at.toISOString(),
        overrideReason: row.override_reason,
        lapsed: row.lapsed,
      })),
      sentBack: await sentBackOf(tx, id),
    };
  });
}

async function sentBackOf(tx: Tx, id: string): Promise<Decided['sentBack']> {
  const [row] = await tx.$queryRaw<
    (Row<'evidence', 'at' | 'detail', { detail: { reason: string } }> & {
      by: string;
      of: string | null;
    })[]
  >`SELECT p.name AS by, o.name AS of, e.at, e.detail FROM evidence e
      JOIN people p ON p.id::text = e.detail ->> 'by'
      LEFT JOIN people o ON o.id::text = e.detail ->> 'deputyOf'
    WHERE e.movement_id = ${id}::uuid AND e.kind = 'sent_back'`;
  return row
    ? { by: row.by, of: row.of, at: row.at.toISOString(), reason: row.detail.reason }
    : null;
}
