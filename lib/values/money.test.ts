import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LOCALES, type Locale } from './locale.ts';
import {
  AMOUNT_MAX,
  formatAmount,
  formatCount,
  formatMoney,
  formatPercent,
  parseAmount,
  parseDecimal,
  readDecimal,
  readStorableDecimal,
  share,
  toDecimal,
} from './money.ts';

const anyMinor = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
const typeable = fc.bigInt({ min: 1n, max: AMOUNT_MAX });
const anyLocale = fc.constantFrom<Locale>(...LOCALES);
const anyCurrency = fc.constantFrom('TRY', 'USD', 'EUR', 'GBP');

describe('wire decimals', () => {
  it('survive the round trip exactly, whatever their size', () => {
    fc.assert(fc.property(anyMinor, (value) => parseDecimal(toDecimal(value)) === value));
  });

  test.each([
    ['12400.00', 1_240_000n],
    ['12400', 1_240_000n],
    ['12400.5', 1_240_050n],
    ['0', 0n],
    ['-0.05', -5n],
    ['0.10', 10n],
    ['4.35', 435n],
    ['12400.0000', 1_240_000n],
    ['1.5E3', 150_000n],
    ['1e-2', 1n],
    ['25e-1', 250n],
    ['999999999.99', 99_999_999_999n],
    ['2506172605407833407.01', 250_617_260_540_783_340_701n],
  ])('reads %s', (text, expected) => {
    expect(readDecimal(text)).toBe(expected);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1.234',
    '1.001',
    '0.005',
    '1e-3',
    '1,5',
    '+1',
    '.5',
    '5.',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '1e99',
    '١٢',
    '--1',
    '1'.repeat(65),
  ])('refuses %j instead of rounding or guessing', (text) => {
    expect(readDecimal(text)).toBeNull();
    expect(() => parseDecimal(text)).toThrow(RangeError);
  });

  test('what no column of the database holds is no amount to be stored', () => {
    expect(readStorableDecimal('92233720368547758.07')).toBe(2n ** 63n - 1n);
    expect(readStorableDecimal('-92233720368547758.07')).toBe(-(2n ** 63n - 1n));
    for (const text of ['92233720368547758.08', '-92233720368547758.08', '1e30', 'x'])
      expect(readStorableDecimal(text)).toBeNull();
  });
});

describe('formatting', () => {
  test.each<[bigint | string, string, Locale, string]>([
    [123_456n, 'TRY', 'tr', '₺1.234,56'],
    [123_456n, 'TRY', 'en', '₺1,234.56'],
    ['1234.56', 'USD', 'tr', '$1.234,56'],
    ['1234.56', 'USD', 'en', '$1,234.56'],
    [123_456n, 'EUR', 'tr', '€1.234,56'],
    [123_456n, 'CHF', 'tr', 'CHF\u00a01.234,56'],
    [-123_456n, 'TRY', 'tr', '\u2212₺1.234,56'],
    [-123_456n, 'TRY', 'en', '\u2212₺1,234.56'],
    [0n, 'TRY', 'tr', '₺0,00'],
    [5n, 'TRY', 'tr', '₺0,05'],
    ['12400', 'TRY', 'tr', '₺12.400,00'],
    [99_999n, 'TRY', 'en', '₺999.99'],
    [100_000n, 'TRY', 'en', '₺1,000.00'],
    [10n ** 20n + 1n, 'TRY', 'en', '₺1,000,000,000,000,000,000.01'],
  ])('%s %s in %s is %s', (amount, currency, locale, expected) => {
    expect(formatMoney(amount, currency, locale)).toBe(expected);
  });

  it('agrees with the platform for every amount a float can still hold', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        anyCurrency,
        anyLocale,
        (value, currency, locale) => {
          const platform = new Intl.NumberFormat(locale === 'tr' ? 'tr-TR' : 'en-US', {
            style: 'currency',
            currency,
            currencyDisplay: 'narrowSymbol',
            minimumFractionDigits: 2,
            maximumFractionDigits: 2,
          });
          const expected = platform
            .format(toDecimal(value) as unknown as number)
            .replace('-', '\u2212');
          return formatMoney(value, currency, locale) === expected;
        },
      ),
    );
  });

  it('marks the sign as asked and never signs zero', () => {
    expect(formatMoney(100n, 'TRY', 'tr', { sign: 'always' })).toBe('+₺1,00');
    expect(formatMoney(-100n, 'TRY', 'tr', { sign: 'always' })).toBe('\u2212₺1,00');
    expect(formatMoney(0n, 'TRY', 'tr', { sign: 'always' })).toBe('₺0,00');
    expect(formatMoney(-100n, 'TRY', 'tr', { sign: 'never' })).toBe('₺1,00');
    expect(formatAmount(-123_456n, 'tr')).toBe('\u22121.234,56');
  });

  test.each<[number, Locale, string]>([
    [0.125, 'tr', '%12,5'],
    [0.125, 'en', '12.5%'],
    [0.38, 'tr', '%38'],
    [1, 'en', '100%'],
    [0, 'tr', '%0'],
    [-0.125, 'tr', '\u2212%12,5'],
    [-0.00001, 'en', '0%'],
    [12.5, 'tr', '%1.250'],
  ])('%d as a percentage in %s is %s', (ratio, locale, expected) => {
    expect(formatPercent(ratio, locale)).toBe(expected);
  });

  test.each<[number, Locale, string]>([
    [0, 'tr', '0'],
    [999, 'en', '999'],
    [12_345, 'tr', '12.345'],
    [1_234_567, 'en', '1,234,567'],
  ])('the count %d in %s is %s', (count, locale, expected) => {
    expect(formatCount(count, locale)).toBe(expected);
  });

  it('shares are exact to a hundredth of a percent and defined for an empty whole', () => {
    expect(share(38n, 100n)).toBe(0.38);
    expect(share(1n, 3n)).toBe(0.3333);
    expect(share(5n, 0n)).toBe(0);
  });
});

