import { ledgerLevel } from '#lib/providers/wallet/wire.ts';
import type { Transaction, Withdrawal, WithdrawalLevel } from '#lib/providers/wallet/types.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';

/**
 * A provider record in the form that recovery compares. `reference` is the provider's own number;
 * `madeAt` ISO. Pure.
 */
export type ProviderRecord = {
  source: 'withdrawal' | 'ledger';
  reference: string;
  extId: string | null;
  level: WithdrawalLevel;
  amountMinor: bigint;
  currency: string;
  wallet: string | null;
  /** For a transfer: the receiving wallet. */
  toWallet: string | null;
  iban: string | null;
  name: string | null;
  reason: string | null;
  madeAt: string | null;
};

export function ofWithdrawal(row: Withdrawal): ProviderRecord {
  const {
    requestId: reference,
    extId,
    level,
    amountMinor,
    currency,
    wallet,
    iban,
    name,
    reason,
  } = row;
  return {
    source: 'withdrawal',
    reference,
    extId,
    level,
    amountMinor,
    currency,
    wallet,
    toWallet: null,
    iban,
    name,
    reason,
    madeAt: ledgerInstant(row.createdAt),
  };
}

/**
 * The entry as money that left one of our wallets, according to its status. Null for incoming money,
 * except for that from somebody else's wallet: `matchRecord` knows the own wallets.
 */
export function ofLedgerLine(row: Transaction): ProviderRecord | null {
  if (row.direction !== 'out') return null;
  const { transactionId: reference, extId, amountMinor, currency } = row;
  return {
    source: 'ledger',
    reference,
    extId,
    level: ledgerLevel(row.statusId),
    amountMinor,
    currency,
    wallet: row.fromWallet,
    toWallet: row.toWallet,
    iban: null,
    name: null,
    reason: null,
    madeAt: ledgerInstant(row.createdAt),
  };
}
