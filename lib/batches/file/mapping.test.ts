import { describe, expect, it, test } from 'vitest';
import {
  changeMapping,
  columnsToRemember,
  guessMapping,
  missingFields,
  rememberedMapping,
  SURE,
} from './mapping.ts';
import type { Mapping } from './mapping.ts';
import { openFile, openPaste } from './open.ts';
import { readPayouts } from './read.ts';
import { shapeOf } from './shape.ts';
import { findTable } from './table.ts';
import type { Table } from './table.ts';
import { A, B, VKN } from './testing/scenarios.ts';
import { workbook } from './testing/workbook.ts';

function pasted(...rows: readonly (readonly string[])[]): Table {
  return findTable(openPaste(rows.map((row) => row.join('\t')).join('\n')));
}

function columns(mapping: Mapping): Record<string, number> {
  return columnsToRemember(mapping) as Record<string, number>;
}

describe('guessing columns', () => {
  it('is sure when a heading and its column say the same, and says what it rests on', () => {
    const mapping = guessMapping(pasted(['IBAN', 'Tutar'], [A, '5,00'], [B, '6,00']));
    expect(mapping.iban).toEqual({
      column: 0,
      confidence: 100,
      because: ['heading', 'content'],
      contested: false,
    });
    expect(mapping.amount!.confidence).toBeGreaterThanOrEqual(SURE);
  });

  it('prefers what is to be paid to other amounts, and the clearer heading to the vaguer one', () => {
    const table = pasted(
      ['Brüt Maaş', 'Tutar', 'Ödenecek Tutar', 'Hesap No', 'IBAN'],
      ['40000,00', '35000,00', '30000,00', '123456', A],
    );
    expect(columns(guessMapping(table))).toEqual({ amount: 2, iban: 4 });
  });

  it('is not sure when two columns have the same heading', () => {
    const { amount } = guessMapping(pasted(['IBAN', 'Tutar', 'Tutar'], [A, '5,00', '6,00']));
    expect(amount).toMatchObject({ column: 1, contested: true });
    expect(amount!.confidence).toBeLessThan(SURE);
  });

  it('does not believe a heading that its column contradicts', () => {
    const mapping = guessMapping(
      pasted(['Hesap No', 'Tutar'], ['Kasa', '5,00'], ['Banka', '6,00']),
    );
    expect(mapping.iban).toBeUndefined();
  });

  it('finds by their content what has no heading, and asks for the rest', () => {
    const mapping = guessMapping(
      pasted([A, 'Ali Veli', '1.234,56', VKN, 'Kasım'], [B, 'Can Ak', '2,00', VKN, 'Ekim']),
    );
    expect(columns(mapping)).toEqual({ iban: 0, name: 1, amount: 2, taxNumber: 3 });
    expect(mapping.iban!.confidence).toBeGreaterThanOrEqual(SURE);
    expect(mapping.amount!.confidence).toBeLessThan(SURE);
    expect(mapping.name!.confidence).toBeLessThan(SURE);
  });

  it('never uses a hidden column by itself', () => {
    const rows = [
      ['IBAN', 'Tutar', 'Eski Tutar'],
      [A, { number: '5' }, { number: '9' }],
    ];
    const file = openFile(workbook({ sheets: [{ rows, hiddenColumns: [1] }] }), 'a.xlsx');
    const table = findTable(file);
    expect(guessMapping(table).amount?.column).not.toBe(1);
    expect(table.said).toEqual([{ code: 'hidden_column', column: 1, heading: 'Tutar' }]);
  });

  test('what a payout needs and no column has is named', () => {
    expect(missingFields(guessMapping(pasted(['IBAN', 'Tutar'], [A, '5,00'])))).toEqual([
      'name',
      'taxNumber',
    ]);
    expect(missingFields(guessMapping(pasted(['Takma Ad', 'Not'], ['Ali', 'x'])))).toEqual([
      'amount',
    ]);
  });
});

describe('changing columns', () => {
  const guessed = guessMapping(pasted(['IBAN', 'Ad', 'Tutar'], [A, 'Ali', '5,00']));

  it('takes the column from the field that had it', () => {
    const changed = changeMapping(guessed, 'description', 1);
    expect(columns(changed)).toEqual({ iban: 0, description: 1, amount: 2 });
    expect(changed.description).toMatchObject({ confidence: 100, because: ['hand'] });
  });

  it('leaves a field without a column', () => {
    expect(columns(changeMapping(guessed, 'name', null))).toEqual({ iban: 0, amount: 2 });
  });
});

describe('remembering columns', () => {
  const table = pasted(['IBAN', 'Ad', 'Tutar'], [A, 'Ali', '5,00']);

  it('reads the next file of the shape by the same columns', () => {
    const kept = columnsToRemember(changeMapping(guessMapping(table), 'description', 1));
    const { mapping } = readPayouts(openPaste(`IBAN\tAd\tTutar\n${B}\tVeli\t6,00`), {
      columns: (shape) => (shape === shapeOf(table) ? kept : null),
    });
    expect(columns(mapping)).toEqual({ iban: 0, description: 1, amount: 2 });
    expect(mapping.description).toMatchObject({ because: ['memory'] });
  });

  it('guesses for a shape of which nothing is remembered', () => {
    const { mapping } = readPayouts(openPaste(`IBAN\tTutar\n${B}\t6,00`), { columns: () => null });
    expect(mapping.iban).toMatchObject({ because: ['heading', 'content'] });
  });

  it('leaves out what the table does not have, and a column that is remembered twice', () => {
    const mapping = rememberedMapping({ iban: 0, name: 0, amount: 7, description: -1 }, table);
    expect(columns(mapping)).toEqual({ iban: 0 });
  });
});

describe('the shape of a file', () => {
  const shape = (...headings: readonly string[]): string =>
    shapeOf(pasted(headings, [A, 'x', '5']));

  it('is the same whatever the case, the accents, the marks and empty columns behind', () => {
    expect(shape('IBAN NO:', 'ADI', 'TUTAR (TL)')).toBe(shape('Iban no', 'adı', 'tutar tl', ''));
  });

  it('differs with another heading, another order and another number of columns', () => {
    const shapes = [
      shape('IBAN', 'Ad', 'Tutar'),
      shape('IBAN', 'Unvan', 'Tutar'),
      shape('Ad', 'IBAN', 'Tutar'),
      shape('IBAN', 'Ad', 'Tutar', 'Not'),
      shapeOf(pasted([A, 'Ali', '5,00'])),
      shapeOf(pasted([A, '5,00'])),
    ];
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('is a digest, so that a key in a database says nothing and has one length', () => {
    expect(shape('IBAN', 'Ad', 'Tutar')).toMatch(/^[0-9a-f]{64}$/);
  });
});