type Expected = string | [string, string];

/**
 * A typed text, with what it means in Turkish and in English: an amount, two possible amounts, or
 * an error code.
 */
const TYPED: [string, Expected, Expected][] = [
  ['12400', '12400.00', '12400.00'],
  ['12.400', '12400.00', ['12400.00', '12.40']],
  ['12,400', ['12400.00', '12.40'], '12400.00'],
  ['1.500', '1500.00', ['1500.00', '1.50']],
  ['1,500', ['1500.00', '1.50'], '1500.00'],
  ['1.234', '1234.00', ['1234.00', '1.23']],
  ['1,234', ['1234.00', '1.23'], '1234.00'],
  ['1.234,56', '1234.56', '1234.56'],
  ['1,234.56', '1234.56', '1234.56'],
  ['12.400,00', '12400.00', '12400.00'],
  ['12,400.00', '12400.00', '12400.00'],
  ['1.234.567', '1234567.00', '1234567.00'],
  ['1,234,567', '1234567.00', '1234567.00'],
  ['1.234.567,89', '1234567.89', '1234567.89'],
  ['1,234,567.89', '1234567.89', '1234567.89'],
  ['12,50', '12.50', '12.50'],
  ['12.50', '12.50', '12.50'],
  ['12,5', '12.50', '12.50'],
  ['12.5', '12.50', '12.50'],
  ['12,', '12.00', '12.00'],
  ['12.', '12.00', '12.00'],
  ['1.234,', '1234.00', '1234.00'],
  ['1.234,5', '1234.50', '1234.50'],
  [',50', '0.50', '0.50'],
  ['.5', '0.50', '0.50'],
  ['0,05', '0.05', '0.05'],
  ['007', '7.00', '7.00'],
  ['  250 ', '250.00', '250.00'],
  ['12 400', '12400.00', '12400.00'],
  ['12\u00a0400,00', '12400.00', '12400.00'],
  ['12\u202f400.00', '12400.00', '12400.00'],
  ['1 234 567,8', '1234567.80', '1234567.80'],
  ["1'234.50", '1234.50', '1234.50'],
  ['1’234’567.50', '1234567.50', '1234567.50'],
  ['₺1.234,56', '1234.56', '1234.56'],
  ['₺ 1.234,56', '1234.56', '1234.56'],
  ['1.234,56 TL', '1234.56', '1234.56'],
  ['1.234,56TL', '1234.56', '1234.56'],
  ['1234.56 try', '1234.56', '1234.56'],
  ['TRY\u00a01,234.56', '1234.56', '1234.56'],
  ['1000 lira', '1000.00', '1000.00'],
  ['$1,234.56', '1234.56', '1234.56'],
  ['1.234,56 €', '1234.56', '1234.56'],
  ['\u200e₺1.234,56\u200f', '1234.56', '1234.56'],
  ['+₺250,00', '250.00', '250.00'],
  ['999999999', '999999999.00', '999999999.00'],
  ['999.999.999,00', '999999999.00', '999999999.00'],
  ['999999999,01', 'too_large', 'too_large'],
  ['1000000000', 'too_large', 'too_large'],
  ['99999999999999999999999999', 'too_large', 'too_large'],
  ['', 'empty', 'empty'],
  [' \u00a0 ', 'empty', 'empty'],
  ['0', 'zero', 'zero'],
  ['0,00', 'zero', 'zero'],
  ['-0', 'negative', 'negative'],
  ['-12', 'negative', 'negative'],
  ['\u2212₺12,00', 'negative', 'negative'],
  ['₺-12,00', 'negative', 'negative'],
  ['12,00-', 'negative', 'negative'],
  ['(12,00)', 'negative', 'negative'],
  ['1,2345', 'too_many_decimals', 'too_many_decimals'],
  ['1.234,567', 'too_many_decimals', 'too_many_decimals'],
  ['1,234.567', 'too_many_decimals', 'too_many_decimals'],
  ['1234.567', 'too_many_decimals', 'too_many_decimals'],
  ['1234,567', 'too_many_decimals', 'too_many_decimals'],
  ['0.500', 'too_many_decimals', 'too_many_decimals'],
  ['0,500', 'too_many_decimals', 'too_many_decimals'],
  ['.500', 'too_many_decimals', 'too_many_decimals'],
  ['1 234,567', 'too_many_decimals', 'too_many_decimals'],
  ['abc', 'not_a_number', 'not_a_number'],
  ['12a', 'not_a_number', 'not_a_number'],
  ['1e5', 'not_a_number', 'not_a_number'],
  ['.', 'not_a_number', 'not_a_number'],
  ['-', 'not_a_number', 'not_a_number'],
  ['₺', 'not_a_number', 'not_a_number'],
  ['--5', 'not_a_number', 'not_a_number'],
  ['+-5', 'not_a_number', 'not_a_number'],
  ['₺5 TL', 'not_a_number', 'not_a_number'],
  ['1,,5', 'not_a_number', 'not_a_number'],
  ['1.23.456', 'not_a_number', 'not_a_number'],
  ['1.234.56', 'not_a_number', 'not_a_number'],
  ['1,234.567.890', 'not_a_number', 'not_a_number'],
  ['12.34,56', 'not_a_number', 'not_a_number'],
  ['0.123,45', 'not_a_number', 'not_a_number'],
  ['12 40', 'not_a_number', 'not_a_number'],
  ['12 , 50', 'not_a_number', 'not_a_number'],
  ['100\n200', 'not_a_number', 'not_a_number'],
  ['100\t200', 'not_a_number', 'not_a_number'],
  ["1 234'567", 'not_a_number', 'not_a_number'],
  ['10²', 'not_a_number', 'not_a_number'],
  ['½', 'not_a_number', 'not_a_number'],
  ['١٢٣', 'not_a_number', 'not_a_number'],
  ['１２', 'not_a_number', 'not_a_number'],
  ['1'.repeat(61), 'not_a_number', 'not_a_number'],
];

