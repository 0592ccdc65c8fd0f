import { expect, it } from 'vitest';
import { draftAddress, pageOfRows, readDraftQuery } from './filter.ts';

it('reads which rows are shown from the address, and writes it again', () => {
  for (const query of [
    { show: null, page: 1 },
    { show: 'repaired', page: 3 },
  ] as const) {
    const { search, pathname } = new URL(draftAddress('x', query), 'http://desk.test');
    expect(pathname).toBe('/batches/x');
    expect(readDraftQuery(Object.fromEntries(new URLSearchParams(search)))).toEqual(query);
  }
});

it('ignores what cannot be read', () => {
  expect(readDraftQuery({ show: 'nothing', page: '-2' })).toEqual({ show: null, page: 1 });
  expect(readDraftQuery({ show: ['all', 'x'], page: 'x' })).toEqual({ show: null, page: 1 });
});

it('shows 50 rows a page, and the last page for one beyond it', () => {
  const rows = Array.from({ length: 101 }, (_, n) => n);
  expect(pageOfRows(rows, 2).rows.slice(0, 1)).toEqual([50]);
  expect(pageOfRows(rows, 9)).toEqual({ rows: [100], page: 3, pages: 3 });
  expect(pageOfRows([], 1)).toEqual({ rows: [], page: 1, pages: 1 });
});
