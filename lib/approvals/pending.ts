import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { viewWallets } from '#lib/wallets/view.ts';
import { balancesAfter } from './balance-after.ts';
import type { BalanceAfter } from './balance-after.ts';

/**
 * What each paying wallet would hold after everything that waits for approval or to be sent; fees
 * are not counted. A wallet whose balance is not known is left out.
 */
export async function viewBalancesAfter(actor: Person): Promise<BalanceAfter[]> {
  assertMay(actor, 'movement.approve');
  const [wallets, pending] = await Promise.all([
    viewWallets(actor),
    inOne<{ wallet: string; minor: string }>(
      actor.merchantId,
      sql`SELECT wallet, sum(amount_minor)::text AS minor FROM movements
        WHERE state IN ('AWAITING_APPROVAL', 'APPROVED') AND wallet <> '' GROUP BY wallet`,
    ),
  ]);
  const sums = new Map(pending.map(({ wallet, minor }) => [wallet, BigInt(minor)]));
  return balancesAfter(wallets.value ?? [], sums);
}
