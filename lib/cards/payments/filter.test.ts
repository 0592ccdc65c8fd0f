import { describe, expect, it } from 'vitest';
import { cardParams, readQueueFilter, readCardQuery, readCardSearch } from './filter.ts';
import { readInvoiceIds } from './invoice-ids.ts';

describe('pasted order numbers', () => {
  it('are one a line or with commas, tabs and semicolons between, each once', () => {
    expect(readInvoiceIds(' F-1\r\nF-2;F-3,\tF-1\n\n')).toEqual({
      kind: 'ids',
      ids: ['F-1', 'F-2', 'F-3'],
    });
  });
  it('that are none, too many or no numbers are refused and named', () => {
    expect(readInvoiceIds(' \n ; ')).toEqual({ kind: 'empty' });
    expect(readInvoiceIds(Array.from({ length: 201 }, (_, n) => `F-${n}`).join('\n'))).toEqual({
      kind: 'many',
      max: 200,
    });
    expect(readInvoiceIds('F-1\nF\u202e2')).toMatchObject({ kind: 'unreadable' });
    expect(readInvoiceIds('x'.repeat(129))).toMatchObject({
      kind: 'unreadable',
      line: 'x'.repeat(40),
    });
  });
});

describe('the address of the register', () => {
  it('says the same after it was read and written', () => {
    const params = {
      view: 'held',
      part: 'held',
      source: 'made_here',
      from: '2026-03-01',
      to: '2026-03-06',
      q: 'F-1',
    };
    expect(cardParams(readCardQuery(params).filter)).toEqual(params);
  });
  it('without sense is as if it said nothing', () => {
    expect(
      readCardQuery({ view: 'x', source: 'dream', from: '2026-02-30', q: ['a', 'b'], after: 'x' }),
    ).toEqual({
      filter: { view: 'all', part: null, source: null, from: null, to: null, text: '' },
      place: null,
    });
    expect(readQueueFilter({ bucket: 'soon' })).toEqual({ bucket: null, day: null });
    expect(readQueueFilter({ bucket: 'lapsed' })).toEqual({ bucket: 'lapsed', day: null });
    expect(readQueueFilter({ bucket: 'lapsed', day: '2026-11-30' })).toEqual({
      bucket: null,
      day: '2026-11-30',
    });
    for (const day of ['2026-02-30', '0000-01-01', '9999-12-31'])
      expect(readQueueFilter({ day })).toEqual({ bucket: null, day: null });
    const id = '7f0e3a52-0000-4000-8000-00000000aaaa';
    for (const at of ['2026-99-99T99:99:99.000000Z', '2026-02-30T00:00:00.000000Z'])
      expect(readCardQuery({ after: `${at}_${id}` }).place).toBeNull();
  });
  it('is searched for a number, the last four of a card and an amount in either notation', () => {
    expect(readCardSearch('•••• 1234')).toMatchObject({ card: '1234' });
    expect(readCardSearch('1.234,56')?.amounts).toEqual([123_456n]);
    expect(readCardSearch('1,234.56')?.amounts).toEqual([123_456n]);
    expect(readCardSearch('')).toBeNull();
  });
});
