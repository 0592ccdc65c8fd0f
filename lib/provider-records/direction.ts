import 'server-only';
import { sql } from '#lib/runtime/db.ts';

/** The numbers of the own wallets: without correlation, so evaluated once per statement. */
export const OWN_WALLETS = sql`(SELECT coalesce(array_agg(number), '{}') FROM wallet_snapshots)::text[]`;

/**
 * Whether a mirrored entry `l` brought money in. Its stored direction knows no wallets, so that every
 * entry with a sender is outgoing in it: also a transfer that somebody else made to an own wallet.
 */
export const CAME_IN = sql`(l.direction = 'in' OR (l.from_wallet <> ALL (${OWN_WALLETS})
  AND l.to_wallet = ANY (${OWN_WALLETS})))`;
