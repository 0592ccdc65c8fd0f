import { describe, expect, it, test } from 'vitest';
import { minor } from '#lib/values/money.ts';
import type { Cell, DecidedField, RowCells } from './cell.ts';
import { chooseReading, typeCell, undoRepairs } from './change-cell.ts';
import { rowState } from './decide.ts';
import { openFile, openPaste } from './open.ts';
import { readPayouts } from './read.ts';
import { A } from './testing/scenarios.ts';
import { told } from './testing/told.ts';
import { workbook } from './testing/workbook.ts';

const HEADINGS = [
  'IBAN',
  'Ad Soyad',
  'VKN',
  'Tutar',
  'Tarih',
  'Açıklama',
  'Takma Ad',
  'Ödeme Türü',
];

/** The cells of the first of some pasted rows. */
function firstRow(...rows: readonly (readonly string[])[]): RowCells {
  const text = [HEADINGS, ...rows].map((row) => row.join('\t')).join('\n');
  return readPayouts(openPaste(text)).decided.rows[0]!.cells;
}

describe('undoing repairs', () => {
  const cells = firstRow(
    [`IBAN: ${A}`, 'Þafak', '123456789', '1.234', '45985', 'AÃ§Ä±klama', 'Ýpek', 'x'],
    [A, 'Ali Veli', '1234567890', '1.234,56', '24.11.2026', '', '', ''],
  );

  test.each<[DecidedField, string, string]>([
    ['name', 'letters Şafak', 'ok Þafak'],
    ['taxNumber', 'leading_zero 0123456789', 'error tax_incomplete'],
    ['amount', 'column_convention 1234.00', 'ask 1234.00|1.23'],
    ['date', 'serial 2025-11-24', 'error date_unreadable'],
    ['description', 'letters Açıklama', 'ok AÃ§Ä±klama'],
    ['recipient', 'letters look up İpek', 'look up Ýpek'],
  ])('%s: from "%s" to "%s"', (field, before, after) => {
    expect(told(cells[field])).toBe(before);
    expect(told(undoRepairs(field, cells[field]))).toBe(after);
  });

  it('keeps a repair that the form for one payout makes too', () => {
    expect(undoRepairs('iban', cells.iban)).toBe(cells.iban);
  });

  it('keeps a cell without repairs', () => {
    expect(undoRepairs('paymentType', cells.paymentType)).toBe(cells.paymentType);
  });

  it('wants a value where the result of a formula or a merged cell is not taken', () => {
    const rows = [
      ['IBAN', 'Ad Soyad', 'Tutar', 'Açıklama'],
      [A, 'Ali Veli', { number: '1200', formula: 'B2' }, 'Kasım'],
      [A, 'Can Ak', { number: '5' }, null],
    ];
    const { decided } = readPayouts(
      openFile(workbook({ sheets: [{ rows, merged: ['D2:D3'] }] }), 'a.xlsx'),
    );
    const [first, second] = decided.rows;
    expect(told(undoRepairs('amount', first!.cells.amount))).toBe('error formula_undone');
    expect(second!.cells.description).toMatchObject({
      state: 'repaired',
      value: 'Kasım',
      marks: [{ reason: 'merged', from: 'D2', to: 'Kasım' }],
    });
    expect(told(undoRepairs('description', second!.cells.description))).toBe('empty');
  });

  test.each(['1234.5600000000001', '1.5E3', '12400.0000'])(
    'of the number %s leaves an error, never another amount',
    (number) => {
      const rows = [
        ['IBAN', 'Tutar'],
        [A, { number }],
      ];
      const { decided } = readPayouts(openFile(workbook({ sheets: [{ rows }] }), 'a.xlsx'));
      expect(undoRepairs('amount', decided.rows[0]!.cells.amount).state).toBe('error');
    },
  );
});

describe('choosing', () => {
  it('takes one of the readings and marks it', () => {
    const cells = firstRow([A, 'Ali Veli', '1234567890', '1.234', '03/04/2026', '', '', '']);
    expect(told(chooseReading(cells.amount, 0))).toBe('chosen 1234.00');
    expect(told(chooseReading(cells.amount, 1))).toBe('chosen 1.23');
    expect(told(chooseReading(cells.date, 1))).toBe('chosen 2026-03-04');
    expect(() => chooseReading(cells.amount, 2)).toThrow(RangeError);
    expect(() => chooseReading(cells.name, 0)).toThrow(RangeError);
  });
});

describe('typing', () => {
  const cells = firstRow(['yok', 'A', 'x', 'abc', 'yarın', '', 'Şafak', 'maaş']);

  test.each<[DecidedField, string, string]>([
    ['iban', A, `typed ${A}`],
    ['iban', 'TR12', 'error iban_incomplete'],
    ['name', 'Ali Veli', 'typed Ali Veli'],
    ['taxNumber', '1234567890', 'typed 1234567890'],
    ['taxNumber', '123', 'error tax_incomplete'],
    ['amount', '1.234', 'typed 1234.00'],
    ['amount', '1,500', 'ask 1500.00|1.50'],
    ['amount', '0', 'error amount_zero'],
    ['date', '24.11.2026', 'typed 2026-11-24'],
    ['description', 'Kasım', 'typed Kasım'],
    ['phone', '0533 000 02 01', 'typed 905330000201'],
    ['currency', 'TL', 'typed TRY'],
    ['paymentType', '1', 'typed 1'],
    ['recipient', 'ev sahibi', 'typed look up ev sahibi'],
  ])('%s "%s" in Turkish becomes "%s"', (field, typed, after) => {
    const cell = typeCell(field, cells[field], typed, 'tr') as Cell;
    expect(told(cell)).toBe(after);
    expect(cell.source).toBe(cells[field].source);
  });

  it('reads an amount in the notation of the person', () => {
    expect(told(typeCell('amount', cells.amount, '1,500', 'en'))).toBe('typed 1500.00');
  });
});

test('a row is as bad as its worst cell, and a name to look up is not bad', () => {
  const states = [
    [A, 'Ali Veli', '1234567890', '5,00', '', '', '', ''],
    [A, 'Ali Veli', '123456789', '5,00', '', '', '', 'maaş'],
    [A, 'Ali Veli', '123456789', '1.000', '03/04/2026', '', '', ''],
    [A, 'A', '123456789', '1.000', '', '', '', ''],
  ].map((row) => rowState({ number: 2, cells: firstRow(row) }));
  expect(states).toEqual(['ok', 'repaired', 'ask', 'error']);
});

test('what is merged and belongs to one row only is never copied to another', () => {
  const rows = [
    ['IBAN', 'Ad Soyad', 'Tutar'],
    [A, 'Ali Veli', { number: '300' }],
    [A, 'Can Ak', null],
  ];
  const { decided } = readPayouts(
    openFile(workbook({ sheets: [{ rows, merged: ['C2:C3'] }] }), 'a.xlsx'),
  );
  expect(decided.rows.map(({ cells }) => told(cells.amount))).toEqual([
    'ok 300.00',
    'error merged_refused',
  ]);
  expect(decided.rows[0]!.cells.amount).toMatchObject({ value: minor(30_000n) });
});
