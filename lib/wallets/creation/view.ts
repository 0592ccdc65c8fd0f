import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { soon } from '#lib/runtime/short-lived-cache.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import type { Wallet } from '#lib/providers/wallet/types.ts';
import { freshWallets } from '../ask.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';
import { SETTLE_AFTER_MS } from './look.ts';
import { appeared, requestOf } from './request.ts';
import type { WalletRequestRow } from './request.ts';

/** The page waits at most this long for a response in transit. */
const UNDER_WAY_MS = 35_000;

export type WalletRequestView = {
  id: string;
  name: string;
  currency: string;
  fastIban: boolean;
  state: WalletRequestRow['state'];
  number: string | null;
  reason: string | null;
  code: string | null;
  message: string | null;
  by: string;
  askedAt: string;
  answeredAt: string | null;
  underWay: boolean;
  /** The number of listed wallets before the request. */
  before: number;
  /** From this time on, a person may declare that no wallet was created. */
  settleFrom: string;
  now: string;
};

/**
 * The provider's list for an unclear request: the number of wallets now, and the new ones. Null
 * when the list cannot be read.
 */
export type WalletsSince = {
  count: number;
  appeared: { number: string; name: string; currency: string; createdAt: string | null }[];
} | null;

export async function viewRequest(actor: Person, id: string): Promise<WalletRequestView | null> {
  assertMay(actor, 'wallet.create');
  const [row] = await inOne<WalletRequestRow>(actor.merchantId, requestOf(id));
  if (!row) return null;
  const age = row.now.getTime() - row.asked_at.getTime();
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    fastIban: row.fast_iban,
    state: row.state,
    number: row.number,
    reason: row.reason,
    code: row.code,
    message: row.message,
    by: row.by,
    askedAt: row.asked_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    underWay: row.state === 'UNCLEAR' && row.answered_at === null && age < UNDER_WAY_MS,
    before: row.numbers_before.length,
    settleFrom: new Date(row.asked_at.getTime() + SETTLE_AFTER_MS).toISOString(),
    now: row.now.toISOString(),
  };
}

export async function walletsSince(actor: Person, id: string): Promise<WalletsSince> {
  assertMay(actor, 'wallet.create');
  const [row] = await inOne<WalletRequestRow>(actor.merchantId, requestOf(id));
  const listed = await soon(
    freshWallets().then((value): Reply<Wallet[]> =>
      value === null ? { kind: 'no_answer', why: 'list' } : { kind: 'answered', value },
    ),
  );
  if (!row || listed?.kind !== 'answered') return null;
  return {
    count: listed.value.length,
    appeared: appeared(row, listed.value).map(({ number, name, currency, createdAt }) => ({
      number,
      name,
      currency,
      createdAt: ledgerInstant(createdAt),
    })),
  };
}

/** The currently unclear request; there is at most one. */
export async function openRequest(actor: Person): Promise<string | null> {
  assertMay(actor, 'wallet.create');
  const [row] = await inOne<Row<'wallet_requests', 'id'>>(
    actor.merchantId,
    sql`SELECT id FROM wallet_requests WHERE state = 'UNCLEAR'`,
  );
  return row?.id ?? null;
}
