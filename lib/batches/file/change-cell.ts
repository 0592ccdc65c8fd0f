import { checkIban } from '#lib/values/iban.ts';
import type { IbanCheck } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import type { TaxNumberCheck } from '#lib/values/tax-number.ts';
import { emptyCell, failedCell, marksOf, markText, valueOf } from './cell.ts';
import type { Cell, CellErrorCode, DecidedField, RowCells } from './cell.ts';
import { plainAmount } from './decide-amount.ts';
import { typedPerson } from './decide-person.ts';
import {
  decideCurrency,
  decideDate,
  decideDescription,
  decideName,
  decidePaymentType,
  decidePhone,
  decideRecipient,
} from './decide-text.ts';

/** What a person does with a decided cell: undo its repairs, choose, type. Pure. */

const CURRENCY = 'TRY';
/** Puts back no letter. */
const asWritten = (text: string): string => text;

/**
 * The cell without its repairs: the text of the file, read as the form for one payout reads it. The
 * cell stays as it is when the form reads the same value, and when there is nothing to undo.
 */
export function undoRepairs<Name extends DecidedField>(
  field: Name,
  cell: RowCells[Name],
): RowCells[Name] {
  const marks = marksOf(cell);
  if (marks.length === 0) return cell;
  if (marks.some(({ reason }) => reason === 'formula'))
    return failedCell(cell.source, 'formula_undone') as RowCells[Name];
  // The cell itself is empty: its text is the one of the cell that covers it.
  if (marks.some(({ reason }) => reason === 'merged')) return emptyCell() as RowCells[Name];
  const plain = plainly(field, cell.source) as RowCells[Name];
  return valueOf<string | Minor>(plain) === valueOf<string | Minor>(cell) && plain.state === 'ok'
    ? cell
    : plain;
}

/** The text that a person typed instead, in the notation of the person's language. */
export function typeCell<Name extends DecidedField>(
  field: Name,
  cell: RowCells[Name],
  typed: string,
  locale: Locale,
): RowCells[Name] {
  const read = (field === 'amount' ? typedAmount(typed, locale) : plainly(field, typed)) as Cell<
    string | Minor
  >;
  const { source } = cell;
  if (read.state !== 'ok' && read.state !== 'repaired' && read.state !== 'look_up')
    return { ...read, source } as RowCells[Name];
  const to = read.state === 'look_up' ? read.text : markText(read.value);
  const marks = [{ reason: 'typed', from: source, to } as const];
  return (
    read.state === 'look_up'
      ? { ...read, source, marks }
      : { state: 'repaired', source, value: read.value, marks }
  ) as RowCells[Name];
}

/** One of the choices of a cell that asks. @throws RangeError for a cell without that choice */
export function chooseReading<Value extends string | Minor>(
  cell: Cell<Value>,
  choice: number,
): Cell<Value> {
  const value = cell.state === 'ask' ? cell.choices[choice] : undefined;
  if (value === undefined) throw new RangeError('The cell has no such choice.');
  const { source } = cell;
  return {
    state: 'repaired',
    source,
    value,
    marks: [{ reason: 'chosen', from: source, to: markText(value) }],
  };
}

function typedAmount(typed: string, locale: Locale): Cell<Minor> {
  const parsed = parseAmount(typed, locale, CURRENCY);
  return parsed.kind === 'ok'
    ? { state: 'ok', source: typed, value: parsed.minor }
    : plainAmount(typed, CURRENCY);
}

/** The text without any repair: only what the form for one payout takes too. */
function plainly(field: DecidedField, text: string): Cell<string | Minor> {
  switch (field) {
    case 'amount':
      return plainAmount(text, CURRENCY);
    case 'iban':
      // Nothing typed: the row pays a person, or says that its IBAN is missing.
      return text.trim() === '' ? emptyCell(text) : ofCheck(text, 'iban', checkIban(text));
    case 'taxNumber':
      return ofCheck(text, 'tax', checkTaxNumber(text));
    case 'name':
      return decideName(text, asWritten);
    case 'description':
      return decideDescription(text, asWritten);
    case 'recipient':
      return decideRecipient(text, asWritten);
    case 'person':
      return typedPerson(text);
    case 'phone':
      return decidePhone(text);
    case 'paymentType':
      return decidePaymentType(text);
    case 'currency':
      return decideCurrency(text, CURRENCY);
    case 'date':
      return plainDate(text);
  }
}

function ofCheck(
  text: string,
  field: 'iban' | 'tax',
  check: IbanCheck | TaxNumberCheck,
): Cell<string> {
  if (check.kind === 'ok')
    return { state: 'ok', source: text, value: 'iban' in check ? check.iban : check.value };
  const { kind: _kind, code, ...params } = check;
  return failedCell(text, `${field}_${code}` as CellErrorCode, params);
}

function plainDate(text: string): Cell {
  const cell = decideDate({ kind: 'text', text }, null, false);
  return cell.state === 'repaired' ? failedCell(text, 'date_unreadable') : cell;
}
