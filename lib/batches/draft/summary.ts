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
import { BANK_ROW, PERSON_ROW } from '../row-content.ts';
import type { RowKind } from '../row-content.ts';
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
  /** The part of the sum that goes to wallets of people, and how many rows that are. */
  toPeople: { rows: number; sum: bigint };
  /** Rows whose amount is not known yet: the sum is without them. */
  withoutAmount: number;
  fee: FeeEstimate | null;
  available: bigint | null;
  after: bigint | null;
  /** Accounts and wallets that are paid for the first time, however many rows pay each. */
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
  | { code: 'sum_above_balance' | 'sum_above_limit' | 'sum_above_transfer_limit'; short: string };

/** The limits are what the provider reports as left for withdrawals, and for transfers to wallets. */
type Balance = {
  availableMinor: bigint | null;
  limits: { withdrawalMinor: bigint | null; walletToWalletMinor?: bigint | null };
} | null;
type Fees = Readonly<Record<RowKind, FeeEstimate | null>>;

export function summarize(
  rows: readonly CheckedRow[],
  { balance, fees }: { balance: Balance; fees: Fees },
): DraftSummary {
  const paid = rows.filter(({ isOut }) => !isOut);
  const people = paid.filter(({ found }) => found !== null);
  const amounts = paid.flatMap(({ content }) => content.amountMinor ?? []);
  const sum = sumOf(paid);
  const whole = feeOfAll(paid, fees);
  const available = balance?.availableMinor ?? null;
  return {
    rows: paid.length,
    out: rows.length - paid.length,
    problems: paid.filter(hasProblem).length,
    sum,
    toPeople: { rows: people.length, sum: sumOf(people) },
    withoutAmount: paid.length - amounts.length,
    fee: whole,
    available,
    after: available === null ? null : available - sum - (whole?.max ?? 0n),
    firstTime: new Set(
      paid
        .filter(({ findings }) => findings.some(({ code }) => code === 'first_payment'))
        .map(({ key, content }) => content.iban ?? content.person?.toWallet ?? key),
    ).size,
    repairedRows: paid.filter(isRepaired).length,
    repairedCells: paid.reduce((total, row) => total + repairedCells(row), 0),
    dated: paid.filter(({ cells }) => cells.date.state !== 'empty').length,
    pace: paceOf(paid),
  };
}

/** What all rows together cost; null while the fee of one kind of them is not known. */
function feeOfAll(rows: readonly CheckedRow[], fees: Fees): FeeEstimate | null {
  const toPeople = rows.filter(({ found }) => found !== null).length;
  const parts = [
    { fee: fees[BANK_ROW], count: BigInt(rows.length - toPeople) },
    { fee: fees[PERSON_ROW], count: BigInt(toPeople) },
  ].filter(({ count }) => count > 0n);
  const known = parts.flatMap(({ fee, count }) => (fee === null ? [] : [{ ...fee, count }]));
  if (known.length < parts.length || known.length === 0) return null;
  return {
    min: known.reduce((sum, { min, count }) => sum + min * count, 0n),
    max: known.reduce((sum, { max, count }) => sum + max * count, 0n),
    n: Math.min(...known.map(({ n }) => n)),
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
  const { withdrawalMinor, walletToWalletMinor } = facts.balance?.limits ?? NO_LIMITS;
  const short = (part: bigint, limit: bigint | null): string | null =>
    limit !== null && part > limit ? toDecimal(part - limit) : null;
  const ofBanks = short(sum - summary.toPeople.sum, withdrawalMinor);
  if (ofBanks !== null) problems.push({ code: 'sum_above_limit', short: ofBanks });
  const ofPeople = short(summary.toPeople.sum, walletToWalletMinor ?? null);
  if (ofPeople !== null) problems.push({ code: 'sum_above_transfer_limit', short: ofPeople });
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

const NO_LIMITS: NonNullable<Balance>['limits'] = { withdrawalMinor: null };

function sumOf(rows: readonly CheckedRow[]): bigint {
  return rows.reduce((total, { content }) => total + (content.amountMinor ?? 0n), 0n);
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
  const others = rows.length - ibans.length;
  return predictPace(ibans, (iban) => waits.get(iban) ?? 0, others);
}
