/** Which questions to the ledger settle one payout, one after the other. Pure: the worker sends them, the simulator answers them. */
import type { Exchange, LedgerOutcome } from '../outcome.ts';
import { classifyLedger, classifyReturns } from './classify-ledger.ts';
import { pageFields } from './reply.ts';
import type { DateRange } from './words.ts';

const OURS_PAGE = { index: 0, size: 50 } as const;
const RETURNS_PAGE_SIZE = 200;
/** A month of a busy wallet; beyond it the search says that it does not know. */
const RETURNS_PAGES_MAX = 25;

/** `transaction_status_id` 60 (`published`): the debit itself says that it came back. */
const REFUNDED = 60;

export type LedgerQuestion = {
  extId: string;
  /** Both required: without dates the provider looks at three days only (`contract`). ISO text. */
  from: string;
  to: string;
  /** With the wallet, credits are searched too that name the payout's transaction: a bank return (`assumed` form). */
  wallet?: string;
  /** The payout's transaction, when it is known from an earlier answer. */
  transactionId?: string | null;
};

/** Fields of one SummaryRecordByFilter. */
type Summary = Record<string, unknown>;
type Search = Generator<Summary, LedgerOutcome, Exchange>;

/** The question for the lines of one ext id. */
export function ownLines(extId: string, { from, to }: DateRange): Summary {
  return { start_date: from, end_date: to, ext_transaction_id: extId, ...pageFields(OURS_PAGE) };
}

export function* searchLedger(question: LedgerQuestion): Search {
  const { extId, from, to, wallet } = question;
  const own = yield ownLines(extId, { from, to });
  const ours = classifyLedger(own, wallet === undefined ? { extId } : { extId, wallet });
  if (ours.kind === 'no_answer' || wallet === undefined) return ours;
  const lines = ours.kind === 'listed' ? ours.lines : [];
  const refersTo = lines.find((entry) => entry.direction === 'out')?.transactionId ?? question.transactionId ?? null;
  const isReturned = lines.some((entry) => entry.statusId === REFUNDED || (entry.direction === 'in' && entry.refersTo === refersTo));
  if (refersTo === null || isReturned) return ours;
  const returns = yield* searchReturns({ from, to, wallet, refersTo });
  if (returns.kind !== 'listed') return returns.kind === 'no_answer' ? returns : ours;
  return { kind: 'listed', lines: [...lines, ...returns.lines], raw: returns.raw };
}

function* searchReturns(question: { from: string; to: string; wallet: string; refersTo: string }): Search {
  let raw: string | null = null;
  for (let index = 0; index < RETURNS_PAGES_MAX; index++) {
    // Returns are young compared with their payout, so the newest lines come first.
    const heard = yield { start_date: question.from, end_date: question.to, to_wallet_number: question.wallet, ...pageFields({ index, size: RETURNS_PAGE_SIZE }) };
    const { pageCount, ...outcome } = classifyReturns(heard, question);
    if (outcome.kind !== 'not_listed') return outcome;
    raw = outcome.raw;
    if (index + 1 >= pageCount) return { kind: 'not_listed', raw };
  }
  return { kind: 'no_answer', why: 'too_many_pages', raw };
}
