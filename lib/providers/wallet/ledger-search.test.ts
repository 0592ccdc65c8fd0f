import { expect, test } from 'vitest';
import { searchLedger } from './ledger-search.ts';

const EXT_ID = 'REF1';
const ENTRY = {
  id: '91',
  transaction_type_id: 2002,
  transaction_status_id: 20,
  tx_base_amount: 1,
  currency_code: 'TRY',
  ext_transaction_id: EXT_ID,
  from_wallet_number: '1000000001',
};
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
    step = search.next(answer([{ ...ENTRY, ext_transaction_id: 'OTHER' }], asked.length - 1, 2));
  }
  expect(asked).toEqual([0, 1]);
});

test('a cancelled entry of the reference does not end the search for the return', () => {
  const search = searchLedger({
    extId: EXT_ID,
    from: '2026-11-01T00:00:00Z',
    to: '2026-12-01T00:00:00Z',
    wallet: '1000000001',
    transactionId: '91',
  });
  const cancelled = {
    ...ENTRY,
    id: '92',
    transaction_status_id: 40,
    tx_ref_correlation_id: '91',
    from_wallet_number: null,
    to_wallet_number: '1000000001',
  };
  search.next();
  expect(search.next(answer([ENTRY, cancelled], 0, 1))).toMatchObject({
    done: false,
    value: { to_wallet_number: '1000000001' },
  });
});

test('a page that counts entries and shows none is no answer: one of them may be ours', () => {
  const search = searchLedger({
    extId: EXT_ID,
    from: '2026-11-01T00:00:00Z',
    to: '2026-12-01T00:00:00Z',
  });
  search.next();
  expect(search.next(answer([], 0, 1))).toMatchObject({
    done: true,
    value: { kind: 'no_answer', why: 'shape' },
  });
});
