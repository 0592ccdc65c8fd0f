import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';

const ROWS = 30;
const TYPES = 3;

/**
 * What this person used in the latest payouts, which the form offers again; empty before the first
 * payout.
 */
export type LastUsed = {
  wallet: string | null;
  /** Codes of payment types, the latest first. */
  types: string[];
  /** The latest payout that was completed and did not come back. */
  payout: { id: string; name: string } | null;
};

export async function lastUsed(actor: Person): Promise<LastUsed> {
  assertMay(actor, 'payout.prepare');
  const rows = await inOne<
    Row<'movements', 'id' | 'wallet' | 'payment_type' | 'name' | 'state' | 'returned'>
  >(
    actor.merchantId,
    sql`SELECT id, wallet, payment_type, name, state, returned FROM movements
      WHERE kind = 'payout' AND maker_id = ${actor.personId}::uuid
      ORDER BY created_at DESC LIMIT ${ROWS}`,
  );
  const paid = rows.find(({ state, returned }) => state === 'COMPLETED' && returned === 'NONE');
  return {
    wallet: rows[0]?.wallet ?? null,
    types: [...new Set(rows.map((row) => row.payment_type))].slice(0, TYPES),
    payout: paid === undefined ? null : { id: paid.id, name: paid.name },
  };
}
