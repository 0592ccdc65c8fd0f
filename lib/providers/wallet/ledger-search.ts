/**
 * The sequence of ledger queries that resolves one payout or transfer. Pure: the worker sends them,
 * the simulator answers them.
 */
import type { Exchange, LedgerLine, LedgerOutcome, ReadOutcome } from '../outcome.ts';
import { classifyLedger, classifyReturns, openLedgerPage } from './classify-ledger.ts';
import { classifyTransferRead, hasExtId } from './classify-transfer.ts';
import { pageFields } from './reply.ts';
import type { DateRange, TransferExpected } from './types.ts';

const OURS_PAGE_SIZE = 50;
/**
 * The maximum number of pages with the entries of one ext id: it has a handful of entries, and a
 * provider may return three per page.
 */
const OURS_PAGES_MAX = 10;
const RETURNS_PAGE_SIZE = 200;
/**
 * The maximum number of pages with credits, enough for a month of a busy wallet; beyond it the
 * search returns "unknown".
 */
const RETURNS_PAGES_MAX = 25;

export type LedgerQuestion = {
  extId: string;
  /** Both required: without dates the provider searches three days only (`contract`). ISO text. */
  from: string;
  to: string;
  /**
   * With a wallet, the search includes credits that refer to the payout's transaction: a bank
   * return (`assumed` form).
   */
  wallet?: string;
  /** The payout's transaction, when an earlier response named it. */
  transactionId?: string | null;
};

/** Fields of one SummaryRecordByFilter. */
type Summary = Record<string, unknown>;
type Search = Generator<Summary, LedgerOutcome, Exchange>;

/** The query for the entries of one ext id. */
function ownLines(extId: string, { from, to }: DateRange, index: number): Summary {
  return {
    start_date: from,
    end_date: to,
    ext_transaction_id: extId,
    ...pageFields({ index, size: OURS_PAGE_SIZE }),
  };
}

/**
 * The queries for the entry of one transfer. Every page is read, because the transfer, or a second
 * execution of it, may be on a later one. Entries of other ext ids mean that the provider ignored
 * the filter: its further pages are the whole ledger, so they are left out.
 */
export function* searchTransfer(
  expected: TransferExpected,
  range: DateRange,
): Generator<Summary, ReadOutcome, Exchange> {
  const rows: unknown[] = [];
  for (let index = 0; index < OURS_PAGES_MAX; index++) {
    const page = openLedgerPage(yield ownLines(expected.extId, range, index));
    if (page.kind === 'no_answer') return page;
    const found = page.kind === 'rows' ? page.rows : [];
    rows.push(...found);
    const isLast = page.kind !== 'rows' || index + 1 >= page.pageCount || found.length === 0;
    if (isLast || !found.every((row) => hasExtId(row, expected.extId)))
      return classifyTransferRead(rows, page.raw, expected);
  }
  return { kind: 'no_answer', why: 'too_many_pages', raw: null };
}

export function* searchLedger(question: LedgerQuestion): Search {
  const { from, to, wallet } = question;
  const ours = yield* searchOwn(question);
  if (ours.kind === 'no_answer' || wallet === undefined) return ours;
  const lines = ours.kind === 'listed' ? ours.lines : [];
  // Prefer the known transaction: a fee under the same ext id is an entry of its own, and no
  // return refers to it.
  const refersTo =
    question.transactionId ??
    lines.find((entry) => entry.direction === 'out')?.transactionId ??
    null;
  const isReturned = lines.some(
    (entry) =>
      (entry.direction === 'out' && entry.level === 'refunded') ||
      (entry.direction === 'in' && entry.level === 'completed' && entry.refersTo === refersTo),
  );
  if (refersTo === null || isReturned) return ours;
  const returns = yield* searchReturns({ from, to, wallet, refersTo });
  if (returns.kind !== 'listed') return returns.kind === 'no_answer' ? returns : ours;
  return { kind: 'listed', lines: [...lines, ...returns.lines], raw: returns.raw };
}

/** All entries of the ext id: a second execution may be on the second page. */
function* searchOwn({ extId, from, to, wallet }: LedgerQuestion): Search {
  const lines: LedgerLine[] = [];
  for (let index = 0; index < OURS_PAGES_MAX; index++) {
    const response = yield ownLines(extId, { from, to }, index);
    const { pageCount, ...page } = classifyLedger(
      response,
      wallet === undefined ? { extId } : { extId, wallet },
    );
    if (page.kind === 'no_answer') return page;
    if (page.kind === 'listed') lines.push(...page.lines);
    if (index + 1 < pageCount) continue;
    return lines.length > 0
      ? { kind: 'listed', lines, raw: page.raw }
      : { kind: 'not_listed', raw: page.raw };
  }
  return { kind: 'no_answer', why: 'too_many_pages', raw: null };
}

function* searchReturns(question: {
  from: string;
  to: string;
  wallet: string;
  refersTo: string;
}): Search {
  let raw: string | null = null;
  for (let index = 0; index < RETURNS_PAGES_MAX; index++) {
    // A return is newer than its payout, so the newest entries come first.
    const response = yield {
      start_date: question.from,
      end_date: question.to,
      to_wallet_number: question.wallet,
      ...pageFields({ index, size: RETURNS_PAGE_SIZE }),
    };
    const { pageCount, ...outcome } = classifyReturns(response, question);
    if (outcome.kind !== 'not_listed') return outcome;
    raw = outcome.raw;
    if (index + 1 >= pageCount) return { kind: 'not_listed', raw };
  }
  return { kind: 'no_answer', why: 'too_many_pages', raw };
}
