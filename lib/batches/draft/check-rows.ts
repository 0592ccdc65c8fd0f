import { findingSignature } from '#lib/payouts/draft.ts';
import { checkPayout } from '#lib/payouts/rules.ts';
import type { Finding, PayoutFacts } from '#lib/payouts/rules.ts';
import type { PayoutContent } from '#lib/payouts/schema.ts';
import { asPayout, checkTransfer } from '#lib/transfers/rules.ts';
import type { TransferFacts, TransferFinding } from '#lib/transfers/rules.ts';
import { marksOf, valueOf } from '../file/cell.ts';
import type { Cell } from '../file/cell.ts';
import type { RowContent } from '../row-content.ts';
import { completeRow } from './complete-row.ts';
import type { CompletedRow, Known } from './complete-row.ts';
import type { DraftRow } from './draft-table.ts';
import { EarlierRows } from './in-file.ts';
import type { FileFinding } from './in-file.ts';
import { EDITABLE } from './stored.ts';
import type { Ticks } from './stored.ts';

/**
 * Judges all rows of a draft with the rules of the form for one payout or one transfer to a person,
 * from facts that were gathered once. Pure.
 */

export type RowFinding = Finding | TransferFinding | FileFinding;

/**
 * What the provider of the wallet and our own records say. `factsOf`, `transferFactsOf`: the facts of
 * the rules for one payout, and for one transfer to a person.
 */
export type DraftFacts = Known & {
  factsOf: (row: JudgedRow) => PayoutFacts;
  transferFactsOf: (row: JudgedRow) => TransferFacts;
};
export type JudgedRow = Pick<CompletedRow, 'content' | 'writtenCurrency' | 'found'>;

/** The worst that is to be said of a row; `out`: a person took it out. */
export const ROW_STATES = ['out', 'error', 'ask', 'blocked', 'warn', 'repaired', 'ok'] as const;
export type RowState = (typeof ROW_STATES)[number];

/**
 * `findings`: without those about the wallet, which are the draft's. `unticked`: the keys of its
 * warnings that need a tick and a reason.
 */
export type CheckedRow = CompletedRow & {
  findings: readonly RowFinding[];
  unticked: readonly string[];
  ticked: { keys: readonly string[]; reason: string } | null;
  state: RowState;
};

/** Whether something about the row must be done before it can be paid. */
export function hasProblem({ state }: Pick<CheckedRow, 'state'>): boolean {
  return state === 'error' || state === 'ask' || state === 'blocked' || state === 'warn';
}

export type CheckedRows = { rows: CheckedRow[]; walletFindings: Finding[] };

export function checkRows(rows: readonly DraftRow[], ticks: Ticks, facts: DraftFacts): CheckedRows {
  const checker = rowChecker(ticks, facts);
  return { rows: rows.map(checker.next), walletFindings: checker.walletFindings };
}

/** Judges row after row, each against those before it; what it finds of the wallet gathers. */
export function rowChecker(
  ticks: Ticks,
  facts: DraftFacts,
): { next: (row: DraftRow) => CheckedRow; walletFindings: Finding[] } {
  const earlier = new EarlierRows();
  const walletFindings: Finding[] = [];
  const next = (read: DraftRow): CheckedRow => {
    const row = completeRow(read, facts);
    const { about, all } = judged(row, facts);
    for (const finding of all)
      if (isOfWallet(finding) && walletFindings.every(({ code }) => code !== finding.code))
        walletFindings.push(finding);
    const findings: RowFinding[] = [
      ...(row.isOut ? [] : earlier.next({ number: row.number, content: about.content }, about)),
      ...all.filter(({ field, level }) => field !== 'wallet' && level !== 'ok'),
    ];
    const ticked = ticks[row.key] ?? null;
    const unticked = findings
      .filter(({ level }) => level === 'warn')
      .map(tickKey)
      .filter((key) => !(ticked?.keys.includes(key) ?? false));
    return { ...row, findings, unticked, ticked, state: stateOf(row, findings, unticked) };
  };
  return { next, walletFindings };
}

/** `about`: the facts in the form in which payments of one file are compared. */
function judged(
  row: CompletedRow,
  facts: DraftFacts,
): { about: PayoutFacts; all: (Finding | TransferFinding)[] } {
  if (row.found === null) {
    const about = facts.factsOf(row);
    return { about, all: checkPayout(about) };
  }
  const transfer = facts.transferFactsOf(row);
  // A number that is wrong or asked has been said of its cell.
  const isNamed = valueOf(row.cells.person) !== null;
  const all = checkTransfer(isNamed ? transfer : { ...transfer, person: null });
  return { about: asPayout(transfer), all };
}

/** The wallet that pays is judged by the same rules for both. */
function isOfWallet(finding: Finding | TransferFinding): finding is Finding {
  return finding.field === 'wallet';
}

/**
 * Identifies a warning that a person ticked: another payment, row or account behind it is another
 * warning. What changes by itself with every look, such as a balance, is left out.
 */
export function tickKey(finding: RowFinding): string {
  if ('stands' in finding) return JSON.stringify([finding.code, finding.params.row]);
  if (finding.code === 'fee_may_not_fit' || finding.code === 'limit_left_exceeded')
    return JSON.stringify([finding.code]);
  const { state: _state, count: _count, ...params } = finding.params;
  return findingSignature({ ...finding, params });
}

/** The code under which a tick of this warning is stored with the payment. */
export function overrideOf(finding: RowFinding): string {
  return 'stands' in finding ? finding.stands : finding.code;
}

/** The content of a row that has everything; null while something is missing or wrong. */
export function wholeContent({ state, content, found }: CheckedRow): RowContent | null {
  const { person, name, amountMinor, paymentType, description } = content;
  const [iban, taxNumber] = found === null ? [content.iban, content.taxNumber] : ['', ''];
  if (
    state === 'error' ||
    state === 'ask' ||
    iban === undefined ||
    name === undefined ||
    taxNumber === undefined ||
    amountMinor === undefined ||
    paymentType === undefined ||
    description === undefined ||
    (found !== null && person === undefined)
  )
    return null;
  const words = { name, amountMinor, paymentType, description };
  return { iban, taxNumber, ...words, ...(person !== undefined && { person }) };
}

/** The rules' content of a row: its wallet, and no identity yet. */
export function contentOf(
  { person: _person, ...content }: Partial<RowContent>,
  wallet: string,
): Partial<PayoutContent> {
  return { ...content, source: { kind: 'wallet', number: wallet } };
}

function stateOf(
  { cells, isOut }: CompletedRow,
  findings: readonly RowFinding[],
  unticked: readonly string[],
): RowState {
  if (isOut) return 'out';
  const states = EDITABLE.map((field) => cells[field] as Cell<unknown>);
  if (states.some(({ state }) => state === 'error')) return 'error';
  if (states.some(({ state }) => state === 'ask')) return 'ask';
  if (findings.some(({ level }) => level === 'block')) return 'blocked';
  if (unticked.length > 0) return 'warn';
  return states.some((cell) => marksOf(cell).length > 0) ? 'repaired' : 'ok';
}
