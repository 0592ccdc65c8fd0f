import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { once, soon } from '#lib/runtime/short-lived-cache.ts';
import { daysRange } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { findOwnPayouts } from '#lib/movement-views/overview.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import type { Transaction } from '#lib/providers/wallet/types.ts';
import { KIND_TYPE_IDS } from './filter.ts';
import type { MovementKind, WalletMovementQuery } from './filter.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';

const PAGE_ROWS = 25;
/** Several people, or tabs, on one wallet's page share one request. */
const SHARED_MS = 5_000;

/**
 * One entry of the provider's ledger, from this wallet's point of view. `amount` is positive, the
 * direction gives the sign.
 */
export type WalletMovement = {
  transactionId: string;
  kind: MovementKind | 'return' | 'other';
  /** The provider's own word for the type. */
  type: string | null;
  status: 'pending' | 'completed' | 'cancelled' | 'refunded' | 'other';
  statusText: string | null;
  direction: 'in' | 'out';
  amount: string;
  /** What this wallet paid for it, as its sender or its receiver. */
  fee: string;
  currency: string;
  at: string | null;
  completedAt: string | null;
  description: string | null;
  /** The other wallet of a transfer. */
  otherWallet: string | null;
  extId: string | null;
  receiptNumber: string | null;
  /** The transaction that this one returns, when the ledger names it. */
  refersTo: string | null;
  /** Our own payout for this entry. */
  payoutId: string | null;
};

export type WalletMovements =
  | {
      kind: 'answered';
      rows: WalletMovement[];
      index: number;
      pageCount: number;
      rowCount: number;
      in: string;
      out: string;
      fees: string;
    }
  /**
   * The provider did not respond; no older response is shown, because a ledger with gaps looks
   * complete.
   */
  | { kind: 'no_answer'; why: string };

/**
 * One page of the wallet's movements as the provider's ledger lists them: settled ones only, newest
 * first.
 */
export async function walletMovements(
  actor: Person,
  number: string,
  { filter, index }: WalletMovementQuery,
): Promise<WalletMovements> {
  assertMay(actor, 'wallet.read');
  const range = daysRange({ from: filter.from, to: filter.to }, env().timeZone);
  const typeIds = filter.kind === null ? undefined : [...KIND_TYPE_IDS[filter.kind]];
  const key = `movements:${number}:${range.from}:${range.to}:${filter.kind ?? ''}:${index}`;
  const question = {
    from: range.from,
    to: range.to,
    wallet: number,
    ...(typeIds === undefined ? {} : { typeIds }),
  };
  const answer = await soon(
    once(key, SHARED_MS, () =>
      walletClient().listTransactions(question, { index, size: PAGE_ROWS, order: 'newest' }),
    ),
  );
  if (answer === null) return { kind: 'no_answer', why: 'slow' };
  if (answer.kind === 'not_found')
    return {
      kind: 'answered',
      rows: [],
      index: 0,
      pageCount: 0,
      rowCount: 0,
      in: '0.00',
      out: '0.00',
      fees: '0.00',
    };
  if (answer.kind === 'no_answer') return answer;

  // The provider's end of a range is inclusive; ours is not.
  const lines = answer.value.rows.filter((line) => !isFrom(line, range.to));
  const own = await findOwnPayouts(actor, {
    extIds: lines.flatMap((line) => line.extId ?? []),
    transactionIds: lines.flatMap((line) => refersTo(line) ?? []),
  });
  // A line that waits or was cancelled has moved no money.
  const moved = lines.filter(({ level }) => level === 'completed' || level === 'refunded');
  const sum = (pick: (line: Transaction) => bigint): string =>
    toDecimal(moved.reduce((total, line) => total + pick(line), 0n));
  return {
    kind: 'answered',
    rows: lines.map((line) => toMovement(line, number, own)),
    index: answer.value.index,
    pageCount: answer.value.pageCount,
    rowCount: answer.value.rowCount,
    in: sum((line) => (line.direction === 'in' ? line.amountMinor : 0n)),
    out: sum((line) => (line.direction === 'out' ? line.amountMinor : 0n)),
    fees: sum(feeOf),
  };
}

/** The fee that this wallet paid for an entry: as its sender, or as its receiver. */
function feeOf(line: Transaction): bigint {
  return line.direction === 'out' ? line.feeMinor : (line.receiverFeeMinor ?? 0n);
}

function isFrom(line: Transaction, end: string): boolean {
  const at = ledgerInstant(line.createdAt);
  return at !== null && at >= end;
}

function toMovement(line: Transaction, wallet: string, own: Map<string, string>): WalletMovement {
  const other = line.direction === 'in' ? line.fromWallet : line.toWallet;
  return {
    transactionId: line.transactionId,
    kind: kindIn(line, own),
    type: line.type,
    status: line.level,
    statusText: line.status,
    direction: line.direction,
    amount: toDecimal(line.amountMinor),
    fee: toDecimal(feeOf(line)),
    currency: line.currency,
    at: ledgerInstant(line.createdAt),
    completedAt: ledgerInstant(line.completedAt),
    description: line.description,
    otherWallet: other === wallet ? null : other,
    extId: line.extId,
    receiptNumber: line.receiptNumber,
    refersTo: line.refersTo,
    payoutId: own.get(refersTo(line) ?? line.extId ?? '') ?? null,
  };
}

/** The earlier transaction that an incoming entry returns; null where it names none. */
function refersTo(line: Transaction): string | null {
  return line.direction === 'in' ? line.refersTo : null;
}

/**
 * Incoming money that names an earlier transaction, or that comes from outside with the reference of
 * a payment of ours, is a return by the bank.
 */
function kindIn(line: Transaction, own: ReadonlyMap<string, string>): WalletMovement['kind'] {
  if (refersTo(line) !== null) return 'return';
  const kind = kindOf(line.typeId);
  const isOurs = line.extId !== null && own.has(line.extId);
  return kind === 'top_up' && line.direction === 'in' && isOurs ? 'return' : kind;
}

/** The kind of a published type number; `other` is shown with the provider's own word. */
function kindOf(typeId: number): MovementKind | 'other' {
  return (
    (Object.keys(KIND_TYPE_IDS) as MovementKind[]).find((kind) =>
      KIND_TYPE_IDS[kind].includes(typeId),
    ) ?? 'other'
  );
}
