/**
 * What the responses about a transfer between wallets prove. Pure: the worker uses these same
 * functions.
 *
 * Two things differ from a payout: the acceptance does not echo the ext id (`contract`), and there
 * is no record of the request. The result is read from the ledger by our own ext id, and the ledger
 * does not list open transfers.
 */
import * as z from 'zod';
import type { Exchange, ReadOutcome, SendOutcome } from '../outcome.ts';
import { classifyBy } from './classify-send.ts';
import { TRANSFER_CODES } from './codes.ts';
import { transactionRecord } from './ledger-line.ts';
import type { TransactionRecord } from './ledger-line.ts';
import { amount, id, idOrNull, ledgerLevel, textOrNull } from './wire.ts';
import type { Answer } from './wire.ts';
import type { TransferExpected } from './types.ts';

const acceptance = z.object({
  transaction_id: id.refine((text) => text !== '0'),
  transaction_amount: amount,
  receiver_wallet_number: idOrNull,
  // Not in the contract's response; compared if it is present.
  ext_transaction_id: idOrNull,
  receiver_first_name: textOrNull,
  receiver_last_name: textOrNull,
});

const reference = z.object({ ext_transaction_id: idOrNull });

/**
 * Accepted with our amount echoed, a transaction id, and no other receiver or ext id than ours.
 */
export function classifyTransfer(exchange: Exchange, expected: TransferExpected): SendOutcome {
  return classifyBy(TRANSFER_CODES, exchange, (answer) => accepted(answer, expected));
}

function accepted(
  { raw, code, message, payload }: Answer,
  expected: TransferExpected,
): SendOutcome {
  const read = acceptance.safeParse(payload);
  if (!read.success) return { raw, code, message, kind: 'unclear', why: 'shape' };
  const {
    transaction_id: transactionId,
    transaction_amount: amountMinor,
    receiver_wallet_number: to,
    ext_transaction_id: extId,
  } = read.data;
  const isOurs =
    amountMinor === expected.amountMinor &&
    (to ?? expected.to) === expected.to &&
    (extId ?? expected.extId) === expected.extId;
  if (!isOurs) return { raw, code, message, kind: 'unclear', why: 'mismatch' };
  const receiver = [read.data.receiver_first_name, read.data.receiver_last_name]
    .filter((part) => part !== null)
    .join(' ');
  return {
    raw,
    code,
    message,
    kind: 'accepted',
    extId: expected.extId,
    amountMinor,
    feeMinor: null,
    requestId: transactionId,
    transactionId,
    ...(receiver === '' ? {} : { receiver }),
  };
}

/**
 * What the entries of one search prove; `raw`: of its last page. `found` only when every entry of
 * our ext id that matches this transfer has the same known status. `not_found` proves little: an
 * open transfer is not listed, and posting may take minutes. Only entries of other ext ids count as
 * no response: the provider ignored the filter.
 */
export function classifyTransferRead(
  rows: readonly unknown[],
  raw: string | null,
  expected: TransferExpected,
): ReadOutcome {
  if (rows.length === 0) return { kind: 'not_found', raw };
  const named = rows.filter((row) => hasExtId(row, expected.extId));
  if (named.length === 0) return { kind: 'no_answer', why: 'filter_ignored', raw };
  const lines: TransactionRecord[] = [];
  for (const row of named) {
    const read = transactionRecord.safeParse(row);
    if (!read.success) return { kind: 'no_answer', why: 'shape', raw };
    if (isThis(read.data, expected)) lines.push(read.data);
  }
  const [line] = lines;
  if (line === undefined) return { kind: 'no_answer', why: 'mismatch', raw };
  const level = ledgerLevel(line.transaction_status_id);
  if (level === 'unknown' || lines.some((one) => ledgerLevel(one.transaction_status_id) !== level))
    return { kind: 'no_answer', why: 'unknown_level', raw };
  // An entry that is listed twice is one execution; two transaction ids are two.
  const executions = new Set(lines.map((one) => one.id)).size;
  return {
    kind: 'found',
    level,
    extId: expected.extId,
    amountMinor: expected.amountMinor,
    currency: line.currency_code,
    iban: null,
    requestId: line.id,
    line: {
      transactionId: line.id,
      feeMinor: line.tx_additional_fee ?? 0n,
      ...(level === 'completed' && executions > 1 ? { double: true } : {}),
    },
    reason: level === 'failed' ? line.transaction_status : null,
    updatedAt: line.completed_date_utc,
    raw,
  };
}

export function hasExtId(row: unknown, extId: string): boolean {
  return reference.safeParse(row).data?.ext_transaction_id === extId;
}

/**
 * A fee or a return under our ext id is not the transfer. An entry without a wallet number matches
 * any wallet.
 */
function isThis(line: TransactionRecord, expected: TransferExpected): boolean {
  const size = line.tx_base_amount < 0n ? -line.tx_base_amount : line.tx_base_amount;
  return (
    size === expected.amountMinor &&
    line.currency_code === expected.currency &&
    (line.from_wallet_number ?? expected.wallet) === expected.wallet &&
    (line.to_wallet_number ?? expected.to) === expected.to
  );
}
