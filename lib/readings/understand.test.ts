import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mayBecomeCard, typesCard } from '#lib/values/card-number.ts';
import { toDecimal } from '#lib/values/money.ts';
import { SAMPLES } from './understand.samples.ts';
import { isCard, tidyText, understand, wordsOf } from './understand.ts';
import type { Reading, Understood } from './understand.ts';

function described(understood: Understood): string {
  return understood.kind === 'readings'
    ? understood.readings.map(sayReading).join(' · ')
    : understood.kind;
}

function sayReading(reading: Reading): string {
  switch (reading.kind) {
    case 'own':
      return `own ${reading.id}`;
    case 'iban':
      return `iban${reading.fits ? '' : '?'} ${reading.iban}`;
    case 'iban_start':
      return `iban_start ${reading.start}`;
    case 'iban_end':
      return `iban_end ${reading.end}`;
    case 'reference':
      return `reference${reading.whole ? '!' : ''} ${reading.reference}`;
    case 'number':
      return `number ${reading.number}`;
    case 'tax_number':
      return `tax_number ${reading.type} ${reading.value}`;
    case 'wallet':
      return `wallet ${reading.number}`;
    case 'phone':
      return `phone ${reading.phone}`;
    case 'amount': {
      const amounts = reading.amounts.map((one) => toDecimal(one)).join('|');
      return `amount ${amounts}${reading.currency === null ? '' : ` ${reading.currency}`}`;
    }
    case 'name':
      return `name ${reading.words.join(' ')}`;
  }
}

const ALL = SAMPLES.flatMap(({ as, texts }) => texts.map((text) => [text, as] as const));

describe('what is typed into the search box', () => {
  test.each(ALL)('%j is understood as %s', (text, as) => {
    expect(described(understand(text))).toBe(as);
  });

  it('has at least 300 samples, each another', () => {
    expect(new Set(ALL.map(([text]) => text)).size).toBe(ALL.length);
    expect(ALL.length).toBeGreaterThanOrEqual(300);
  });

  it('may be anything: it is never refused with an error, and what is read of it is what is shown of it', () => {
    const digits = fc.stringMatching(/^[\d .,₺+()-]{0,40}$/);
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      digits,
      fc.tuple(digits, fc.string()).map((parts) => parts.join('TR')),
      fc.constantFrom('a'.repeat(100_000), '1'.repeat(100_000), '1 '.repeat(50_000)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const understood = understand(text);
        expect(described(understand(tidyText(text)))).toBe(described(understood));
        if (understood.kind === 'readings')
          for (const one of understood.readings)
            if (one.kind === 'amount')
              expect(one.amounts.every((amount) => amount > 0n)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is one person however the i is written', () => {
    const letters = fc
      .array(fc.constantFrom('i', 'ı', 'I', 'İ', 'ş', 'S', 'k'), { minLength: 2, maxLength: 8 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(letters, (name) => {
        const other = Array.from(
          name,
          (letter) => ({ i: 'İ', ı: 'I', I: 'ı', İ: 'i', ş: 'S', S: 'ş' })[letter] ?? letter,
        ).join('');
        expect(wordsOf(other)).toEqual(wordsOf(name));
      }),
    );
  });
});

describe('card numbers', () => {
  const check = (body: string): string => {
    const sum = Array.from(body, Number)
      .reverse()
      .reduce(
        (total, digit, index) =>
          total + (index % 2 === 1 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
        0,
      );
    return `${body}${(10 - (sum % 10)) % 10}`;
  };
  const card = fc
    .oneof(
      fc.stringMatching(/^4\d{14}$/),
      fc.stringMatching(/^5[1-5]\d{13}$/),
      fc.stringMatching(/^37\d{12}$/),
      fc.stringMatching(/^9792\d{11}$/),
      fc.stringMatching(/^4\d{17}$/),
    )
    .map(check);

  it('are none of them searched, in whatever groups and company they come', () => {
    fc.assert(
      fc.property(
        card,
        fc.constantFrom(' ', '-', '.', ''),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom('', 'kart ', 'x: '),
        fc.constantFrom('', ' 12/28', ' 123', ' Ali'),
        (digits, mark, size, before, after) => {
          const grouped = digits.replaceAll(new RegExp(`\\d{${size}}(?=\\d)`, 'g'), `$&${mark}`);
          expect(understand(before + grouped + after).kind).toBe('card');
        },
      ),
    );
  });

  it('are not seen in an IBAN, whatever its digits and while it is typed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{5}0\d{16}$/), (account) => {
        const rest = Number(BigInt(`${account}292700`) % 97n);
        const iban = `tr${String(98 - rest).padStart(2, '0')}${account}`;
        const grouped = iban.replace(/(.{4})(?=.)/g, '$1 ');
        for (let typed = 3; typed <= grouped.length; typed += 1)
          expect([grouped.slice(0, typed), isCard(grouped.slice(0, typed))]).toEqual([
            grouped.slice(0, typed),
            false,
          ]);
        expect(isCard(iban)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('travel with no keystroke: from the eleventh digit on nothing is asked until the number is whole', () => {
    fc.assert(
      fc.property(card, (digits) => {
        for (let typed = 11; typed < digits.length; typed += 1)
          expect(mayBecomeCard(digits.slice(0, typed)), digits.slice(0, typed)).toBe(true);
      }),
    );
    for (const text of [
      '2506172605407833407',
      '7059867512345678901',
      '5321234567',
      '4410270001',
      '1234567890',
      '10000000146',
      '05321234567',
      '905321234567',
      'TR33 0006 1005 1978',
      '1.234,56',
    ]) {
      expect([text, mayBecomeCard(text), typesCard(text)]).toEqual([text, false, false]);
    }
  });
});
