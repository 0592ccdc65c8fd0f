import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';

/** The wallet that this person paid from last; null before the first payout. */
export async function lastUsedWallet(actor: Person): Promise<string | null> {
  assertMay(actor, 'payout.prepare');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<Row<'movements', 'wallet'>[]>`
    SELECT wallet FROM movements WHERE kind = 'payout' AND maker_id = ${actor.personId}::uuid
      ORDER BY created_at DESC LIMIT 1`,
  );
  return rows[0]?.wallet ?? null;
}
