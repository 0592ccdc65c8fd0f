import type { Field } from '../headings.ts';
import type { TestCell } from './workbook.ts';

/**
 * What cells of payouts files say and what must be decided for them, written down by hand. A
 * decision is told as text: 'ok VALUE', 'REASON+REASON VALUE', 'ask A|B', 'error CODE', 'look up
 * TEXT', 'empty'.
 */

/** `book`: the cell of a workbook, where it is not the text; `inBook`: its decision there. */
export type CellSpec = { text: string; decision: string; book?: TestCell; inBook?: string };
/**
 * `only`: the kind of file that can hold these cells. `unicode`: Windows-1254 cannot write them.
 * `provable`: the columns are found without headings.
 */
export type Scenario = {
  name: string;
  fields: readonly Field[];
  rows: readonly (readonly CellSpec[])[];
  only?: 'workbook';
  unicode?: true;
  provable?: true;
};

/** Makes a valid IBAN with the arithmetic of whole numbers, as the text of the standard does. */
export function makeIban(bank: string, account: string): string {
  const body = `${bank}0${account.padStart(16, '0')}`;
  const digits = `${body}TR00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `TR${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${body}`;
}

export const A = makeIban('00062', '1234567890123456');
export const B = makeIban('00010', '77');
export const C = makeIban('00067', 'ABCDEF1234567890');
export const VKN = '1234567890';
export const TCKN = '12345678950';

function cell(text: string, decision: string, book?: TestCell, inBook?: string): CellSpec {
  return {
    text,
    decision,
    ...(book === undefined ? {} : { book }),
    ...(inBook === undefined ? {} : { inBook }),
  };
}

const NAMES = ['Ayşe Yılmaz', 'Işık İnşaat Ltd. Şti.', 'Ömer Çağrı Öğüt', 'ABC Lojistik A.Ş.'];

/** Rows that differ in one field; account and name are plain. */
function varying(
  name: string,
  field: Field,
  cells: readonly CellSpec[],
  more: Partial<Scenario> = {},
): Scenario {
  const ibans = [A, B, C];
  const plain: Record<'iban' | 'name' | 'taxNumber' | 'amount', (at: number) => CellSpec> = {
    iban: (at) => cell(ibans[at % 3]!, `ok ${ibans[at % 3]}`),
    name: (at) => cell(NAMES[at % 4]!, `ok ${NAMES[at % 4]}`),
    taxNumber: (at) => (at % 2 === 0 ? cell(VKN, `ok ${VKN}`) : cell(TCKN, `ok ${TCKN}`)),
    amount: (at) => cell(`${at + 1}00,50`, `ok ${at + 1}00.50`),
  };
  const fields = [...new Set<Field>(['iban', 'name', 'taxNumber', 'amount', field])];
  const rows = cells.map((one, at) =>
    fields.map((name) => (name === field ? one : plain[name as keyof typeof plain](at))),
  );
  return { name, fields, rows, ...more };
}

const amounts = (
  name: string,
  cells: readonly CellSpec[],
  more: Partial<Scenario> = {},
): Scenario => varying(name, 'amount', cells, more);

const IBAN_GROUPS = A.replace(/(.{4})(?=.)/g, '$1 ');

export const SCENARIOS: readonly Scenario[] = [
  amounts(
    'amounts in Turkish notation',
    [
      cell('1.234,56', 'ok 1234.56'),
      cell('250,00', 'ok 250.00'),
      cell('12.400', 'column_convention 12400.00'),
      cell('1.000.000,10', 'ok 1000000.10'),
      cell('7', 'ok 7.00'),
    ],
    { provable: true },
  ),
  amounts(
    'amounts in English notation',
    [
      cell('1,234.56', 'ok 1234.56'),
      cell('250.00', 'ok 250.00'),
      cell('12,400', 'column_convention 12400.00'),
      cell('0.99', 'ok 0.99'),
      cell('1,000,000.10', 'ok 1000000.10'),
    ],
    { provable: true },
  ),
  amounts(
    'amounts without separators',
    [cell('1234', 'ok 1234.00'), cell('250', 'ok 250.00'), cell('12400', 'ok 12400.00')],
    { provable: true },
  ),
  amounts('amounts that nothing proves', [
    cell('1.234', 'ask 1234.00|1.23'),
    cell('12.400', 'ask 12400.00|12.40'),
    cell('500', 'ok 500.00'),
    cell('1,500', 'ask 1500.00|1.50'),
    cell('8,000.', 'ask 8000.00|8.00'),
    cell('3,000..', 'error amount_not_a_number'),
    cell('3.000.,', 'error amount_not_a_number'),
  ]),
  amounts('a Turkish column with a decimal of three digits', [
    cell('1.234,5', 'ok 1234.50'),
    cell('1,500', 'ask 1500.00|1.50'),
    cell('1234,567', 'error amount_too_many_decimals'),
  ]),
  amounts('an English column with a decimal of three digits', [
    cell('1,234.5', 'ok 1234.50'),
    cell('1.500', 'ask 1500.00|1.50'),
    cell('0.500', 'error amount_too_many_decimals'),
  ]),
  amounts('amounts in two notations', [
    cell('1.234,56', 'ok 1234.56'),
    cell('1,234.56', 'ok 1234.56'),
    cell('2.000', 'ask 2000.00|2.00'),
    cell('3000', 'ok 3000.00'),
  ]),
  amounts('currencies, signs and words', [
    cell('1.234,56 TL', 'ok 1234.56'),
    cell('-5,00', 'error amount_negative'),
    cell('(12,50)', 'error amount_negative'),
    cell('0,00', 'error amount_zero'),
    cell('12,50 USD', 'error amount_other_currency'),
    cell('bin lira', 'error amount_not_a_number'),
    cell('', 'error amount_empty'),
    cell('1000000000', 'error amount_too_large'),
    cell('1.23.4', 'error amount_not_a_number'),
    cell('TRY 99,90', 'ok 99.90'),
    cell("'45,00", 'forced_text 45.00'),
    cell('="4.500"', 'forced_text+column_convention 4500.00'),
  ]),
  amounts('numbers that programs write as text', [
    cell('12400.0000', 'trailing_zeros 12400.00'),
    cell('1234.5600000000001', 'number_noise 1234.56'),
    cell('44.130000000000003', 'number_writing 44.13'),
    cell('1,5E+03', 'error amount_digits_lost'),
    cell('1234.5678', 'error amount_too_many_decimals'),
    cell('0.30000000000000004', 'number_noise 0.30'),
  ]),
  amounts(
    'numbers of a workbook',
    [
      cell('', 'number_noise 1234.56', { number: '1234.5600000000001' }),
      cell('', 'number_noise 0.30', { number: '0.30000000000000004' }),
      cell('', 'number_writing 44.13', { number: '44.130000000000003' }),
      cell('', 'number_writing 0.29', { number: '0.28999999999999998' }),
      cell('', 'exponent 1500.00', { number: '1.5E3' }),
      cell('', 'error amount_too_many_decimals', { number: '1234.567' }),
      cell('', 'error amount_too_many_decimals', { number: '4.999999999' }),
      cell('', 'error amount_too_many_decimals', { number: '1234.5678901234567' }),
      cell('', 'error amount_too_many_decimals', { number: '1234.56000000001' }),
      cell('', 'error amount_too_many_decimals', { number: '1234.560000000012' }),
      cell('', 'error amount_too_many_decimals', { number: '10.333333333333334' }),
      cell('', 'ok 1234.00', { number: '1234' }),
      cell('', 'ok 999999999.00', { number: '999999999' }),
      cell('', 'number_writing 99999999.99', { number: '99999999.989999995' }),
      cell('', 'error amount_negative', { number: '-12.5' }),
      cell('', 'error amount_zero', { number: '0' }),
      cell('', 'error amount_too_large', { number: '1E9' }),
      cell('', 'error amount_is_date', { date: '45985' }),
      cell('', 'error amount_not_a_number', { boolean: true }),
    ],
    { only: 'workbook' },
  ),
  amounts(
    'formulas of a workbook',
    [
      cell('', 'formula 1200.00', { number: '1200', formula: 'B2*1.2' }),
      cell('', 'formula+number_noise 1234.56', { number: '1234.5600000000001', formula: 'B2' }),
      cell('', 'formula 12.50', { text: '12,50', formula: 'TEXT(B2)' }),
      cell('', 'error formula_uncalculated', { formula: 'B2*1.2' }),
      cell('', 'error formula_failed', { error: '#REF!', formula: 'Z99' }),
      cell('', 'error formula_failed', { error: '#N/A' }),
      cell('', 'ok 3.00', { number: '3' }),
    ],
    { only: 'workbook' },
  ),
  varying('IBANs in every writing', 'iban', [
    cell(A, `ok ${A}`),
    cell(IBAN_GROUPS, `ok ${A}`),
    cell(A.toLowerCase(), `iban_form ${A}`),
    cell(`IBAN: ${IBAN_GROUPS}`, `iban_form ${A}`),
    cell(IBAN_GROUPS.replaceAll(' ', '-'), `iban_form ${A}`),
    cell(IBAN_GROUPS.replaceAll(' ', '\u00a0'), `iban_form ${A}`),
    cell(C, `ok ${C}`),
    cell(B.slice(2), `iban_country ${B}`),
    cell(`${A} `, `ok ${A}`),
    cell(`'${A}`, `forced_text ${A}`),
    cell(`="${A.toLowerCase()}"`, `forced_text+iban_form ${A}`),
  ]),
  varying('IBANs that cannot be read', 'iban', [
    cell(A, `ok ${A}`),
    cell(B, `ok ${B}`),
    cell(C, `ok ${C}`),
    cell(IBAN_GROUPS, `ok ${A}`),
    cell('2,3E+25', 'error iban_digits_lost', { number: '3.3000610051978646E+23' }),
    cell('330006100519786000000000', 'error iban_digits_lost'),
    cell(A.slice(0, 25), 'error iban_incomplete'),
    cell(`${A}1`, 'error iban_too_long'),
    cell(
      A.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
      'error iban_check_digits',
    ),
    cell('DE89370400440532013000', 'error iban_not_tr'),
    cell('TR3O0006100519786457841326', 'error iban_bad_character'),
    cell('', 'error iban_incomplete'),
    cell(B, `ok ${B}`),
    cell(B, `ok ${B}`),
  ]),
  varying('tax numbers that lost digits', 'taxNumber', [
    cell('0123456789', 'ok 0123456789'),
    cell('123456789', 'leading_zero 0123456789', { number: '123456789' }),
    cell('12345672', 'leading_zero 0012345672', { number: '12345672' }),
    cell(VKN, `ok ${VKN}`, { number: VKN }),
    cell(TCKN, `ok ${TCKN}`, { number: TCKN }),
    cell(`${VKN}.0`, `decimal_tail ${VKN}`),
    cell(`'${VKN}`, `forced_text ${VKN}`),
    cell('="0123456789"', 'forced_text 0123456789'),
    cell('123 456 7890', `tax_form ${VKN}`),
    cell(`VKN: ${VKN}`, `tax_form ${VKN}`),
    cell('1,23457E+10', 'error tax_digits_lost'),
    cell('1234567891', 'error tax_check_digits'),
    cell('12345678', 'error tax_incomplete'),
    cell('', 'error tax_incomplete'),
    cell('12345678951', 'error tax_check_digits'),
  ]),
  varying('days in every writing', 'date', [
    cell('24.11.2026', 'ok 2026-11-24'),
    cell('2026-11-24', 'ok 2026-11-24'),
    cell('24 Kasım 2026', 'ok 2026-11-24'),
    cell('45985', 'serial 2025-11-24', { number: '45985' }),
    cell('24-11-2026', 'ok 2026-11-24', { date: '45985' }, 'ok 2025-11-24'),
    cell(
      '24.11.2026 13:45',
      'time_dropped 2026-11-24',
      { date: '45985.75' },
      'time_dropped 2025-11-24',
    ),
    cell('24.11.2026 00:00:00', 'ok 2026-11-24'),
    cell('31.02.2026', 'error date_unreadable'),
    cell('yarın', 'error date_unreadable'),
    cell('', 'empty'),
  ]),
  varying('days of which one proves the order', 'date', [
    cell('25/04/2026', 'ok 2026-04-25'),
    cell('03/04/2026', 'column_convention 2026-04-03'),
    cell('04/04/2026', 'ok 2026-04-04'),
  ]),
  varying('American days', 'date', [
    cell('04/25/2026', 'ok 2026-04-25'),
    cell('03/04/2026', 'column_convention 2026-03-04'),
  ]),
  varying('days that nothing proves', 'date', [
    cell('03/04/2026', 'ask 2026-04-03|2026-03-04'),
    cell('05/06/2026', 'ask 2026-06-05|2026-05-06'),
    cell('05.06.2026', 'ok 2026-06-05'),
  ]),
  varying(
    'letters that an encoding broke',
    'name',
    [
      cell('Ã–zgÃ¼r Ã‡elik', 'letters Özgür Çelik'),
      cell('Þafak Ýnþaat', 'letters Şafak İnşaat'),
      cell('Ay\u200bşe Kaya', 'invisible Ayşe Kaya'),
      cell('Ali  "Bey"\nVeli', 'line_break Ali "Bey" Veli'),
      cell('A', 'error name_too_short'),
      cell('Ali\u202eilA', 'error name_control_characters'),
    ],
    { unicode: true },
  ),
  {
    name: 'saved recipients by nickname',
    fields: ['recipient', 'amount', 'description'],
    rows: [
      [cell('Şafak', 'look up Şafak'), cell('10,50', 'ok 10.50'), cell('Kasım', 'ok Kasım')],
      [
        cell(' ev sahibi ', 'look up ev sahibi'),
        cell('1.000', 'column_convention 1000.00'),
        cell('', 'empty'),
      ],
      [cell('', 'empty'), cell('3,00', 'ok 3.00'), cell('x', 'ok x')],
    ],
  },
  {
    name: 'names in two columns',
    fields: ['name', 'surname', 'iban', 'amount'],
    rows: [
      [
        cell('Ayşe', 'ok Ayşe Yılmaz'),
        cell('Yılmaz', ''),
        cell(A, `ok ${A}`),
        cell('5,00', 'ok 5.00'),
      ],
      [cell('Ali', 'ok Ali Öz'), cell('Öz', ''), cell(B, `ok ${B}`), cell('6,00', 'ok 6.00')],
      [cell('Can', 'ok Can'), cell('', ''), cell(C, `ok ${C}`), cell('7,00', 'ok 7.00')],
    ],
  },
  {
    name: 'every other field',
    fields: ['iban', 'name', 'amount', 'phone', 'currency', 'paymentType', 'description'],
    rows: [
      [
        ...[cell(A, `ok ${A}`), cell('Ayşe Yılmaz', 'ok Ayşe Yılmaz'), cell('5,00', 'ok 5.00')],
        ...[cell('0533 000 02 01', 'ok 905330000201'), cell('TL', 'ok TRY'), cell('1', 'ok 1')],
        cell('Fatura 12', 'ok Fatura 12'),
      ],
      [
        ...[cell(B, `ok ${B}`), cell('Ali Veli', 'ok Ali Veli'), cell('6,00', 'ok 6.00')],
        ...[cell('5330000201', 'ok 905330000201'), cell('USD', 'error currency_other')],
        ...[cell('maaş', 'look up maaş'), cell('', 'empty')],
      ],
      [
        ...[cell(C, `ok ${C}`), cell('Can Öz', 'ok Can Öz'), cell('7,00', 'ok 7.00')],
        ...[cell('9,05E+11', 'error phone_digits_lost'), cell('', 'empty'), cell('', 'empty')],
        cell('a'.repeat(251), 'error description_too_long'),
      ],
    ],
  },
];
