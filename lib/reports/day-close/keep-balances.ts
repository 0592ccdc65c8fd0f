import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';

const WALLETS_MAX = 200;
/**
 * A balance that did not change is noted again only after this: evidence wants moments, not
 * repetitions.
 */
const SAME_AFTER_MINUTES = 55;

/**
 * Notes what the provider says that each wallet holds now. A provider that gives no answer is asked
 * again the next time.
 */
export async function keepBalances(
  merchantId: string,
  wallets: Pick<WalletClient, 'listWallets'>,
): Promise<number> {
  const answer = await wallets.listWallets({}, { index: 0, size: WALLETS_MAX, order: 'oldest' });
  if (answer.kind !== 'answered' || answer.value.rows.length === 0) return 0;
  const rows = answer.value.rows;
  return inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
    SELECT ${merchantId}::uuid, n.wallet, clock_timestamp(), n.total, n.currency
    FROM unnest(${rows.map((one) => one.number)}::text[],
      ${rows.map((one) => one.totalMinor.toString())}::bigint[],
      ${rows.map((one) => one.currency)}::text[]) AS n (wallet, total, currency)
    WHERE NOT EXISTS (SELECT
      FROM (SELECT total_minor, at FROM wallet_balances b WHERE b.wallet = n.wallet ORDER BY at DESC
      LIMIT 1) l
      WHERE l.total_minor = n.total
        AND l.at > clock_timestamp() - make_interval(mins => ${SAME_AFTER_MINUTES}))`,
  );
}
