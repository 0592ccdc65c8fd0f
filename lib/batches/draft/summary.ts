import { blocking } from '#lib/payouts/rules.ts';
import type { FeeEstimate, Finding } from '#lib/payouts/rules.ts';
import { toDecimal } from '#lib/values/money.ts';
import { marksOf } from '../file/cell.ts';
import type { Cell } from '../file/cell.ts';
import { missingFields } from '../file/mapping.ts';
import type { Mapping } from '../file/mapping.ts';
import type { Field } from '../file/headings.ts';
import { hasProblem } from './check-rows.ts';
import type { CheckedRow } from './check-rows.ts';
import { predictPace } from './pace.ts';
import type { Pace } from './pace.ts';
import { EDITABLE } from './stored.ts';

/** What a draft comes to, and what keeps all of it from being submitted. Pure. */

/** Amounts are minor units; `available` and `after` are null while the balance is not known. */
export type DraftSummary = {
  rows: number;
  out: number;
  problems: number;
  sum: bigint;
  /** Rows whose amount is not known yet: the sum is without them. */
  withoutAmount: number;
  fee: FeeEstimate | null;
  available: bigint | null;
  after: bigint | null;
  firstTime: number;
  repairedRows: number;
  repairedCells: number;
  /** Rows whose file names a day: payouts leave when they are approved, whatever it says. */
  dated: number;
  pace: Pace;
};

export type DraftProblem =
  | { code: 'columns_missing'; fields: readonly Field[] }
  | { code: 'no_rows' | 'wallet_unverified' | 'types_unknown' }
  | { code: 'sum_above_balance' | 'sum_above_limit'; short: string };

/** The limit is what the provider reports as left for withdrawals. */
type Balance = {
  availableMinor: bigint | null;
  limits: { withdrawalMinor: bigint | null };
} | null;

export function summarize(
  rows: readonly CheckedRow[],
  { balance, fee }: { balance: Balance; fee: FeeEstimate | null },
): DraftSummary {
  const paid = rows.filter(({ isOut }) => !isOut);
  const amounts = paid.flatMap(({ content }) => content.amountMinor ?? []);
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  const count = BigInt(paid.length);
  const whole = fee && { ...fee, min: fee.min * count, max: fee.max * count };
  const available = balance?.availableMinor ?? null;
  return {
    rows: paid.length,
    out: rows.length - paid.length,
    problems: paid.filter(hasProblem).length,
    sum,
    withoutAmount: paid.length - amounts.length,
    fee: whole,
    available,
    after: available === null ? null : available - sum - (whole?.max ?? 0n),
    firstTime: paid.filter(({ findings }) => findings.some(({ code }) => code === 'first_payment'))
      .length,
    repairedRows: paid.filter(isRepaired).length,
    repairedCells: paid.reduce((total, row) => total + repairedCells(row), 0),
    dated: paid.filter(({ cells }) => cells.date.state !== 'empty').length,
    pace: paceOf(paid),
  };
}

/** What concerns the draft as a whole; `walletFindings` come beside it. */
export function draftProblems(
  summary: DraftSummary,
  facts: { mapping: Mapping; balance: Balance; typesKnown: boolean },
): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const missing = missingFields(facts.mapping);
  if (missing.length > 0) problems.push({ code: 'columns_missing', fields: missing });
  if (summary.rows === 0) problems.push({ code: 'no_rows' });
  if (facts.balance === null) problems.push({ code: 'wallet_unverified' });
  if (!facts.typesKnown) problems.push({ code: 'types_unknown' });
  const { available, sum } = summary;
  if (available !== null && sum > available)
    problems.push({ code: 'sum_above_balance', short: toDecimal(sum - available) });
  const limit = facts.balance?.limits.withdrawalMinor ?? null;
  if (limit !== null && sum > limit)
    problems.push({ code: 'sum_above_limit', short: toDecimal(sum - limit) });
  return problems;
}

/**
 * Whether every row has everything and nothing is left to decide. Missing columns are no reason of
 * their own: cells that were typed instead of them are as good.
 */
export function isReady(
  summary: DraftSummary,
  problems: readonly DraftProblem[],
  walletFindings: readonly Finding[],
): boolean {
  return (
    summary.problems === 0 &&
    problems.every(({ code }) => code === 'columns_missing') &&
    blocking(walletFindings).length === 0
  );
}

/** Whether a cell of the row was read otherwise than it is written, or typed by a person. */
export function isRepaired(row: Pick<CheckedRow, 'cells'>): boolean {
  return repairedCells(row) > 0;
}

function repairedCells({ cells }: Pick<CheckedRow, 'cells'>): number {
  return EDITABLE.filter((field) => marksOf(cells[field] as Cell<unknown>).length > 0).length;
}

function paceOf(rows: readonly CheckedRow[]): Pace {
  const waits = new Map<string, number>();
  const ibans = rows.flatMap(({ content: { iban }, findings }) => {
    if (iban === undefined) return [];
    const wait = findings.find(({ code }) => code === 'same_iban_wait');
    const seconds = wait?.code === 'same_iban_wait' ? wait.params['seconds'] : undefined;
    if (typeof seconds === 'number') waits.set(iban, seconds);
    return [iban];
  });
  return predictPace(ibans, (iban) => waits.get(iban) ?? 0);
}
