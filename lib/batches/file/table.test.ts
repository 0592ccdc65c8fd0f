import { describe, expect, it, test } from 'vitest';
import { openFile, openPaste } from './open.ts';
import { findTable } from './table.ts';
import type { Table, TableChoices } from './table.ts';
import { A, B } from './testing/scenarios.ts';
import { workbook } from './testing/workbook.ts';
import type { TestSheet } from './testing/workbook.ts';

function pasted(rows: readonly (readonly string[])[], choices?: TableChoices): Table {
  return findTable(openPaste(rows.map((row) => row.join('\t')).join('\n')), choices);
}

function ofBook(sheets: readonly TestSheet[], choices?: TableChoices): Table {
  return findTable(openFile(workbook({ sheets }), 'a.xlsx'), choices);
}

const numbers = ({ rows }: Table): number[] => rows.map(({ number }) => number);
const why = ({ left }: Table): [number, string][] => left.map(({ row, why }) => [row, why]);

describe('a row that is not taken', () => {
  const ROWS = [
    ['Kasım listesi', '', ''],
    ['IBAN', 'Ad', 'Tutar'],
    [A, 'Ali Veli', '5,00'],
    ['Toplam', '', '5,00'],
    [B, 'Toplam', '6,00'],
    ['', 'Total Oil', '7,00'],
    ['onaylandı', '', ''],
  ];

  it('is named with its reason and its text', () => {
    expect(pasted(ROWS).left).toEqual([
      { row: 1, why: 'above', text: 'Kasım listesi' },
      { row: 2, why: 'heading', text: 'IBAN · Ad · Tutar' },
      { row: 4, why: 'totals', text: 'Toplam · 5,00' },
      { row: 7, why: 'remark', text: 'onaylandı' },
    ]);
  });

  it('is never one with an account or a name that only begins like a total', () => {
    expect(numbers(pasted(ROWS))).toEqual([3, 5, 6]);
  });

  it('is taken when a person says so', () => {
    expect(numbers(pasted(ROWS, { take: [4, 7] }))).toEqual([3, 4, 5, 6, 7]);
  });

  it('is hidden, and may be taken too', () => {
    const sheet = { rows: [['IBAN'], [A], [B]], hiddenRows: [3] };
    expect(why(ofBook([sheet]))).toEqual([
      [1, 'heading'],
      [3, 'hidden'],
    ]);
    expect(numbers(ofBook([sheet], { take: [3] }))).toEqual([2, 3]);
  });
});

describe('sheets', () => {
  const SHEETS: TestSheet[] = [
    { name: 'Gizli', state: 'veryHidden', rows: [['IBAN'], [A], [B]] },
    { name: 'Boş', rows: [[]] },
    { name: 'Kasım', rows: [['IBAN'], [A]] },
    { name: 'Ekim', rows: [['IBAN'], [B]] },
  ];

  it('begin with the first one that is shown and has rows; the others are said', () => {
    expect(ofBook(SHEETS).said).toEqual([
      { code: 'hidden_sheet', sheet: 'Gizli', rows: 3 },
      { code: 'other_sheet', sheet: 'Ekim', rows: 2 },
    ]);
  });

  it('are chosen by a person, a hidden one too, which is said', () => {
    const table = ofBook(SHEETS, { sheet: 0 });
    expect(numbers(table)).toEqual([2, 3]);
    expect(table.said[0]).toEqual({ code: 'chosen_sheet_hidden', sheet: 'Gizli' });
  });

  it('are hidden all of them: the first with rows is shown as hidden', () => {
    const table = ofBook([SHEETS[0]!, SHEETS[1]!]);
    expect(table.said).toEqual([{ code: 'chosen_sheet_hidden', sheet: 'Gizli' }]);
  });
});

describe('headings', () => {
  it('are looked for before the first account only', () => {
    const table = pasted([
      [A, 'Ali Veli', '5,00'],
      ['IBAN', 'Ad', 'Tutar'],
      [B, 'Can Ak', '6,00'],
    ]);
    expect(table.said).toEqual([{ code: 'no_headings' }]);
    expect(numbers(table)).toEqual([1, 2, 3]);
  });

  it('are chosen by a person, or said to be none', () => {
    const rows = [
      ['A', 'B', 'C'],
      ['IBAN', 'Ad', 'Tutar'],
      [A, 'Ali Veli', '5,00'],
    ];
    expect(pasted(rows, { headings: [1, 2] }).columns[0]?.heading).toEqual(['A', 'IBAN']);
    expect(numbers(pasted(rows, { headings: 'none' }))).toEqual([1, 2, 3]);
  });

  it('may be in two lines, of which the second says what the group is of', () => {
    const table = pasted([
      ['Alıcı', '', 'Ödeme'],
      ['IBAN', 'Ad Soyad', 'Tutar'],
      [A, 'Ali Veli', '5,00'],
    ]);
    expect(table.columns.map(({ heading }) => heading)).toEqual([
      ['Alıcı', 'IBAN'],
      ['Ad Soyad'],
      ['Ödeme', 'Tutar'],
    ]);
  });

  test('a title over all columns is no line of headings', () => {
    const sheet = {
      rows: [
        ['KASIM ÖDEMELERİ', null, null],
        ['IBAN', 'Ad', 'Tutar'],
        [A, 'Ali', '5,00'],
      ],
      merged: ['A1:C1'],
    };
    expect(why(ofBook([sheet]))).toEqual([
      [1, 'above'],
      [2, 'heading'],
    ]);
  });
});
