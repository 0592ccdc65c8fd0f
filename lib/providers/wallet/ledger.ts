import 'server-only';
import { rawAmount } from '../json.ts';
import type { Exchange, LedgerOutcome, Page, Reply } from '../outcome.ts';
import { transaction, transactionRecord } from './ledger-line.ts';
import { searchLedger } from './ledger-search.ts';
import type { LedgerQuestion } from './ledger-search.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { keptTo, pageFields, readPage } from './reply.ts';
import { paged, transactionNumber, withRaw } from './wire.ts';
import type { PageAsked, Transaction, TransactionFilter } from './types.ts';

/**
 * The ledger entries of one ext id, and with `wallet` also the credits that refer to them.
 * `no_answer` when any of the queries has no response: an incomplete search must not report "no
 * credit seen".
 */
export async function findInLedger(line: Line, question: LedgerQuestion): Promise<LedgerOutcome> {
  const search = searchLedger(question);
  let step = search.next();
  while (!step.done) step = search.next(await askSummary(line, step.value));
  return step.value;
}

/**
 * Ledger entries for screens, newest first by default. Never lists open ones (`contract`).
 * Filter names: dates, reference and types `contract`; one side's wallet, amounts, currency, status
 * and id `published`; `wallet_number` for either side `assumed`.
 */
export async function listTransactions(
  line: Line,
  filter: TransactionFilter,
  page: PageAsked,
): Promise<Reply<Page<Transaction>>> {
  const { wallet, direction } = filter;
  const exchange = await askSummary(line, {
    start_date: filter.from,
    end_date: filter.to,
    wallet_number: direction === undefined ? wallet : undefined,
    from_wallet_number: direction === 'out' ? wallet : undefined,
    to_wallet_number: direction === 'in' ? wallet : undefined,
    ext_transaction_id: filter.extId,
    id: filter.transactionId === undefined ? undefined : transactionNumber(filter.transactionId),
    transaction_type_code_list: filter.typeIds,
    process_level_status_id: filter.statusId,
    currency_code: filter.currency,
    min_amount: filter.amountMinMinor === undefined ? undefined : rawAmount(filter.amountMinMinor),
    max_amount: filter.amountMaxMinor === undefined ? undefined : rawAmount(filter.amountMaxMinor),
    ...pageFields(page, 'TxBaseAmount'),
  });
  const reply = readPage(exchange, paged(withRaw(transactionRecord)), page, (row) =>
    transaction(row, wallet),
  );
  return keptTo(
    reply,
    [
      (row) =>
        wallet === undefined ||
        (direction !== 'in' && row.fromWallet === wallet) ||
        (direction !== 'out' && row.toWallet === wallet),
      (row) => filter.extId === undefined || row.extId === filter.extId,
      (row) => filter.transactionId === undefined || row.transactionId === filter.transactionId,
      (row) => filter.typeIds === undefined || filter.typeIds.includes(row.typeId),
      (row) => filter.statusId === undefined || row.statusId === filter.statusId,
      (row) => filter.currency === undefined || row.currency === filter.currency,
      (row) => filter.amountMinMinor === undefined || row.amountMinor >= filter.amountMinMinor,
      (row) => filter.amountMaxMinor === undefined || row.amountMinor <= filter.amountMaxMinor,
    ],
    page,
    (row) => row.amountMinor,
  );
}

/** Reads one page of SummaryRecordByFilter. */
export function askSummary(line: Line, fields: Record<string, unknown>): Promise<Exchange> {
  return line.ask({
    path: '/v1/TransactionData/SummaryRecordByFilter',
    body: JSON.stringify(fields),
    answerMaxBytes: LIST_MAX_BYTES,
  });
}
