import { checkIban } from '#lib/values/iban.ts';
import type { IbanCheck } from '#lib/values/iban.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { failedCell, valueCell } from './cell.ts';
import type { Cell, Mark, MarkReason } from './cell.ts';
import { INVISIBLE, SHORTENED } from './decide-amount.ts';
import type { SourceCell } from './source.ts';

/** Decides the cells of IBANs and tax numbers. Pure. */

/** A spreadsheet keeps fifteen digits of a number; an IBAN has twenty-four. */
const NUMBER_DIGITS_MAX = 15;
/** The two forms of ISO 13616: electronic, and printed in groups of four. */
const PLAIN_IBAN = /^(?:[A-Z0-9]{26}|(?:[A-Z0-9]{4} ){6}[A-Z0-9]{2})$/;
const WITHOUT_COUNTRY = /^\d{24}$/;
const LOST_END = /0{9}$/;
/** A VKN has ten digits; as a number it loses the zeros at its beginning. */
const VKN_LENGTH = 10;
const VKN_SHORTENED_MIN = 7;
const TAX_PREFIX =
  /^\s*(?:v\.?k\.?n\.?|t\.?c\.?(?:\s*k\.?n\.?)?|tckn|vergi no|tax no)\s*[:.]?\s*(?=\d)/iu;
const DECIMAL_TAIL = /^(\d+)[.,]0+$/;

export function decideIban(cell: SourceCell): Cell {
  const { kind, text } = cell;
  const digits = text.replace(/\D/g, '');
  if (SHORTENED.test(text) || (kind === 'number' && digits.length > NUMBER_DIGITS_MAX))
    return failedCell(text, 'iban_digits_lost');
  // A spreadsheet also writes the fifteen digits that it kept, and zeros for the others.
  if (WITHOUT_COUNTRY.test(digits) && LOST_END.test(digits) && !/[a-z]/i.test(text))
    return failedCell(text, 'iban_digits_lost');
  const check = checkIban(text);
  if (check.kind === 'ok') {
    const plain = PLAIN_IBAN.test(text.replace(/^ +| +$/g, ''));
    return valueCell(text, check.iban, plain ? [] : [mark('iban_form', text, check.iban)]);
  }
  return withCountry(text) ?? ofIbanError(text, check);
}

/** The country alone is missing, and the check digits fit with it. */
function withCountry(text: string): Cell | null {
  if (!WITHOUT_COUNTRY.test(text.replace(/ /g, ''))) return null;
  const check = checkIban(`TR${text}`);
  return check.kind === 'ok'
    ? valueCell(text, check.iban, [mark('iban_country', text, check.iban)])
    : null;
}

function ofIbanError(source: string, check: Exclude<IbanCheck, { kind: 'ok' }>): Cell {
  const { kind: _kind, code, ...params } = check;
  return failedCell(source, `iban_${code}`, params);
}

export function decideTaxNumber(cell: SourceCell): Cell {
  const { kind, text } = cell;
  if (SHORTENED.test(text)) return failedCell(text, 'tax_digits_lost');
  const trimmed = text.trim();
  const marks: Mark[] = [];
  const whole = DECIMAL_TAIL.exec(trimmed)?.[1];
  if (whole !== undefined) marks.push(mark('decimal_tail', text, whole));
  else if (kind === 'number' && !/^\d+$/.test(trimmed)) return failedCell(text, 'tax_digits_lost');
  const bare = whole ?? trimmed.replace(TAX_PREFIX, '');
  const check = checkTaxNumber(bare);
  if (check.kind === 'ok') {
    if (whole === undefined && check.value !== trimmed)
      marks.push(mark(formReason(text), text, check.value));
    return valueCell(text, check.value, marks);
  }
  const digits = bare.replace(/[\s.-]/g, '');
  const padded = checkTaxNumber(digits.padStart(VKN_LENGTH, '0'));
  const shortened = /^\d+$/.test(digits) && digits.length >= VKN_SHORTENED_MIN;
  if (shortened && digits.length < VKN_LENGTH && padded.kind === 'ok')
    return valueCell(text, padded.value, [...marks, mark('leading_zero', text, padded.value)]);
  const { kind: _kind, code, ...params } = check;
  return failedCell(text, `tax_${code}`, params);
}

function formReason(text: string): MarkReason {
  return INVISIBLE.test(text) ? 'invisible' : 'tax_form';
}

function mark(reason: MarkReason, from: string, to: string): Mark {
  return { reason, from, to };
}
