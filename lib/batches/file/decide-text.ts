import {
  oneLine,
  readDescription,
  readName,
  readPaymentType,
} from '#lib/form-fields/money-form.ts';
import { readPayeePhone } from '#lib/payouts/schema.ts';
import type { PayoutErrorCode } from '#lib/payouts/schema.ts';
import { isDay } from '#lib/values/dates.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { emptyCell, failedCell, valueCell } from './cell.ts';
import type { Cell, Mark } from './cell.ts';
import type { DateConvention } from './conventions.ts';
import { INVISIBLE, SHORTENED } from './decide-amount.ts';
import { turkishLetters } from './letters.ts';
import { plausibleDate } from './serial.ts';
import type { SourceCell } from './source.ts';

/** Decides the cells of words, telephone numbers and days. Pure. */

/** A code of the provider's list as it stands in files; longer texts are words for one. */
const TYPE_CODE = /^\d{1,3}$/;
const CURRENCIES: Record<string, string> = {
  TL: 'TRY',
  '₺': 'TRY',
  TRY: 'TRY',
  'TÜRK LİRASI': 'TRY',
};
const LINE_BREAKS = /[\r\n]+/g;
const WITH_TIME = /^(\S.*?)[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/;

type Failure = { code: PayoutErrorCode; params: Readonly<Record<string, string | number>> };

/** `letters`: how broken Turkish letters are put back; not at all when a repair is undone. */
export function decideName(text: string, letters = turkishLetters): Cell {
  return ofWords(text, letters(text), (words, fail) =>
    readName(words, (_field, ...error) => fail(...error)),
  );
}

export function decideDescription(text: string, letters = turkishLetters): Cell {
  if (text.trim() === '') return emptyCell(text);
  return ofWords(text, letters(text), (words, fail) =>
    readDescription(words, (_field, ...error) => fail(...error)),
  );
}

/** The words as the form for one payout reads them; what nobody sees on the screen is a repair. */
function ofWords(
  text: string,
  words: string,
  read: (
    words: string,
    fail: (code: PayoutErrorCode, params?: Failure['params']) => null,
  ) => string | null,
): Cell {
  const failures: Failure[] = [];
  // A line break in a cell is a blank in one line.
  const value = read(words.replace(LINE_BREAKS, ' '), (code, params = {}) => {
    failures.push({ code, params });
    return null;
  });
  const [failure] = failures;
  if (failure !== undefined) return failedCell(text, failure.code, failure.params);
  if (value === null) return emptyCell(text);
  const marks: Mark[] = [];
  if (words !== text) marks.push({ reason: 'letters', from: text, to: value });
  if (/[\r\n]/.test(text.trim())) marks.push({ reason: 'line_break', from: text, to: value });
  if (INVISIBLE.test(text)) marks.push({ reason: 'invisible', from: text, to: value });
  return valueCell(text, value, marks);
}

/** The name or nickname of a saved recipient, for the register to look up. */
export function decideRecipient(text: string, letters = turkishLetters): Cell {
  const words = letters(text);
  const found = oneLine(words);
  if (found === '') return emptyCell(text);
  const marks: Mark[] = words === text ? [] : [{ reason: 'letters', from: text, to: found }];
  return { state: 'look_up', source: text, text: found, marks };
}

export function decidePhone(text: string): Cell {
  if (text.trim() === '') return emptyCell(text);
  if (SHORTENED.test(text)) return failedCell(text, 'phone_digits_lost');
  let failed: PayoutErrorCode = 'phone_incomplete';
  const phone = readPayeePhone(text, (_field, code) => {
    failed = code;
    return null;
  });
  return phone === null ? failedCell(text, failed) : valueCell(text, phone, []);
}

export function decidePaymentType(text: string): Cell {
  const words = oneLine(text);
  if (words === '') return emptyCell(text);
  const code = TYPE_CODE.test(words) ? readPaymentType(words, () => null) : null;
  return code === null
    ? { state: 'look_up', source: text, text: words, marks: [] }
    : valueCell(text, code, []);
}

export function decideCurrency(text: string, expected: string): Cell {
  const written = text.trim().toLocaleUpperCase('tr');
  if (written === '') return emptyCell(text);
  const currency = CURRENCIES[written] ?? text.trim().toUpperCase();
  return currency === expected
    ? valueCell(text, currency, [])
    : failedCell(text, 'currency_other', { expected });
}

export function decideDate(cell: SourceCell, convention: DateConvention, epoch1904: boolean): Cell {
  const { kind, text } = cell;
  const written = text.trim();
  if (written === '') return emptyCell(text);
  const [, day = written, time] = WITH_TIME.exec(written) ?? [];
  const dropped: Mark[] =
    time === undefined || /^0{1,2}:00(?::00(?:\.0+)?)?$/.test(time)
      ? []
      : [{ reason: 'time_dropped', from: text, to: day }];
  if (kind === 'date')
    return isDay(day) ? valueCell(text, day, dropped) : failedCell(text, 'date_unreadable');
  const serial = /^\d{5}(?:\.\d+)?$/.test(written) ? plausibleDate(written, epoch1904) : null;
  if (serial !== null) {
    const only = serial.slice(0, 10);
    return valueCell(text, only, [{ reason: 'serial', from: text, to: only }]);
  }
  const slashed = ofSlashes(text, day, convention, dropped);
  if (slashed !== null) return slashed;
  const read = readDay(day);
  return read === null ? failedCell(text, 'date_unreadable') : valueCell(text, read, dropped);
}

/** A day with slashes may begin with the day or with the month. */
function ofSlashes(
  source: string,
  day: string,
  convention: DateConvention,
  dropped: readonly Mark[],
): Cell | null {
  const [, first = '', second = '', year = ''] = SLASHED.exec(day) ?? [];
  if (first === '') return null;
  const dayFirst = readDay(`${first}.${second}.${year}`);
  const monthFirst = readDay(`${second}.${first}.${year}`);
  if (dayFirst === monthFirst || monthFirst === null)
    return dayFirst === null
      ? failedCell(source, 'date_unreadable')
      : valueCell(source, dayFirst, dropped);
  if (dayFirst === null) return valueCell(source, monthFirst, dropped);
  if (convention === null)
    return { state: 'ask', source, why: 'date_ambiguous', choices: [dayFirst, monthFirst] };
  const proven = convention === 'day_first' ? dayFirst : monthFirst;
  return valueCell(source, proven, [
    ...dropped,
    { reason: 'column_convention', from: source, to: proven },
  ]);
}
