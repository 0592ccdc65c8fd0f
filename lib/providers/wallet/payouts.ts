import 'server-only';
import * as z from 'zod';
import { rawAmount } from '../json.ts';
import type { Page, ReadOutcome, Reply, SendOutcome } from '../outcome.ts';
import { classifyRead } from './classify-read.ts';
import { classifySend } from './classify-send.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line, Sending } from './connection.ts';
import { payoutBody } from './payout-body.ts';
import { keptTo, pageFields, readPage } from './reply.ts';
import {
  ACCOUNT_TYPE_IDS,
  amount,
  bankWords,
  codeOrNull,
  currency,
  enumText,
  enumTextOrNull,
  flag,
  ibanOrNull,
  id,
  idOrNull,
  jsonTextOrNull,
  paged,
  textOrNull,
  withdrawalLevel,
  withRaw,
} from './wire.ts';
import type {
  PageAsked,
  PayoutContent,
  RecordExpected,
  Withdrawal,
  WithdrawalFilter,
} from './types.ts';

/** `process_level_status` as a filter; the same numbers as in the records. */
const LEVEL_IDS = { pending: 0, completed: 1, rejected: 2, failed: 3 } as const;

/**
 * Sends one payout, at most one request. Takes at most 10 s for a token (usually none) and 30 s for
 * the exchange, so a lease should be longer than 40 s. `beforeWrite` is called once the connection
 * is open, before the first byte. Never throws for network errors.
 * @throws RangeError for an amount that is not positive.
 */
export async function sendPayout(
  line: Line,
  content: PayoutContent,
  options: Sending,
): Promise<SendOutcome> {
  const body = payoutBody(content);
  const exchange = await line.send({
    path: '/v1/Transaction/SendMoneyToBankAccount',
    body,
    ...options,
  });
  return classifySend(exchange, content);
}

/** Reads the provider's own record of one ext id: the only source that makes a payout final. */
export async function readPayout(line: Line, expected: RecordExpected): Promise<ReadOutcome> {
  const body = JSON.stringify({ ext_transaction_id: expected.extId });
  return classifyRead(
    await line.ask({ path: '/v1/TransactionData/GetRequestWithdrawByExtId', body }),
    expected,
  );
}

const withdrawalRecord = z.object({
  id,
  ext_transaction_id: idOrNull,
  tx_correlation_id: idOrNull,
  wallet_id: idOrNull,
  wallet_number: idOrNull,
  account_type: enumTextOrNull,
  account_number: idOrNull,
  process_level_status: enumText,
  base_amount: amount,
  currency,
  iban: ibanOrNull,
  account_holder_name: textOrNull,
  name: textOrNull,
  receiver_national_id: idOrNull,
  is_account_owner_bank: flag,
  bank_id: codeOrNull,
  bank_name: textOrNull,
  bank_account_no: codeOrNull,
  swift_code: codeOrNull,
  branch_code: codeOrNull,
  description: textOrNull,
  bank_response_json: jsonTextOrNull,
  created_date_utc: textOrNull,
  updated_date_utc: textOrNull,
});

function withdrawal({
  record,
  raw,
}: {
  record: z.output<typeof withdrawalRecord>;
  raw: unknown;
}): Withdrawal {
  const words = bankWords(record.bank_response_json);
  return {
    requestId: record.id,
    extId: record.ext_transaction_id,
    correlationId: record.tx_correlation_id,
    walletId: record.wallet_id,
    wallet: record.wallet_number,
    accountType: record.account_type,
    accountNumber: record.account_number,
    level: withdrawalLevel(record.process_level_status),
    amountMinor: record.base_amount,
    currency: record.currency,
    iban: record.iban,
    name: record.account_holder_name ?? record.name,
    taxNumber: record.receiver_national_id,
    toOwner: record.is_account_owner_bank,
    bankId: record.bank_id,
    bankName: record.bank_name,
    bankAccount: record.bank_account_no,
    swift: record.swift_code,
    branch: record.branch_code,
    description: record.description,
    reason: words.reason,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
    raw,
  };
}

/** The provider's withdraw requests, for the withdrawals report and the daily reconciliation. */
export async function listWithdrawals(
  line: Line,
  filter: WithdrawalFilter,
  page: PageAsked,
): Promise<Reply<Page<Withdrawal>>> {
  const body = JSON.stringify({
    start_date: filter.from,
    end_date: filter.to,
    wallet_number: filter.wallet,
    account_number: filter.accountNumber,
    account_type_id: filter.accountType && ACCOUNT_TYPE_IDS[filter.accountType],
    ext_transaction_id: filter.extId,
    iban: filter.iban,
    currency_code: filter.currency,
    process_level_status_id: filter.level === undefined ? undefined : LEVEL_IDS[filter.level],
    is_completed: filter.completed,
    begin_amount:
      filter.amountMinMinor === undefined ? undefined : rawAmount(filter.amountMinMinor),
    end_amount: filter.amountMaxMinor === undefined ? undefined : rawAmount(filter.amountMaxMinor),
    ...pageFields(page, 'BaseAmount'),
  });
  const exchange = await line.ask({
    path: '/v1/TransactionData/GetRequestWithdrawListByFilter',
    body,
    answerMaxBytes: LIST_MAX_BYTES,
  });
  return keptTo(
    readPage(exchange, paged(withRaw(withdrawalRecord)), page, withdrawal),
    [
      (row) => filter.wallet === undefined || row.wallet === filter.wallet,
      (row) => filter.extId === undefined || row.extId === filter.extId,
      (row) => filter.iban === undefined || row.iban === filter.iban,
      (row) => filter.currency === undefined || row.currency === filter.currency,
      (row) => filter.level === undefined || row.level === filter.level,
      (row) => filter.amountMinMinor === undefined || row.amountMinor >= filter.amountMinMinor,
      (row) => filter.amountMaxMinor === undefined || row.amountMinor <= filter.amountMaxMinor,
    ],
    page,
    (row) => row.amountMinor,
  );
}
