import { expect, test } from 'vitest';
import { searchLedger } from './ledger-search.ts';

const EXT_ID = 'REF1';
const answer = (rows: unknown[], pageIndex: number, pageCount: number) => ({
  kind: 'response' as const,
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify({
    status: '0',
    code: '100',
    message: '',
    payload: {
      results: rows,
      page_index: pageIndex,
      page_count: pageCount,
      page_size: 50,
      row_count: pageCount,
    },
  }),
});

test('every page of a reference is asked for: a second payment may stand on the second', () => {
  const search = searchLedger({
    extId: EXT_ID,
    from: '2026-11-01T00:00:00Z',
    to: '2026-12-01T00:00:00Z',
  });
  const asked: unknown[] = [];
  let step = search.next();
  while (!step.done && asked.length < 5) {
    asked.push(step.value['page_index']);
    step = search.next(answer([], asked.length - 1, 2));
  }
  expect(asked).toEqual([0, 1]);
});
