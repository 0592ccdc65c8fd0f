import 'server-only';
import * as z from 'zod';
import type { Page, Reply } from '../outcome.ts';
import { LIST_MAX_BYTES } from './line.ts';
import type { Line } from './line.ts';
import { pageFields, readPage, readReply } from './reply.ts';
import { amount, amountOrNull, currency, enumTextOrNull, flag, id, paged, textOrNull } from './wire.ts';
import type { PageAsked, Wallet, WalletAccess, WalletFilter } from './words.ts';

const BUSINESS_ACCOUNT_TYPE = 2; // `published`: 1 personal, 2 business

const balance = z.object({ available: amountOrNull, unavailable: amountOrNull }).nullish().catch(null);

const limits = z
  .object({
    max_balance: amountOrNull,
    topup_credit_limit: amountOrNull,
    topup_cash_limit: amountOrNull,
    withdrawal_limit: amountOrNull,
    payment_limit: amountOrNull,
    wallet_to_wallet_limit: amountOrNull,
  })
  .nullish()
  .catch(null);

const walletRecord = z
  .object({
    id,
    number: id,
    name: z.string(),
    currency_code: currency,
    account_type: textOrNull,
    access_level_status_id: enumTextOrNull,
    access_level_status: textOrNull,
    total_balance: amount,
    payment_balance: balance,
    cash_balance: balance,
    monthly_incoming_total: amountOrNull,
    monthly_outgoing_total: amountOrNull,
    transaction_limits: limits,
    fast_iban: textOrNull,
    is_hidden: flag,
    created_date_utc: textOrNull,
    updated_date_utc: textOrNull,
  })
  .transform((record): Wallet => ({
    id: record.id,
    number: record.number,
    name: record.name,
    currency: record.currency_code,
    accountType: record.account_type,
    access: access(record.access_level_status_id),
    accessText: record.access_level_status,
    totalMinor: record.total_balance,
    availableMinor: sum(record.payment_balance?.available, record.cash_balance?.available),
    unavailableMinor: sum(record.payment_balance?.unavailable, record.cash_balance?.unavailable),
    monthlyInMinor: record.monthly_incoming_total,
    monthlyOutMinor: record.monthly_outgoing_total,
    limits: {
      maxBalanceMinor: record.transaction_limits?.max_balance ?? null,
      topUpCreditMinor: record.transaction_limits?.topup_credit_limit ?? null,
      topUpCashMinor: record.transaction_limits?.topup_cash_limit ?? null,
      withdrawalMinor: record.transaction_limits?.withdrawal_limit ?? null,
      paymentMinor: record.transaction_limits?.payment_limit ?? null,
      walletToWalletMinor: record.transaction_limits?.wallet_to_wallet_limit ?? null,
    },
    iban: record.fast_iban,
    hidden: record.is_hidden,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
  }));

/** Wallet/Info answers with the record inside `wallet_info` (`contract`). */
const walletInfo = z.object({ wallet_info: walletRecord }).transform((payload) => payload.wallet_info);

/** `access_level_status_id`: 1 active (`contract`), the others `assumed`. */
function access(text: string | null): WalletAccess {
  switch (text) {
    case '1': return 'active';
    case '2': return 'blocked';
    case '3': return 'banned';
    case '4': return 'closed';
    default: return 'unknown';
  }
}

/** Null as soon as one part is missing: half a balance looks like a balance. */
function sum(payment: bigint | null | undefined, cash: bigint | null | undefined): bigint | null {
  return payment === null || payment === undefined || cash === null || cash === undefined ? null : payment + cash;
}

export async function getWallet(line: Line, number: string): Promise<Reply<Wallet>> {
  const reply = readReply(await line.ask({ path: '/v1/Wallet/Info', body: JSON.stringify({ wallet_number: number }) }), walletInfo);
  // Another wallet than the one asked for is no answer: its balance would be shown under the wrong name.
  return reply.kind === 'answered' && reply.value.number !== number ? { kind: 'no_answer', why: 'mismatch' } : reply;
}

export async function listWallets(line: Line, filter: WalletFilter, page: PageAsked): Promise<Reply<Page<Wallet>>> {
  const body = JSON.stringify({
    start_date: filter.from, end_date: filter.to, currency_code: filter.currency, account_type_id: BUSINESS_ACCOUNT_TYPE, ...pageFields(page),
  });
  const exchange = await line.ask({ path: '/v1/Wallet/ListByFilter', body, answerMaxBytes: LIST_MAX_BYTES });
  return readPage(exchange, paged(walletRecord), page, (wallet) => wallet);
}
