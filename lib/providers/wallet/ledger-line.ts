/** Decodes one entry of SummaryRecordByFilter. Pure. */
import * as z from 'zod';
import type { LedgerLine } from '../outcome.ts';
import { entryLevel } from './entry-level.ts';
import { topUpDetails } from './top-ups.ts';
import {
  amount,
  amountOrNull,
  codeOrNull,
  currency,
  enumText,
  flag,
  id,
  idOrNull,
  jsonTextOrNull,
  textOrNull,
} from './wire.ts';
import type { Transaction } from './types.ts';

/** Top-ups (`published`): incoming even when the entry names no wallets. */
const INCOMING_TYPES: ReadonlySet<number> = new Set([1001, 1004]);

/**
 * A number of an enumeration. '020' is not 20: an unexpected spelling is unknown.
 */
const small = enumText.pipe(z.string().regex(/^(?:0|-?[1-9]\d{0,8})$/)).transform(Number);

export const transactionRecord = z.object({
  id: id.refine((text) => text !== '0'),
  tx_group_correlation_id: idOrNull,
  tx_ref_correlation_id: idOrNull,
  transaction_type_id: small,
  transaction_type: textOrNull,
  transaction_status_id: small,
  transaction_status: textOrNull,
  result_code: codeOrNull,
  tx_additional_data_json: jsonTextOrNull,
  tx_base_amount: amount,
  tx_additional_fee: amountOrNull,
  tx_amount_with_additional_fee: amountOrNull,
  to_account_tx_base_amount: amountOrNull,
  to_account_tx_additional_fee: amountOrNull,
  currency_code: currency,
  ext_transaction_id: idOrNull,
  wallet_id: idOrNull,
  to_wallet_id: idOrNull,
  from_wallet_number: idOrNull,
  to_wallet_number: idOrNull,
  from_account_number: idOrNull,
  to_account_number: idOrNull,
  created_date_utc: textOrNull,
  updated_date_utc: textOrNull,
  completed_date_utc: textOrNull,
  financial_process_completed_date_utc: textOrNull,
  is_financial_process_completed: flag,
  from_description: textOrNull,
  to_description: textOrNull,
  tx_description: textOrNull,
  receipt_number: codeOrNull,
  channel_type: codeOrNull,
  source_type: codeOrNull,
});

export type TransactionRecord = z.output<typeof transactionRecord>;

/**
 * `wallet` is the point of view: a transfer between two of our wallets is outgoing for one and
 * incoming for the other.
 */
export function ledgerLine(record: TransactionRecord, wallet?: string): LedgerLine {
  return {
    transactionId: record.id,
    statusId: record.transaction_status_id,
    level: entryLevel(record.transaction_status_id),
    typeId: record.transaction_type_id,
    amountMinor: record.tx_base_amount < 0n ? -record.tx_base_amount : record.tx_base_amount,
    feeMinor: record.tx_additional_fee ?? 0n,
    currency: record.currency_code,
    extId: record.ext_transaction_id,
    // An entry that refers to no other one refers to itself.
    refersTo: record.tx_ref_correlation_id === record.id ? null : record.tx_ref_correlation_id,
    direction: direction(record, wallet),
    fromWallet: record.from_wallet_number,
    completedAt: record.completed_date_utc,
  };
}

export function transaction(
  { record, raw }: { record: TransactionRecord; raw: unknown },
  wallet?: string,
): Transaction {
  return {
    ...ledgerLine(record, wallet),
    groupId: record.tx_group_correlation_id,
    type: record.transaction_type,
    status: record.transaction_status,
    resultCode: record.result_code,
    totalMinor: record.tx_amount_with_additional_fee,
    receivedMinor: record.to_account_tx_base_amount,
    receiverFeeMinor: record.to_account_tx_additional_fee,
    createdAt: record.created_date_utc,
    updatedAt: record.updated_date_utc,
    postedAt: record.financial_process_completed_date_utc,
    posted: record.is_financial_process_completed,
    walletId: record.wallet_id,
    toWalletId: record.to_wallet_id,
    toWallet: record.to_wallet_number,
    fromAccount: record.from_account_number,
    toAccount: record.to_account_number,
    description: record.tx_description ?? record.from_description,
    fromDescription: record.from_description,
    toDescription: record.to_description,
    receiptNumber: record.receipt_number,
    channel: record.channel_type,
    source: record.source_type,
    topUp: INCOMING_TYPES.has(record.transaction_type_id)
      ? topUpDetails(record.tx_additional_data_json)
      : null,
    raw,
  };
}

/**
 * An entry of unclear direction counts as outgoing: a missed credit only delays a result, but a
 * debit read as a credit would confirm a return.
 */
function direction(record: TransactionRecord, wallet: string | undefined): 'in' | 'out' {
  if (record.tx_base_amount < 0n) return 'out';
  if (wallet !== undefined && record.from_wallet_number === wallet) return 'out';
  if (wallet !== undefined && record.to_wallet_number === wallet) return 'in';
  if (record.from_wallet_number !== null) return 'out';
  return record.to_wallet_number !== null || INCOMING_TYPES.has(record.transaction_type_id)
    ? 'in'
    : 'out';
}
