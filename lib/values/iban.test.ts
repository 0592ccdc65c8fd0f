import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BANK_CODES, bankName } from './banks.ts';
import {
  checkIban,
  groupIban,
  groupWithCaret,
  IBAN_LENGTH,
  maskIban,
  normaliseIban,
} from './iban.ts';

const KNOWN = 'TR330006100519786457841326';

/**
 * Makes a valid IBAN by other arithmetic than the product's: it computes with the whole number at
 * once, as the text of the standard does.
 */
function makeIban(bankCode: string, account: string): string {
  const body = `${bankCode}0${account.padStart(16, '0')}`;
  const digits = `${body}TR00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `TR${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${body}`;
}

const anyBank = fc.stringMatching(/^0[0-9]{4}$/);
const anyAccount = fc.stringMatching(/^[0-9A-Z]{16}$/);
const anyIban = fc.tuple(anyBank, anyAccount).map(([bank, account]) => makeIban(bank, account));
const separator = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '.',
  '-',
  '\u00a0',
  '\u2013',
  '\u200b',
  '\t',
  '\n',
);

describe('an IBAN', () => {
  test.each([
    [KNOWN, '00061', null],
    ['TR470000100100000350930001', '00001', 'TCMB'],
    ['TR809999900000000000000001', '99999', null],
    ['TR359999900000000000000326', '99999', null],
    [makeIban('00010', '12345678'), '00010', 'Ziraat Bankası'],
    [makeIban('00067', 'ABCDEF1234567890'), '00067', 'Yapı Kredi'],
  ])('%s is accepted', (iban, bankCode, name) => {
    expect(checkIban(iban)).toEqual({ kind: 'ok', iban, bankCode, bankName: name });
  });

  test.each([
    'TR33 0006 1005 1978 6457 8413 26',
    'tr33 0006 1005 1978 6457 8413 26',
    'IBAN: TR33 0006 1005 1978 6457 8413 26',
    'IBAN NO: TR33-0006-1005-1978-6457-8413-26',
    'iban:TR33.0006.1005.1978.6457.8413.26',
    'İban : TR330006100519786457841326',
    'ıban TR330006100519786457841326',
    ' \u00a0TR33\u00a00006\u00a01005\u00a01978\u00a06457\u00a08413\u00a026\u00a0',
    '\u200eTR33\u20130006\u20131005\u20131978\u20136457\u20138413\u201326\ufeff',
    'TR33\n0006 1005\t1978 6457 8413 26',
  ])('is read from %j', (text) => {
    expect(checkIban(text)).toMatchObject({ kind: 'ok', iban: KNOWN });
  });

  test.each([
    ['', { code: 'incomplete', have: 0, need: 26 }],
    ['T', { code: 'incomplete', have: 1, need: 26 }],
    ['TR33 0006 1005 1978 6457 84', { code: 'incomplete', have: 22, need: 26 }],
    [`${KNOWN}1`, { code: 'too_long', have: 27, need: 26 }],
    ['DE89370400440532013000', { code: 'not_tr' }],
    ['GB29NWBK60161331926819', { code: 'not_tr' }],
    ['33 0006 1005', { code: 'not_tr' }],
    ['TR33000610051978645784132ı', { code: 'bad_character', character: 'ı', at: 26 }],
    ['TR33 0006 1005 1978 6457 8413 2ğ', { code: 'bad_character', character: 'ğ', at: 26 }],
    ['TR3E', { code: 'bad_character', character: 'E', at: 4 }],
    ['TR33 OOO6', { code: 'bad_character', character: 'O', at: 5 }],
    ['TR33/0006', { code: 'bad_character', character: '/', at: 5 }],
    ['TR330006100519786457841327', { code: 'check_digits' }],
    ['TR330006110519786457841326', { code: 'reserve_digit' }],
  ])('%j is refused by name', (text, expected) => {
    expect(checkIban(text)).toEqual({ kind: 'error', ...expected });
  });

  it('is accepted however it is written, for every institution and account', () => {
    fc.assert(
      fc.property(
        anyIban,
        fc.array(separator, { minLength: 26, maxLength: 26 }),
        fc.boolean(),
        fc.boolean(),
        (iban, marks, lower, prefixed) => {
          const spread = Array.from(iban, (character, index) => character + marks[index]).join('');
          const text =
            (prefixed ? 'IBAN: ' : '') +
            (lower ? spread.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : spread);
          const result = checkIban(text);
          return (
            result.kind === 'ok' && result.iban === iban && result.bankCode === iban.slice(4, 9)
          );
        },
      ),
    );
  });

  it('with one wrong digit or two neighbouring digits swapped is never accepted', () => {
    fc.assert(
      fc.property(
        anyIban,
        fc.integer({ min: 2, max: 25 }),
        fc.integer({ min: 1, max: 9 }),
        (iban, at, shift) => {
          const digit = Number.parseInt(iban[at] ?? '', 36);
          if (digit > 9) return true;
          const changed = iban.slice(0, at) + ((digit + shift) % 10) + iban.slice(at + 1);
          const swappable = /^\d\d$/.test(iban.slice(at, at + 2));
          const swapped = swappable
            ? iban.slice(0, at) + iban[at + 1] + iban[at] + iban.slice(at + 2)
            : changed;
          return (
            checkIban(changed).kind === 'error' &&
            (swapped === iban || checkIban(swapped).kind === 'error')
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has exactly one pair of check digits', () => {
    fc.assert(
      fc.property(anyIban, (iban) => {
        const pairs = Array.from(
          { length: 100 },
          (_, pair) => `TR${String(pair).padStart(2, '0')}${iban.slice(4)}`,
        );
        expect(pairs.filter((candidate) => checkIban(candidate).kind === 'ok')).toEqual([iban]);
      }),
    );
  });

  it('check never throws, and what it accepts is in electronic form', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.string({ unit: fc.constantFrom(...'TRtr0123 .-ıİiI') }),
        ),
        (text) => {
          const result = checkIban(text);
          return result.kind === 'error' || /^TR\d{7}0[0-9A-Z]{16}$/.test(result.iban);
        },
      ),
    );
  });
});

describe('showing', () => {
  it('groups by four and loses nothing', () => {
    expect(groupIban(KNOWN)).toBe('TR33 0006 1005 1978 6457 8413 26');
    fc.assert(fc.property(anyIban, (iban) => normaliseIban(groupIban(iban)) === iban));
  });

  it('masks all but the country and the last four', () => {
    expect(maskIban('TR33 0006 1005 1978 6457 8413 26')).toBe('TR**…1326');
    expect(maskIban('TR33')).toBe('****');
  });
});

describe('the caret', () => {
  test.each([
    ['typing the fifth character', 'TR330', 5, 'TR33 0', 6],
    ['typing the fourth', 'TR33', 4, 'TR33', 4],
    ['typing in the middle', 'TR33 90006 10', 6, 'TR33 9000 610', 6],
    ['deleting a space', 'TR330006', 4, 'TR33 0006', 4],
    ['pasting with a prefix', 'IBAN: tr33 0006', 15, 'TR33 0006', 9],
    ['caret inside a prefix', 'IBAN: TR33', 2, 'TR33', 0],
    ['at the very start', 'TR33 0006', 0, 'TR33 0006', 0],
    ['empty', '', 0, '', 0],
  ])('%s', (_name, text, caret, expectedText, expectedCaret) => {
    expect(groupWithCaret(text, caret)).toEqual({ text: expectedText, caret: expectedCaret });
  });

  it('keeps the same characters behind it, wherever it stands', () => {
    fc.assert(
      fc.property(anyIban, fc.nat(IBAN_LENGTH), (iban, caret) => {
        const result = groupWithCaret(iban, caret);
        return (
          result.text.slice(result.caret).replaceAll(' ', '') === iban.slice(caret) &&
          groupWithCaret(result.text, result.caret).caret === result.caret
        );
      }),
    );
  });
});

describe('the table of institutions', () => {
  it('holds five-digit codes and names, and says null for the rest', () => {
    expect(BANK_CODES.length).toBeGreaterThan(70);
    for (const code of BANK_CODES)
      expect([code, bankName(code)]).toEqual([
        expect.stringMatching(/^0\d{4}$/),
        expect.stringMatching(/\S/),
      ]);
    expect(bankName('99999')).toBeNull();
    expect(bankName('toString')).toBeNull();
  });
});
