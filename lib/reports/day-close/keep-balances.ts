import 'server-only';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { WalletClient } from '#lib/providers/wallet/client.ts';
import { CLOCKS_APART_SECONDS } from './evidence.ts';

const WALLETS_MAX = 200;
/** The minimum interval between stored balances without a change. */
const SAME_AFTER_MINUTES = 55;

/**
 * Stores the balance of each wallet as the provider reports it now, with the time of the query.
 * Without a response, or with a late one, which may be older or newer than an entry of meanwhile,
 * the next run queries again. Idempotent, also with two workers at once: what a later query of another
 * one has stored is newer than this response.
 */
export async function keepBalances(
  merchantId: string,
  wallets: Pick<WalletClient, 'listWallets'>,
): Promise<number> {
  const began = { monotonic: performance.now(), wall: Date.now() };
  const [begun] = await inOne<{ at: string }>(
    merchantId,
    // As text: a Date has no microseconds.
    sql`SELECT clock_timestamp()::text AS at`,
  );
  const answer = await wallets.listWallets({}, { index: 0, size: WALLETS_MAX, order: 'oldest' });
  // The monotonic clock stands still while the machine is suspended.
  const tookMs = Math.max(performance.now() - began.monotonic, Math.abs(Date.now() - began.wall));
  if (tookMs > CLOCKS_APART_SECONDS * 1_000) return 0;
  if (answer.kind !== 'answered' || answer.value.rows.length === 0) return 0;
  const rows = answer.value.rows;
  return inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`SELECT
      pg_advisory_xact_lock(hashtextextended(${`balances:${merchantId}`}, 0))`;
    return tx.$executeRaw`
    INSERT INTO wallet_balances (merchant_id, wallet, at, total_minor, currency)
    SELECT ${merchantId}::uuid, n.wallet, ${begun!.at}::timestamptz, n.total, n.currency
    FROM unnest(${rows.map((one) => one.number)}::text[],
      ${rows.map((one) => one.totalMinor.toString())}::bigint[],
      ${rows.map((one) => one.currency)}::text[]) AS n (wallet, total, currency)
    WHERE NOT EXISTS (SELECT
      FROM (SELECT total_minor, at FROM wallet_balances b WHERE b.wallet = n.wallet ORDER BY at DESC
      LIMIT 1) l
      WHERE l.at >= ${begun!.at}::timestamptz OR (l.total_minor = n.total
        AND l.at > clock_timestamp() - make_interval(mins => ${SAME_AFTER_MINUTES})))`;
  });
}
