import { AMOUNT_MAX, formatAmount, parseAmount, toDecimal } from '#lib/values/money.ts';
import type { AmountError, Minor, ParsedAmount } from '#lib/values/money.ts';
import { failedCell, valueCell } from './cell.ts';
import type { Cell, Mark, MarkReason } from './cell.ts';
import type { AmountConvention } from './conventions.ts';
import { readNumber } from './number-text.ts';
import type { SourceCell } from './source.ts';

/** Decides the cells of the amount column. Pure. */

/** '2,3E+25' in text: a spreadsheet showed the number so and wrote only these digits. */
export const SHORTENED = /^\s*[-+]?\d+(?:[.,]\d+)?\s*[eE]\s*[-+]?\d+\s*$/;
/** Characters that nobody sees, inside a text. */
export const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
/** A number of a program: too many digits behind its separator for a thousand. */
const LONG_FRACTION = /^\s*(\d+)[.,](\d{4,})\s*$/;

/** '8,000.': the mark at the end may be a full stop, and proves nothing of the other one. */
const FULL_STOP = /^([^\d.,]*[1-9]\d{0,2}[.,]\d{3})[.,]([^\d.,]*)$/;

/** `convention`: what the other cells of the column prove. */
export function decideAmount(
  cell: SourceCell,
  convention: AmountConvention,
  currency: string,
): Cell<Minor> {
  const { kind, text } = cell;
  if (kind === 'empty') return failedCell(text, 'amount_empty');
  if (kind === 'date') return failedCell(text, 'amount_is_date');
  if (kind === 'boolean') return failedCell(text, 'amount_not_a_number');
  if (kind === 'number') return ofNumber(text, text);
  if (SHORTENED.test(text)) return failedCell(text, 'amount_digits_lost');
  const [, whole, fraction] = LONG_FRACTION.exec(text) ?? [];
  if (whole !== undefined) return ofNumber(text, `${whole}.${fraction}`);
  return ofText(text, convention, currency);
}

/** The text alone, as the form for one payout reads it where both notations mean the same amount. */
export function plainAmount(text: string, currency: string): Cell<Minor> {
  const cell = ofText(text, null, currency);
  return cell.state === 'repaired' ? valueCell(text, cell.value, []) : cell;
}

function ofNumber(source: string, digits: string): Cell<Minor> {
  const read = readNumber(digits);
  if (read === null) return failedCell(source, 'amount_too_many_decimals');
  // The limits of the form for one payout: above zero, and what the provider takes.
  const decimal = toDecimal(read.value);
  const checked = parseAmount(decimal, 'en');
  if (checked.kind !== 'ok') return ofError(source, checked);
  const marks = read.reason === null ? [] : [mark(read.reason, source, checked.minor)];
  return valueCell(source, checked.minor, marks);
}

function ofText(text: string, convention: AmountConvention, currency: string): Cell<Minor> {
  const read = text.replace(FULL_STOP, '$1$2');
  const turkish = parseAmount(read, 'tr', currency);
  const english = parseAmount(read, 'en', currency);
  const marks = INVISIBLE.test(text) ? (['invisible'] as const) : [];
  const same = turkish.kind === 'ok' && english.kind === 'ok' && turkish.minor === english.minor;
  if (same)
    return valueCell(
      text,
      turkish.minor,
      marks.map((one) => mark(one, text, turkish.minor)),
    );
  if (convention === null) {
    const open = [turkish, english].find(({ kind }) => kind === 'ambiguous');
    return ofError(text, open ?? turkish);
  }
  const proven = convention === 'tr' ? turkish : english;
  if (proven.kind !== 'ok') return ofError(text, proven);
  const reasons: MarkReason[] = ['column_convention', ...marks];
  return valueCell(
    text,
    proven.minor,
    reasons.map((one) => mark(one, text, proven.minor)),
  );
}

function mark(reason: MarkReason, from: string, value: Minor): Mark {
  return { reason, from, to: toDecimal(value) };
}

function ofError(source: string, parsed: ParsedAmount): Cell<Minor> {
  if (parsed.kind === 'ambiguous')
    return { state: 'ask', source, why: 'amount_ambiguous', choices: parsed.readings };
  const code: AmountError = parsed.kind === 'error' ? parsed.code : 'not_a_number';
  // The same parameter as in the form for one payout (lib/form-fields/money-form.ts).
  return code === 'too_large'
    ? failedCell(source, 'amount_too_large', { max: formatAmount(AMOUNT_MAX, 'tr') })
    : failedCell(source, `amount_${code}`);
}
