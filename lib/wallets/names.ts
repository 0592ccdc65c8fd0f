import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';

export type WalletName = Row<'wallet_snapshots', 'number'> & { name: string; currency: string };

/** The wallets' last known names. No list waits for the provider just to show a name. */
export async function walletNames(actor: Person): Promise<WalletName[]> {
  assertMay(actor, 'wallet.read');
  return inOne<WalletName>(
    actor.merchantId,
    sql`
    SELECT number, record ->> 'name' AS name, record ->> 'currency' AS currency
      FROM wallet_snapshots ORDER BY record ->> 'createdAt', number`,
  );
}
