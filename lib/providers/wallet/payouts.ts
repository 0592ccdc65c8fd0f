import 'server-only';
import * as z from 'zod';
import { rawAmount } from '../json.ts';
import type { Page, ReadOutcome, Reply, SendOutcome } from '../outcome.ts';
import { classifyRead } from './classify-read.ts';
import { classifySend } from './classify-send.ts';
import { LIST_MAX_BYTES } from './line.ts';
import type { Line, Sending } from './line.ts';
import { payoutBody } from './payout-body.ts';
import { pageFields, readPage } from './reply.ts';
import { amount, bankWords, currency, enumText, id, idOrNull, jsonTextOrNull, paged, textOrNull, withdrawalLevel } from './wire.ts';
import type { Expected, PageAsked, PayoutContent, Withdrawal, WithdrawalFilter } from './words.ts';

/** `process_level_status` as a filter; the same scale as in the records. */
const LEVEL_IDS = { pending: 0, completed: 1, rejected: 2, failed: 3 } as const;

/**
 * Sends one payout, at most one request. Takes at most 10 s for a token (usually none) and 30 s for the exchange, so a lease
 * should be longer than 40 s. `beforeWrite` is asked when the connection stands, before the first byte.
 * Never throws for the network; throws RangeError for an amount that is not positive.
 */
export async function sendPayout(line: Line, content: PayoutContent, options: Sending): Promise<SendOutcome> {
  const body = payoutBody(content);
  const exchange = await line.send({ path: '/v1/Transaction/SendMoneyToBankAccount', body, ...options });
  return classifySend(exchange, content);
}

/** Asks the provider's own record of one ext id. The only witness that ends a payout. */
export async function readPayout(line: Line, expected: Expected): Promise<ReadOutcome> {
  const body = JSON.stringify({ ext_transaction_id: expected.extId });
  return classifyRead(await line.ask({ path: '/v1/TransactionData/GetRequestWithdrawByExtId', body }), expected);
}

const withdrawalRow = z
  .object({
    id,
    ext_transaction_id: idOrNull,
    tx_correlation_id: idOrNull,
    wallet_number: idOrNull,
    process_level_status: enumText,
    base_amount: amount,
    currency,
    iban: textOrNull,
    account_holder_name: textOrNull,
    name: textOrNull,
    bank_name: textOrNull,
    description: textOrNull,
    bank_response_json: jsonTextOrNull,
    created_date_utc: textOrNull,
    updated_date_utc: textOrNull,
  })
  .transform((record): Withdrawal => ({
    requestId: record.id,
    extId: record.ext_transaction_id,
    correlationId: record.tx_correlation_id,
    wallet: record.wallet_number,
    level: withdrawalLevel(record.process_level_status),
    amountMinor: record.base_amount,
    currency: record.currency,
    iban: record.iban,
    name: record.account_holder_name ?? record.name,
    bankName: record.bank_name,
    description: record.description,
    reason: bankWords(record.bank_response_json).reason,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
  }));

/** The provider's withdraw requests, for the withdrawals report and the daily reconciliation. */
export async function listWithdrawals(line: Line, filter: WithdrawalFilter, page: PageAsked): Promise<Reply<Page<Withdrawal>>> {
  const body = JSON.stringify({
    start_date: filter.from,
    end_date: filter.to,
    wallet_number: filter.wallet,
    ext_transaction_id: filter.extId,
    iban: filter.iban,
    currency_code: filter.currency,
    process_level_status_id: filter.level === undefined ? undefined : LEVEL_IDS[filter.level],
    begin_amount: filter.amountMinMinor === undefined ? undefined : rawAmount(filter.amountMinMinor),
    end_amount: filter.amountMaxMinor === undefined ? undefined : rawAmount(filter.amountMaxMinor),
    ...pageFields(page),
  });
  const exchange = await line.ask({ path: '/v1/TransactionData/GetRequestWithdrawListByFilter', body, answerMaxBytes: LIST_MAX_BYTES });
  return readPage(exchange, paged(withdrawalRow), page, (row) => row);
}
