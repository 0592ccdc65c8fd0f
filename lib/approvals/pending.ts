import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { viewWallets } from '#lib/wallets/view.ts';
import { balancesAfter } from './balance-after.ts';
import type { BalanceAfter } from './balance-after.ts';

/**
 * What each paying wallet would hold after everything that waits for approval or to be sent; fees
 * are not counted. A wallet whose balance is not known now is left out: what was paid since an
 * earlier balance waits no more, and would be missing from both.
 */
export async function viewBalancesAfter(actor: Person): Promise<BalanceAfter[]> {
  assertMay(actor, 'movement.approve');
  const [wallets, pending] = await Promise.all([viewWallets(actor), readPending(actor)]);
  return wallets.fresh ? balancesAfter(wallets.value ?? [], pending) : [];
}

/**
 * The sum of what waits for approval or to be sent, by wallet, in minor units. A row of a bulk
 * payout counts from its submission on, before it is a movement.
 */
export async function readPending(actor: Person): Promise<ReadonlyMap<string, bigint>> {
  assertMay(actor, 'movement.read');
  const sums = await inOne<{ wallet: string; minor: string }>(
    actor.merchantId,
    sql`
    SELECT wallet, sum(amount_minor)::text AS minor FROM (
      SELECT wallet, amount_minor FROM movements
      WHERE state IN ('AWAITING_APPROVAL', 'APPROVED') AND wallet <> ''
      UNION ALL
      SELECT b.wallet, w.amount_minor FROM batch_runs r JOIN batches b ON b.id = r.batch_id
        JOIN batch_rows w ON w.batch_id = b.id
      WHERE r.fed_at IS NULL AND r.stopped_at IS NULL AND w.made_at IS NULL
        AND w.refused_at IS NULL AND (r.approved_at IS NOT NULL OR r.began_at
          > clock_timestamp() - make_interval(secs => ${APPROVAL_LIFE_MS / 1_000}))
    ) waiting GROUP BY wallet`,
  );
  return new Map(sums.map(({ wallet, minor }) => [wallet, BigInt(minor)]));
}
