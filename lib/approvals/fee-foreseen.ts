import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';

/** As many as the form of a payout looks at. */
const FEE_SAMPLES = 50;

/**
 * The range of the fees of the latest movements of the same kind from the same wallet, as decimal
 * text; null when no fee is known.
 */
export async function foreseenFee(
  actor: Person,
  { kind, wallet }: { kind: string; wallet: string },
): Promise<{ min: string; max: string } | null> {
  assertMay(actor, 'movement.read');
  const [row] = await inOne<{ min: bigint | null; max: bigint | null }>(
    actor.merchantId,
    sql`SELECT min(fee_minor) AS min, max(fee_minor) AS max FROM (
      SELECT fee_minor FROM movements WHERE kind = ${kind} AND wallet = ${wallet}
        AND fee_minor IS NOT NULL ORDER BY created_at DESC LIMIT ${FEE_SAMPLES}) AS latest`,
  );
  if (!row || row.min === null || row.max === null) return null;
  return { min: toDecimal(row.min), max: toDecimal(row.max) };
}