function summary(typed: string, locale: Locale): Expected {
  const result = parseAmount(typed, locale);
  if (result.kind === 'ok') return toDecimal(result.minor);
  if (result.kind === 'ambiguous')
    return [toDecimal(result.readings[0]), toDecimal(result.readings[1])];
  return result.code;
}

describe('typed amounts', () => {
  test.each(TYPED)('%j', (typed, turkish, english) => {
    expect(summary(typed, 'tr')).toEqual(turkish);
    expect(summary(typed, 'en')).toEqual(english);
  });

  it('show themselves in the notation of the person', () => {
    expect(parseAmount('12.400', 'tr')).toMatchObject({
      kind: 'ok',
      formatted: '12.400,00',
      written: null,
    });
    expect(parseAmount('$12,400', 'en')).toMatchObject({
      kind: 'ok',
      formatted: '12,400.00',
      written: 'USD',
    });
  });

  it('of another currency than the wallet are refused', () => {
    expect(parseAmount('€100', 'tr', 'TRY')).toEqual({ kind: 'error', code: 'other_currency' });
    expect(parseAmount('100 TL', 'tr', 'TRY')).toMatchObject({ kind: 'ok', written: 'TRY' });
    expect(parseAmount('100', 'tr', 'USD')).toMatchObject({ kind: 'ok' });
  });

  it('read back exactly what either language prints, in either language', () => {
    fc.assert(
      fc.property(typeable, anyCurrency, anyLocale, anyLocale, (value, currency, printed, read) => {
        const money = parseAmount(formatMoney(value, currency, printed), read, currency);
        const plain = parseAmount(formatAmount(value, printed), read);
        return (
          money.kind === 'ok' &&
          money.minor === value &&
          money.written === currency &&
          plain.kind === 'ok' &&
          plain.minor === value
        );
      }),
    );
  });

  it('are never accepted with another value than one exact reading of their digits', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9]{1,4}([.,][0-9]{0,4}){0,3}$/),
        anyLocale,
        (typed, locale) => {
          const result = parseAmount(typed, locale);
          if (result.kind !== 'ok') return true;
          const digits = BigInt(typed.replace(/\D/g, ''));
          const decimals = /[.,](\d*)$/.exec(typed)?.[1]?.length ?? 0;
          return (
            result.minor === digits * 100n ||
            (decimals <= 2 && result.minor === digits * 10n ** BigInt(2 - decimals))
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of any content never throw and, when accepted, are positive, within the limit and stable', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: fc.constantFrom(...'0123456789.,- ₺TL\u00a0()') }),
          fc.stringMatching(/^[0-9]{7,12}([.,][0-9]{2})?$/),
        ),
        anyLocale,
        (typed, locale) => {
          const result = parseAmount(typed, locale);
          if (result.kind !== 'ok') return true;
          const again = parseAmount(result.formatted, locale);
          return (
            result.minor > 0n &&
            result.minor <= AMOUNT_MAX &&
            again.kind === 'ok' &&
            again.minor === result.minor &&
            again.formatted === result.formatted
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
