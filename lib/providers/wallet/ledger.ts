import 'server-only';
import type { Exchange, LedgerOutcome, Page, Reply } from '../outcome.ts';
import { transaction, transactionRecord } from './ledger-line.ts';
import { searchLedger } from './ledger-search.ts';
import type { LedgerQuestion } from './ledger-search.ts';
import { LIST_MAX_BYTES } from './line.ts';
import type { Line } from './line.ts';
import { pageFields, readPage } from './reply.ts';
import { paged } from './wire.ts';
import type { PageAsked, Transaction, TransactionFilter } from './words.ts';

/**
 * The ledger lines of one ext id, and with `wallet` also the credits that point at them. `no_answer` when any of the
 * questions stays without one: "no credit seen" must not be said of a search that was cut short.
 */
export async function findInLedger(line: Line, question: LedgerQuestion): Promise<LedgerOutcome> {
  const search = searchLedger(question);
  let step = search.next();
  while (!step.done) step = search.next(await askSummary(line, step.value));
  return step.value;
}

/**
 * Ledger lines for screens, newest first unless told. Never lists what is still open (`contract`).
 * The wallet filter's name is `assumed`; should the provider ignore it, the answer is refused rather than shown as this wallet's.
 */
export async function listTransactions(line: Line, filter: TransactionFilter, page: PageAsked): Promise<Reply<Page<Transaction>>> {
  const heard = await askSummary(line, {
    start_date: filter.from,
    end_date: filter.to,
    wallet_number: filter.wallet,
    ext_transaction_id: filter.extId,
    transaction_type_code_list: filter.typeIds,
    ...pageFields(page),
  });
  const reply = readPage(heard, paged(transactionRecord), page, (record) => transaction(record, filter.wallet));
  const isForeign = (row: Transaction): boolean => filter.wallet !== undefined && row.fromWallet !== filter.wallet && row.toWallet !== filter.wallet;
  return reply.kind === 'answered' && reply.value.rows.some(isForeign) ? { kind: 'no_answer', why: 'filter_ignored' } : reply;
}

/** One SummaryRecordByFilter. */
export function askSummary(line: Line, fields: Record<string, unknown>): Promise<Exchange> {
  return line.ask({ path: '/v1/TransactionData/SummaryRecordByFilter', body: JSON.stringify(fields), answerMaxBytes: LIST_MAX_BYTES });
}
