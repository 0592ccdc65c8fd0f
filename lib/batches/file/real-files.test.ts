import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from './open.ts';
import { readPayouts } from './read.ts';
import type { ReadPayouts } from './read.ts';
import { A, B, C } from './testing/scenarios.ts';
import { toldRow } from './testing/told.ts';

/** Files that LibreOffice 7.4 has written: testing/real. */

function read(name: string): ReadPayouts {
  return readPayouts(openFile(readFileSync(join(import.meta.dirname, 'testing/real', name)), name));
}

function toldRows(name: string): Record<string, string>[] {
  return read(name).decided.rows.map(({ cells }) => toldRow(cells));
}

const SUPPLIERS = [
  {
    ...{ iban: `ok ${A}`, name: 'ok Ayşe Yılmaz', taxNumber: 'ok 12345678950' },
    ...{ amount: 'ok 1234.56', date: 'ok 2026-11-24', description: 'ok Fatura 12' },
  },
  {
    ...{ iban: `ok ${B}`, name: 'ok Işık İnşaat Ltd. Şti.', taxNumber: 'leading_zero 0123456789' },
    ...{ amount: 'ok 12400.00', date: 'ok 2026-11-25', description: 'ok Kasım; son' },
  },
  {
    ...{ iban: `ok ${C}`, name: 'ok Ömer Öğüt', taxNumber: 'ok 1234567890' },
    ...{ amount: 'ok 0.29', date: 'ok 2026-11-26', description: 'ok a "b" c' },
  },
];

test.each(['suppliers.xlsx', 'suppliers-1254.csv', 'suppliers-utf8.csv', 'suppliers-utf16.txt'])(
  '%s: the same list in each format is read alike',
  (name) => {
    expect(toldRows(name)).toEqual(SUPPLIERS);
  },
);

test('the same list has the same shape in each format', () => {
  const shapes = ['suppliers.xlsx', 'suppliers-1254.csv', 'suppliers-utf16.txt'].map(
    (name) => read(name).shape,
  );
  expect(new Set(shapes).size).toBe(1);
});

test('results of formulas are taken and marked, and their total is left out and said', () => {
  const { decided, table } = read('formulas.xlsx');
  expect(decided.rows.map(({ cells }) => toldRow(cells).amount)).toEqual([
    'formula 30000.10',
    'formula 1234.56',
    expect.stringMatching(/^formula(\+number_\w+)? 0\.30$/),
  ]);
  expect(table.left.map(({ row, why }) => [row, why])).toEqual([
    [1, 'heading'],
    [5, 'totals'],
  ]);
});

test('amounts with points in a file with semicolons prove their notation', () => {
  expect(toldRows('formulas-1254.csv').map(({ amount }) => amount)).toEqual([
    'ok 30000.10',
    'ok 1234.56',
    'ok 0.30',
  ]);
});

test('two lines of headings with a merged group are one heading', () => {
  const { table } = read('two-lines.xlsx');
  expect(table.columns.map(({ heading }) => heading)).toEqual([
    ['Alıcı', 'IBAN'],
    ['Alıcı', 'Ünvan'],
    ['Ödeme', 'Tutar'],
  ]);
  expect(toldRows('two-lines.xlsx')).toEqual([
    { iban: `ok ${A}`, name: 'ok ABC A.Ş.', amount: 'ok 10.00' },
    { iban: `ok ${B}`, name: 'ok DEF Ltd.', amount: 'ok 20.50' },
  ]);
});

test('hidden rows and sheets are said and not taken', () => {
  const { table } = read('hidden.xlsx');
  expect(toldRows('hidden.xlsx').map(({ amount }) => amount)).toEqual(['ok 5.00', 'ok 7.00']);
  expect(table.left.map(({ row, why }) => [row, why])).toEqual([
    [1, 'heading'],
    [3, 'hidden'],
  ]);
  expect(table.said).toEqual([
    { code: 'hidden_sheet', sheet: 'Eski', rows: 2 },
    { code: 'other_sheet', sheet: 'Notlar', rows: 1 },
  ]);
});

test.each(['lost.xlsx', 'lost-quoted.csv'])('%s: lost digits are errors', (name) => {
  expect(toldRows(name)).toEqual([
    { iban: 'error iban_digits_lost', name: 'ok Ayşe Yılmaz', amount: 'ok 1234.56' },
    { iban: `ok ${A}`, name: 'ok Ali Öz', amount: 'column_convention 2000.00' },
    { iban: `iban_country ${A}`, name: 'ok Can Ak', amount: 'ok 3000.50' },
  ]);
});

test.each([
  ['two-lines.ods', 'ODS'],
  ['two-lines.xls', 'XLS'],
])('%s is refused by its format', (name, found) => {
  expect(() => read(name)).toThrow(
    expect.objectContaining({ code: 'file_other_format', params: { found } }),
  );
});
