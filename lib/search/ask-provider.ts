import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { addDays, daysRange, dayIn } from '#lib/values/dates.ts';
import { env } from '#lib/runtime/env.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import type { Transaction, Wallet, Withdrawal } from '#lib/providers/wallet/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { ledgerInstant } from '#lib/values/ledger-instant.ts';
import { walletNames } from '#lib/wallets/names.ts';
import type { LedgerHit, WalletHit, WithdrawalHit } from './find.ts';
import type { Reading } from '#lib/readings/understand.ts';

/** The provider search covers this many days. */
export const PROVIDER_DAYS = 90;
/** A person waits at most this long; later responses are ignored. */
const PATIENCE_MS = 4_000;
const ROWS = 5;

/**
 * The provider's responses. `silent`: at least one query had no response in time.
 */
export type ProviderHits =
  | { kind: 'cannot' }
  | {
      kind: 'answered';
      ledger: LedgerHit[];
      withdrawals: WithdrawalHit[];
      wallets: WalletHit[];
      silent: boolean;
    };

/**
 * Searches the provider for these readings: all queries at once, each with the time limit of a
 * screen. Each query counts as one attempt, because everybody shares the provider's rate limit.
 *
 * @throws Refusal not_allowed, too_many
 */
export async function askProvider(
  actor: Person,
  readings: readonly Reading[],
  now = new Date(),
): Promise<ProviderHits> {
  assertMay(actor, 'wallet.read');
  const today = dayIn(now.toISOString(), env().timeZone);
  const range = daysRange({ from: addDays(today, 1 - PROVIDER_DAYS), to: today }, env().timeZone);
  const ask = readings.flatMap((reading) => questions(reading, range));
  if (ask.length === 0) return { kind: 'cannot' };
  await countAttempt(actor, 'search.ask');
  const [answers, names] = await Promise.all([
    Promise.all(ask.map((one) => soon(one()))),
    walletNames(actor),
  ]);
  const own = new Set(names.map(({ number }) => number));
  const mask = (iban: string | null): string | null =>
    iban === null || may(actor.role, 'payee.read') ? iban : maskIban(iban);
  const hits: Extract<ProviderHits, { kind: 'answered' }> = {
    kind: 'answered',
    ledger: [],
    withdrawals: [],
    wallets: [],
    silent: answers.some((answer) => answer === null),
  };
  for (const answer of answers) {
    if (answer === null) continue;
    for (const line of answer.ledger)
      if (hits.ledger.every((one) => one.id !== line.transactionId))
        hits.ledger.push({ ...ledgerHit(line, mask), direction: directionOf(line, own) });
    for (const row of answer.withdrawals)
      if (hits.withdrawals.every((one) => one.id !== row.requestId))
        hits.withdrawals.push(withdrawalHit(row, mask));
    for (const wallet of answer.wallets)
      hits.wallets.push({ number: wallet.number, name: wallet.name, currency: wallet.currency });
  }
  return {
    ...hits,
    ledger: hits.ledger.slice(0, ROWS),
    withdrawals: hits.withdrawals.slice(0, ROWS),
  };
}

type Answer = { ledger: Transaction[]; withdrawals: Withdrawal[]; wallets: Wallet[] };

/** The queries that the provider supports: it cannot search by names or tax numbers. */
function questions(
  reading: Reading,
  range: { from: string; to: string },
): (() => Promise<Answer | null>)[] {
  const page = { index: 0, size: ROWS, order: 'newest' } as const;
  const ledger = (filter: object) => async () =>
    answered(await walletClient().listTransactions({ ...range, ...filter }, page), ({ rows }) => ({
      ledger: rows,
    }));
  const withdrawals = (filter: object) => async () =>
    answered(await walletClient().listWithdrawals({ ...range, ...filter }, page), ({ rows }) => ({
      withdrawals: rows,
    }));
  switch (reading.kind) {
    case 'iban':
      return [withdrawals({ iban: reading.iban })];
    case 'reference':
      return [
        ledger({ extId: reading.whole ? reading.reference : reading.typed }),
        withdrawals({ extId: reading.whole ? reading.reference : reading.typed }),
      ];
    case 'number':
      return [ledger({ transactionId: reading.number })];
    case 'wallet':
      return [
        async () =>
          answered(await walletClient().getWallet(reading.number), (wallet) => ({
            wallets: [wallet],
          })),
      ];
    case 'amount':
      return reading.amounts.flatMap((amount) => [
        ledger({ amountMinMinor: amount, amountMaxMinor: amount }),
        withdrawals({ amountMinMinor: amount, amountMaxMinor: amount }),
      ]);
    default:
      return [];
  }
}

function answered<T>(reply: Reply<T>, take: (value: T) => Partial<Answer>): Answer | null {
  const nothing: Answer = { ledger: [], withdrawals: [], wallets: [] };
  return reply.kind === 'answered'
    ? { ...nothing, ...take(reply.value) }
    : reply.kind === 'not_found'
      ? nothing
      : null;
}

function soon(answer: Promise<Answer | null>): Promise<Answer | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * An entry's own direction knows no wallets, so that every one with a sender is outgoing in it: also a
 * transfer that somebody else made to an own wallet.
 */
function directionOf(
  { direction, fromWallet, toWallet }: Transaction,
  own: ReadonlySet<string>,
): LedgerHit['direction'] {
  if (fromWallet === null || toWallet === null) return direction;
  return own.has(toWallet) && !own.has(fromWallet) ? 'in' : direction;
}

function ledgerHit(
  line: Transaction,
  mask: (iban: string | null) => string | null,
): Omit<LedgerHit, 'direction'> {
  return {
    id: line.transactionId,
    type: line.type,
    amount: toDecimal(line.amountMinor),
    currency: line.currency,
    sender: line.topUp?.senderName ?? null,
    iban: mask(line.topUp?.senderIban ?? null),
    description: line.description ?? line.toDescription,
    extId: line.extId,
    at: ledgerInstant(line.createdAt) ?? '',
  };
}

function withdrawalHit(
  row: Withdrawal,
  mask: (iban: string | null) => string | null,
): WithdrawalHit {
  return {
    id: row.requestId,
    name: row.name,
    iban: mask(row.iban),
    extId: row.extId,
    amount: toDecimal(row.amountMinor),
    currency: row.currency,
    level: row.level,
    at: ledgerInstant(row.createdAt) ?? '',
  };
}
