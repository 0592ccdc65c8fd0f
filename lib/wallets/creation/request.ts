import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Wallet } from '#lib/providers/wallet/types.ts';

/** One stored request for a wallet. */
export type WalletRequestRow = {
  id: string;
  name: string;
  currency: string;
  fast_iban: boolean;
  numbers_before: string[];
  /** NOT_MADE: a person checked, and the list did not show it. */
  state: 'UNCLEAR' | 'CREATED' | 'REFUSED' | 'NOT_SENT' | 'NOT_MADE';
  number: string | null;
  reason: string | null;
  code: string | null;
  message: string | null;
  asked_at: Date;
  answered_at: Date | null;
  by: string;
  now: Date;
  /** Numbers of wallets that other requests created. */
  others: string[];
};

export const requestOf = (id: string): ReturnType<typeof sql> => sql`
  SELECT r.id, r.name, r.currency, r.fast_iban, r.numbers_before, r.state, r.number, r.reason,
    r.code, r.message, r.asked_at, r.answered_at, p.name AS by, clock_timestamp() AS now,
    array(SELECT o.number FROM wallet_requests o WHERE o.number IS NOT NULL AND o.id <> r.id) AS others
  FROM wallet_requests r JOIN people p ON p.id = r.person_id WHERE r.id = ${id}::uuid`;

/** The wallets that were not listed before the request, and that no other request created. */
export function appeared(
  request: Pick<WalletRequestRow, 'numbers_before' | 'others'>,
  wallets: readonly Wallet[],
): Wallet[] {
  const known = new Set([...request.numbers_before, ...request.others]);
  return wallets.filter((wallet) => !known.has(wallet.number));
}

/**
 * The wallet that appeared after the request and has its name and currency; null when there is
 * none.
 */
export function madeBy(
  request: Pick<WalletRequestRow, 'numbers_before' | 'others' | 'name' | 'currency'>,
  wallets: readonly Wallet[],
): Wallet | null {
  return (
    appeared(request, wallets).find(
      (wallet) => wallet.name.trim() === request.name && wallet.currency === request.currency,
    ) ?? null
  );
}
