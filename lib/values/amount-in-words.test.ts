import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { amountInWords } from './amount-in-words.ts';
import { LOCALES, type Locale } from './locale.ts';

/** An independent reader of number words: a table of the words' values. */
const VALUES: Record<Locale, Record<string, bigint>> = {
  tr: {
    sıfır: 0n,
    bir: 1n,
    iki: 2n,
    üç: 3n,
    dört: 4n,
    beş: 5n,
    altı: 6n,
    yedi: 7n,
    sekiz: 8n,
    dokuz: 9n,
    on: 10n,
    yirmi: 20n,
    otuz: 30n,
    kırk: 40n,
    elli: 50n,
    altmış: 60n,
    yetmiş: 70n,
    seksen: 80n,
    doksan: 90n,
  },
  en: {
    zero: 0n,
    one: 1n,
    two: 2n,
    three: 3n,
    four: 4n,
    five: 5n,
    six: 6n,
    seven: 7n,
    eight: 8n,
    nine: 9n,
    ten: 10n,
    eleven: 11n,
    twelve: 12n,
    thirteen: 13n,
    fourteen: 14n,
    fifteen: 15n,
    sixteen: 16n,
    seventeen: 17n,
    eighteen: 18n,
    nineteen: 19n,
    twenty: 20n,
    thirty: 30n,
    forty: 40n,
    fifty: 50n,
    sixty: 60n,
    seventy: 70n,
    eighty: 80n,
    ninety: 90n,
  },
};
const HUNDRED: Record<Locale, string> = { tr: 'yüz', en: 'hundred' };
const SCALES: Record<Locale, Record<string, bigint>> = {
  tr: { bin: 1000n, milyon: 10n ** 6n, milyar: 10n ** 9n, trilyon: 10n ** 12n },
  en: { thousand: 1000n, million: 10n ** 6n, billion: 10n ** 9n, trillion: 10n ** 12n },
};
const UNITS: Record<Locale, Record<string, [string, string]>> = {
  tr: { TRY: ['TL', 'Kr'], USD: ['ABD doları', 'sent'], EUR: ['avro', 'sent'] },
  en: { TRY: ['Turkish lira', 'kuruş'], USD: ['US dollars?', 'cents?'], EUR: ['euros?', 'cents?'] },
};

function readNumber(words: string, locale: Locale): bigint {
  let total = 0n;
  let group = 0n;
  for (const word of words.split(/[ -]/)) {
    const scale = SCALES[locale][word];
    const value = VALUES[locale][word];
    if (scale !== undefined) {
      total += (group === 0n ? 1n : group) * scale;
      group = 0n;
    } else if (word === HUNDRED[locale]) group = group === 0n ? 100n : group * 100n;
    else if (value !== undefined) group += value;
    else throw new Error(`unknown word ${word}`);
  }
  return total + group;
}

function readAmount(text: string, currency: string, locale: Locale): bigint {
  const [whole = '', hundredth = ''] = UNITS[locale][currency] ?? [];
  const match = new RegExp(`^(?:(.+?) ${whole})?(?:(?:^| )(.+) ${hundredth})?$`).exec(text);
  if (match === null) throw new Error(`cannot read ${text}`);
  return (
    (match[1] === undefined ? 0n : readNumber(match[1], locale) * 100n) +
    (match[2] === undefined ? 0n : readNumber(match[2], locale))
  );
}

const anyLocale = fc.constantFrom<Locale>(...LOCALES);
const anyCurrency = fc.constantFrom('TRY', 'USD', 'EUR');

describe('an amount in words', () => {
  test.each<[bigint, string, string, string]>([
    [
      123_456n,
      'TRY',
      'bin iki yüz otuz dört TL elli altı Kr',
      'one thousand two hundred thirty-four Turkish lira fifty-six kuruş',
    ],
    [1_240_000n, 'TRY', 'on iki bin dört yüz TL', 'twelve thousand four hundred Turkish lira'],
    [100_000n, 'TRY', 'bin TL', 'one thousand Turkish lira'],
    [10_000n, 'TRY', 'yüz TL', 'one hundred Turkish lira'],
    [100n, 'TRY', 'bir TL', 'one Turkish lira'],
    [1n, 'TRY', 'bir Kr', 'one kuruş'],
    [0n, 'TRY', 'sıfır TL', 'zero Turkish lira'],
    [101n, 'USD', 'bir ABD doları bir sent', 'one US dollar one cent'],
    [250n, 'EUR', 'iki avro elli sent', 'two euros fifty cents'],
    [101_100_000n, 'TRY', 'bir milyon on bir bin TL', 'one million eleven thousand Turkish lira'],
    [100_100_000n, 'TRY', 'bir milyon bin TL', 'one million one thousand Turkish lira'],
    [
      10_110_100n,
      'TRY',
      'yüz bir bin yüz bir TL',
      'one hundred one thousand one hundred one Turkish lira',
    ],
    [
      99_999_999_900n,
      'TRY',
      'dokuz yüz doksan dokuz milyon dokuz yüz doksan dokuz bin dokuz yüz doksan dokuz TL',
      'nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine Turkish lira',
    ],
    [-1900n, 'TRY', 'eksi on dokuz TL', 'minus nineteen Turkish lira'],
    [205n, 'GBP', 'iki GBP 05/100', 'two GBP 05/100'],
  ])('%s %s', (amount, currency, turkish, english) => {
    expect(amountInWords(amount, currency, 'tr')).toBe(turkish);
    expect(amountInWords(amount, currency, 'en')).toBe(english);
  });

  it('reads back to the same amount', () => {
    const amounts = fc.oneof(
      fc.bigInt({ min: 0n, max: 99_999_999_900n }),
      fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }),
      fc.bigInt({ min: 0n, max: 300_000n }),
    );
    fc.assert(
      fc.property(amounts, anyCurrency, anyLocale, (amount, currency, locale) => {
        return (
          readAmount(amountInWords(amount, currency, locale) ?? '', currency, locale) === amount
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('gives up, rather than go wrong, beyond the words it knows', () => {
    expect(amountInWords(10n ** 17n, 'TRY', 'tr')).toBeNull();
    expect(amountInWords(10n ** 17n - 1n, 'TRY', 'tr')).toMatch(/^dokuz yüz doksan dokuz trilyon/);
  });
});
