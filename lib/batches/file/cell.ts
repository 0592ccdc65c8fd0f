import { toDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import type { PayoutErrorCode } from '#lib/payouts/schema.ts';

/** What was decided for one cell. Pure. */

/** Why the value of a cell is not plainly what the file has. Each has a text in the messages. */
export const MARK_REASONS = [
  'formula',
  'merged',
  'forced_text',
  'number_writing',
  'number_noise',
  'exponent',
  'trailing_zeros',
  'column_convention',
  'invisible',
  'iban_form',
  'iban_country',
  'leading_zero',
  'decimal_tail',
  'tax_form',
  'letters',
  'line_break',
  'serial',
  'time_dropped',
  'chosen',
  'typed',
  'register',
] as const;
export type MarkReason = (typeof MARK_REASONS)[number];
/** `from` is what the file has, `to` what was made of it; amounts as decimal text ('1234.56'). */
export type Mark = { reason: MarkReason; from: string; to: string };

/**
 * Errors that only a file can have; all others are those of the form for one payout. The last four
 * come when names and words are looked up.
 */
export const FILE_ERROR_CODES = [
  'iban_digits_lost',
  'tax_digits_lost',
  'phone_digits_lost',
  'amount_digits_lost',
  'amount_is_date',
  'merged_refused',
  'formula_uncalculated',
  'formula_failed',
  'formula_undone',
  'date_unreadable',
  'currency_other',
  'person_unclear',
  'person_and_iban',
  'recipient_unknown',
  'recipient_accounts',
  'recipient_differs',
  'payment_type_unknown',
] as const;
export type CellErrorCode = PayoutErrorCode | (typeof FILE_ERROR_CODES)[number];

/** The last two come when a saved recipient is looked up: the choices are the accounts. */
export const ASK_REASONS = [
  'amount_ambiguous',
  'date_ambiguous',
  'person_ambiguous',
  'recipient_several',
  'recipient_accounts',
] as const;
export type AskReason = (typeof ASK_REASONS)[number];

/**
 * `source` is the text of the file. `ok`: the value is what the file plainly says. `repaired`: it is
 * not, and each mark says why. `ask`: only a person can choose. `look_up`: the name or nickname of a
 * saved recipient, or the words for a payment type, still to be looked up.
 */
export type Cell<Value = string> =
  | { state: 'empty'; source: string }
  | { state: 'ok'; source: string; value: Value }
  | { state: 'repaired'; source: string; value: Value; marks: readonly Mark[] }
  | { state: 'look_up'; source: string; text: string; marks: readonly Mark[] }
  | { state: 'ask'; source: string; why: AskReason; choices: readonly Value[] }
  | {
      state: 'error';
      source: string;
      code: CellErrorCode;
      params: Readonly<Record<string, string | number>>;
    };

/**
 * The decided cells of one row; amounts as minor units, days as '2026-11-24', the person of a transfer
 * as `keyText` writes it, the rest as text.
 */
export type RowCells = {
  iban: Cell;
  recipient: Cell;
  name: Cell;
  taxNumber: Cell;
  phone: Cell;
  person: Cell;
  amount: Cell<Minor>;
  currency: Cell;
  paymentType: Cell;
  description: Cell;
  date: Cell;
};
export type DecidedField = keyof RowCells;

export function emptyCell(source = ''): { state: 'empty'; source: string } {
  return { state: 'empty', source };
}

export function failedCell(
  source: string,
  code: CellErrorCode,
  params: Readonly<Record<string, string | number>> = {},
): Cell<never> {
  return { state: 'error', source, code, params };
}

/** A value with its marks; without any, the file says it plainly. */
export function valueCell<Value>(
  source: string,
  value: Value,
  marks: readonly Mark[],
): Cell<Value> {
  return marks.length === 0
    ? { state: 'ok', source, value }
    : { state: 'repaired', source, value, marks };
}

/** The value, when there is one. */
export function valueOf<Value>(cell: Cell<Value>): Value | null {
  return cell.state === 'ok' || cell.state === 'repaired' ? cell.value : null;
}

export function marksOf(cell: Cell<unknown>): readonly Mark[] {
  return cell.state === 'repaired' || cell.state === 'look_up' ? cell.marks : [];
}

/** A value as marks name it: an amount as decimal text. */
export function markText(value: string | Minor): string {
  return typeof value === 'bigint' ? toDecimal(value) : value;
}
