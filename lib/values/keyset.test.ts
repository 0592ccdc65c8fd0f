import { describe, expect, it } from 'vitest';
import { addressOf, isInstant, pageOf, readPlace } from './keyset.ts';

const edge = (row: number): string => String(row);
const all = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const read = (place: ReturnType<typeof readPlace>, size: number): number[] => {
  const at = place === null ? null : Number(place.edge);
  const found =
    place?.side === 'before'
      ? all.filter((row) => row > at!).reverse()
      : all.filter((row) => at === null || row < at);
  return found.slice(0, size + 1);
};

describe('pages by their edge', () => {
  it('walk to the end and back over every row exactly once', () => {
    const forth: number[][] = [];
    let page = pageOf(read(null, 4), null, 4, edge);
    for (;;) {
      forth.push(page.rows);
      if (page.older === null) break;
      page = pageOf(read(page.older, 4), page.older, 4, edge);
    }
    expect(forth).toEqual([[9, 8, 7, 6], [5, 4, 3, 2], [1]]);
    const back: number[][] = [page.rows];
    while (page.newer !== null) {
      page = pageOf(read(page.newer, 4), page.newer, 4, edge);
      back.unshift(page.rows);
    }
    expect(back).toEqual(forth);
  });

  it('say that there is nothing newer on the first page and nothing older on the last', () => {
    expect(pageOf(read(null, 9), null, 9, edge)).toMatchObject({ newer: null, older: null });
    expect(pageOf([], null, 9, edge)).toEqual({ rows: [], newer: null, older: null });
  });

  it('take a place from the address only when it looks like one', () => {
    expect(readPlace({ after: '12' }, /^\d{1,19}$/)).toEqual({ side: 'after', edge: '12' });
    expect(readPlace({ before: '7', after: 'x; DROP' }, /^\d{1,19}$/)).toEqual({
      side: 'before',
      edge: '7',
    });
    expect(readPlace({ after: ['1', '2'] }, /^\d{1,19}$/)).toBeNull();
    expect(readPlace({ after: '1'.repeat(300) }, /^\d+$/)).toBeNull();
  });

  it.each([
    '2026-99-99T99:99:99.000000Z',
    '2026-02-30T00:00:00.000000Z',
    '2026-02-29T00:00:00.000Z',
    '2026-03-06T24:00:00.000000Z',
    '2026-03-06T23:59:60.000000Z',
    '0000-01-01T00:00:00.000000Z',
  ])('begin at no instant that PostgreSQL refuses (%s)', (instant) => {
    expect(isInstant(instant)).toBe(false);
    expect(readPlace({ after: `${instant}_7` }, /^\S+_\d$/)).toBeNull();
  });

  it.each([
    '2026-03-06T21:00:00.000001Z',
    '2028-02-29T23:59:59.999Z',
    '0001-01-01T00:00:00.000000Z',
    '9999-12-31T23:59:59.999999Z',
  ])('begin at any instant that exists (%s)', (instant) => {
    const edge = `${instant}_7`;
    expect(readPlace({ before: edge }, /^\S+_\d$/)).toEqual({ side: 'before', edge });
  });

  it('keep the filter in the address and leave out what is not set', () => {
    expect(addressOf({ view: 'failed', q: '', from: null }, { side: 'after', edge: '5' })).toBe(
      '?view=failed&after=5',
    );
    expect(addressOf({})).toBe('');
  });
});
