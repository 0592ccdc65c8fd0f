import { describe, expect, it } from 'vitest';
import { marksOf, valueOf } from '../file/cell.ts';
import { A, aRow, B, tableOfRows } from './testing/drafts.ts';

describe('the rows of a draft', () => {
  const rows = [aRow(), aRow({ iban: B, tax: '12345675' })];

  it('are those of the file, with the mapping that its headings prove', () => {
    const { rows: read, mapping } = tableOfRows(rows);
    expect(read.map(({ key, number }) => [key, number])).toEqual([
      ['0:2', 2],
      ['0:3', 3],
    ]);
    expect(read[0]?.original).toEqual(rows[0]);
    expect(mapping.iban).toMatchObject({ column: 1, because: ['heading', 'content'] });
  });

  it('have what a person typed, with the text of the file beside it', () => {
    const [row] = tableOfRows(rows, {
      edits: { '0:2': { amount: { typed: '99,90', locale: 'tr' } } },
    }).rows;
    expect(row?.cells.amount).toEqual({
      state: 'repaired',
      source: '1.234,50',
      value: 9990n,
      marks: [{ reason: 'typed', from: '1.234,50', to: '99.90' }],
    });
  });

  it('keep an edit that cannot be read as an error, and the row otherwise', () => {
    const [row] = tableOfRows(rows, {
      edits: { '0:2': { iban: { typed: 'TR12', locale: 'tr' } } },
    }).rows;
    expect(row?.cells.iban).toMatchObject({ state: 'error', code: 'iban_incomplete', source: A });
  });

  it('have a reading that was chosen, and none once the cell no longer asks', () => {
    const asking = [aRow({ amount: '1.234' }), aRow({ amount: '500' })];
    const edits = { '0:2': { amount: { choice: 0 } } };
    const [row] = tableOfRows(asking, { edits }).rows;
    expect(marksOf(row!.cells.amount)).toMatchObject([{ reason: 'chosen' }]);
    const [proven] = tableOfRows([aRow({ amount: '1.234' }), aRow()], { edits }).rows;
    expect(marksOf(proven!.cells.amount)).toMatchObject([{ reason: 'column_convention' }]);
    expect(valueOf(proven!.cells.amount)).toBe(123400n);
  });

  it('have repairs undone that a person undid', () => {
    const spelled = `IBAN: ${A.toLowerCase()}`;
    const [row] = tableOfRows([aRow({ iban: spelled })]).rows;
    expect(marksOf(row!.cells.iban)).toMatchObject([{ reason: 'iban_form' }]);
    const [undone] = tableOfRows([aRow({ tax: '123456789' })], {
      edits: { '0:2': { taxNumber: { undo: true } } },
    }).rows;
    expect(undone?.cells.taxNumber.state).toBe('error');
  });

  it('are without those that were split off, and only those that were', () => {
    const keys = (choices: object) => tableOfRows(rows, { choices }).rows.map(({ key }) => key);
    expect(keys({ without: ['0:2'] })).toEqual(['0:3']);
    expect(keys({ only: ['0:2'] })).toEqual(['0:2']);
    expect(keys({ only: ['0:2', '0:3'], without: ['0:3'] })).toEqual(['0:2']);
  });

  it('have the texts of their own line of the file, also where others were split off', () => {
    const texts = (choices: object) =>
      tableOfRows(rows, { choices }).rows.map(({ original }) => original);
    expect(texts({ only: ['0:3'] })).toEqual([rows[1]]);
    expect(texts({ without: ['0:2'] })).toEqual([rows[1]]);
  });

  it('follow another mapping, remembered or chosen', () => {
    const fields = { name: 0, iban: 1, taxNumber: 2, amount: 3 };
    const memory = tableOfRows(rows, { columns: { by: 'memory', fields } });
    expect(memory.mapping.iban?.because).toEqual(['memory']);
    expect(memory.rows[0]?.cells.description.state).toBe('empty');
    const hand = tableOfRows(rows, { columns: { by: 'hand', fields } });
    expect(hand.mapping.iban?.because).toEqual(['hand']);
  });
});
