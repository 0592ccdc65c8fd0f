import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksOf, valueOf } from '../file/cell.ts';
import { readPayouts } from '../file/read.ts';
import { makeIban, TCKN, VKN } from '../file/testing/scenarios.ts';
import { EARLIER_COLUMNS, EARLIER_HEADINGS, earlierFile } from './earlier-rows.ts';
import type { EarlierRow } from './earlier-rows.ts';

/** The rows of an earlier batch, written as a file and read again. */

const HEADINGS = [
  ...['Ad Soyad / Unvan', 'IBAN', 'VKN / TCKN', 'Tutar', 'Ödeme Türü', 'Açıklama'],
  'Cüzdan / Telefon',
];

const row: fc.Arbitrary<EarlierRow> = fc.record({
  name: fc.constantFrom('Toplam', 'Genel Toplam Ltd.', 'Alıcı Adı', 'Işıl Öğütçü', '1.234 A.Ş.'),
  iban: fc
    .integer({ min: 0, max: 999_999 })
    .map((n) => makeIban('00062', String(n).padStart(16, '0'))),
  taxNumber: fc.constantFrom(TCKN, VKN),
  amountMinor: fc.bigInt({ min: 1n, max: 99_999_999n }),
  paymentType: fc.constantFrom('1', '19'),
  description: fc.constantFrom('Kasım maaşı', '1.234', 'IBAN', ''),
});

const readAgain = (rows: readonly EarlierRow[], locale: 'tr' | 'en', withoutAmounts = false) =>
  readPayouts(earlierFile(rows, HEADINGS, { locale, withoutAmounts }), {
    table: { headings: [EARLIER_HEADINGS] },
    columns: () => EARLIER_COLUMNS,
    currency: 'TRY',
  });

describe('rows of an earlier batch', () => {
  it('are read again as they were, every one, and without any repair', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('tr' as const, 'en' as const),
        (rows, locale) => {
          const { table, decided } = readAgain(rows, locale);
          expect(table.left.map(({ why }) => why)).toEqual(['heading']);
          expect(
            decided.rows.map(({ cells }) => ({
              name: valueOf(cells.name),
              iban: valueOf(cells.iban),
              taxNumber: valueOf(cells.taxNumber),
              amountMinor: valueOf(cells.amount),
              paymentType: valueOf(cells.paymentType),
              description: valueOf(cells.description) ?? '',
            })),
          ).toEqual(rows);
          for (const { cells } of decided.rows)
            expect(Object.values(cells).flatMap((cell) => marksOf(cell))).toEqual([]);
        },
      ),
    );
  });

  it.each(['phone:90:5330000201', 'account:5510000001'])('name the person of "%s"', (foundBy) => {
    const person = { foundBy, toWallet: '5510100001', foundName: 'El** Şa***' };
    const ofPerson = { name: 'Elif Şahin', iban: '', taxNumber: '', amountMinor: 12_050n };
    const words = { paymentType: '1', description: 'Kasım' };
    for (const locale of ['tr', 'en'] as const) {
      const { decided } = readAgain([{ ...ofPerson, ...words, person }], locale);
      const [cells] = decided.rows.map((one) => one.cells);
      expect([valueOf(cells!.person), marksOf(cells!.person)]).toEqual([foundBy, []]);
      expect(cells!.iban.state).toBe('empty');
    }
  });

  it('have no amount when the amounts are to be typed, and everything else', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), (rows) => {
        const { decided } = readAgain(rows, 'tr', true);
        expect(decided.rows.map(({ cells }) => cells.amount)).toEqual(
          rows.map(() => expect.objectContaining({ state: 'error', code: 'amount_empty' })),
        );
        expect(decided.rows.map(({ cells }) => valueOf(cells.iban))).toEqual(
          rows.map(({ iban }) => iban),
        );
      }),
    );
  });
});
