import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkTaxNumber, maskTaxNumber, maskTckn, maskVkn } from './tax-number.ts';

/**
 * Computes check digits by other published formulas, so that the product's arithmetic is not
 * compared with itself.
 */
function tcknOf(nine: string): string {
  const d = Array.from(nine, Number);
  const odd = (d[0] ?? 0) + (d[2] ?? 0) + (d[4] ?? 0) + (d[6] ?? 0) + (d[8] ?? 0);
  const even = (d[1] ?? 0) + (d[3] ?? 0) + (d[5] ?? 0) + (d[7] ?? 0);
  const tenth = (odd * 7 + even * 9) % 10;
  return `${nine}${tenth}${(odd * 8) % 10}`;
}

function vknOf(nine: string): string {
  const sum = Array.from(nine, Number).reduce((total, digit, index) => {
    const shifted = (digit + 9 - index) % 10;
    const rest = (shifted * 2 ** (9 - index)) % 9;
    return total + (shifted !== 0 && rest === 0 ? 9 : rest);
  }, 0);
  return `${nine}${(10 - (sum % 10)) % 10}`;
}

const nineDigits = fc.stringMatching(/^[1-9][0-9]{8}$/);

describe('a tax number', () => {
  test.each([
    ['10000000146', 'TCKN', '10000000146'],
    ['100 000 001 46', 'TCKN', '10000000146'],
    ['1234567890', 'VKN', '1234567890'],
    [' 123-456-78.90\u00a0', 'VKN', '1234567890'],
  ])('%j is a %s', (text, type, value) => {
    expect(checkTaxNumber(text)).toEqual({ kind: 'ok', type, value });
  });

  test.each([
    ['', { code: 'incomplete', have: 0, need: 10, expected: 'VKN' }],
    ['123456789', { code: 'incomplete', have: 9, need: 10, expected: 'VKN' }],
    ['1234567891', { code: 'check_digits', expected: 'VKN' }],
    ['10000000147', { code: 'check_digits', expected: 'TCKN' }],
    ['00000000000', { code: 'check_digits', expected: 'TCKN' }],
    ['100000001460', { code: 'too_long', have: 12, need: 11, expected: 'TCKN' }],
    ['1234O67890', { code: 'not_digits', character: 'O' }],
    ['١234567890', { code: 'not_digits', character: '١' }],
    ['12345😀', { code: 'not_digits', character: '😀' }],
  ])('%j is refused by name', (text, expected) => {
    expect(checkTaxNumber(text)).toEqual({ kind: 'error', ...expected });
  });

  it('with the right check digits is accepted, with any other it is refused', () => {
    fc.assert(
      fc.property(nineDigits, fc.integer({ min: 1, max: 9 }), (nine, shift) => {
        const tckn = tcknOf(nine);
        const vkn = vknOf(nine);
        const wrong = (value: string): string =>
          value.slice(0, -1) + ((Number(value.at(-1)) + shift) % 10);
        expect(checkTaxNumber(tckn)).toEqual({ kind: 'ok', type: 'TCKN', value: tckn });
        expect(checkTaxNumber(vkn)).toEqual({ kind: 'ok', type: 'VKN', value: vkn });
        expect(checkTaxNumber(wrong(tckn)).kind).toBe('error');
        expect(checkTaxNumber(wrong(vkn)).kind).toBe('error');
      }),
    );
  });

  it('check never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) =>
        ['ok', 'error'].includes(checkTaxNumber(text).kind),
      ),
    );
  });

  it('is masked down to its last two or four digits', () => {
    expect(maskTckn('10000000146')).toBe('*********46');
    expect(maskVkn('1234567890')).toBe('******7890');
    expect([maskTaxNumber('10000000146'), maskTaxNumber('1234567890'), maskTaxNumber('1')]).toEqual(
      ['*********46', '******7890', '*'],
    );
  });
});
