import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyTransfer } from './classify-transfer.ts';
import { searchTransfer } from './ledger-search.ts';
import type { Exchange, ReadOutcome } from '../outcome.ts';
import { response, ok, page, preparedClient, refusal } from './testing/prepared.ts';
import { transferBody } from './transfer-body.ts';
import type { TransferContent, TransferKind } from './types.ts';

const CONTENT: TransferContent = {
  extId: 'T-1',
  wallet: '1000000001',
  to: '1000000002',
  amountMinor: 1_240_000n,
  currency: 'TRY',
  paymentType: '07',
  description: 'Kira "Ekim" İ',
};
const KINDS: [TransferKind, string][] = [
  ['person', 'BusinessToPersonalTransfer'],
  ['business', 'BusinessToBusinessTransfer'],
  ['own', 'TransferToVirement'],
];
const SENDING = { endUserIp: '88.1.2.3', beforeWrite: () => true };
const RANGE = { from: '2026-11-20T00:00:00Z', to: '2027-01-20T00:00:00Z' };

/**
 * A response as text, because ids and amounts of the real service are too long for a JavaScript
 * number.
 */
const ACCEPTED = `{"status":0,"code":"100","message":"Başarılı","payload":{
  "transaction_id":"9007199254740993001","transaction_amount":12400.00,
  "receiver_first_name":"İ***","receiver_last_name":"Ç***","receiver_account_number":"5550001",
  "receiver_wallet_number":"1000000002",
  "sender_wallet_info":{"number":"1000000001","total_balance":171844.35},
  "payment_balance_movement":-12400.0,"cash_balance_movement":0}}`;
const LINE = {
  id: '9007199254740993001',
  transaction_type_id: 3003,
  transaction_status_id: 20,
  tx_base_amount: 12400,
  currency_code: 'TRY',
  ext_transaction_id: 'T-1',
  from_wallet_number: '1000000001',
  to_wallet_number: '1000000002',
};
/** What the pages of the ledger say, each asked for only when the one before has not ended it. */
function readPages(...pages: Exchange[]): ReadOutcome {
  const search = searchTransfer(CONTENT, RANGE);
  let step = search.next();
  for (const next of pages) {
    if (step.done) throw new Error('a page that nobody asked for');
    step = search.next(next);
  }
  if (!step.done) throw new Error('another page is asked for');
  return step.value;
}
const read = (...rows: unknown[]) => readPages(page(rows));

describe('the bytes of a transfer', () => {
  test.each(KINDS)(
    'to %s are the same for the same content, and only a transfer between own wallets has a hash key',
    (kind) => {
      const bytes = transferBody(kind, CONTENT);
      expect(bytes).toBe(
        transferBody(
          kind,
          Object.fromEntries(Object.entries(CONTENT).reverse()) as TransferContent,
        ),
      );
      expect(bytes).toBe(
        '{"ext_transaction_id":"T-1","sender_wallet_number":"1000000001",' +
          '"receiver_wallet_number":"1000000002","amount":12400.00,"currency_code":"TRY",' +
          `"description":"Kira \\"Ekim\\" İ",${kind === 'own' ? '"hash_key":""' : '"payment_type":"07"'}}`,
      );
    },
  );

  test('never carry an amount that is not positive', () => {
    for (const amountMinor of [0n, -1n, null, undefined, Number.NaN, 1.5, '', '1'])
      expect(() =>
        transferBody('person', { ...CONTENT, amountMinor: amountMinor as bigint }),
      ).toThrow(RangeError);
  });
});

describe('sending a transfer', () => {
  test.each(KINDS)(
    'to %s is one request to its own operation, never repeated whatever the response',
    async (kind, operation) => {
      const { made, asked } = preparedClient(response(200, ACCEPTED));
      expect(await made.sendTransfer(kind, CONTENT, SENDING)).toMatchObject({
        kind: 'accepted',
        requestId: '9007199254740993001',
        transactionId: '9007199254740993001',
        amountMinor: 1_240_000n,
        receiver: 'İ*** Ç***',
      });
      expect(asked).toMatchObject([
        {
          method: 'POST',
          url: `http://api.test/wallet/v1/Transaction/${operation}`,
          body: transferBody(kind, CONTENT),
          headers: { 'x-tenant-end-user-ip': '88.1.2.3' },
        },
      ]);
      for (const answer of [
        response(401, ''),
        response(429, ''),
        response(500, ''),
        response(307, ''),
        refusal('301'),
        { kind: 'unclear', why: 'reset' } as const,
      ]) {
        const other = preparedClient(answer, response(200, ACCEPTED));
        await other.made.sendTransfer(kind, CONTENT, SENDING);
        expect(other.asked).toHaveLength(1);
      }
    },
  );

  test('is held back by the last check', async () => {
    const { made, asked } = preparedClient(response(200, ACCEPTED));
    expect(
      await made.sendTransfer('own', CONTENT, { ...SENDING, beforeWrite: () => false }),
    ).toMatchObject({ kind: 'not_sent', why: 'held_back' });
    expect(asked).toHaveLength(0);
  });
});

const REFUSED = [
  '300',
  '303',
  '304',
  '307',
  '310',
  '311',
  '313',
  '315',
  '316',
  '330',
  '334',
  '336',
  '480',
  '999',
];
const OTHER: Record<string, string> = {
  1: 'duplicate',
  301: 'duplicate',
  0: 'record_exists',
  2: 'record_exists',
  3: 'record_exists',
  4: 'record_exists',
  322: 'record_exists',
};

describe('an answer to a transfer', () => {
  const classified = (body: string) => classifyTransfer(response(200, body), CONTENT);

  test.each(REFUSED)('code %s is a clean refusal', (code) => {
    expect(classifyTransfer(refusal(code), CONTENT)).toMatchObject({
      kind: 'refused',
      code,
      message: 'bir açıklama',
    });
  });

  test('a duplicate is one in both spellings, and what only a bank can be told proves nothing here', () => {
    for (const [code, kind] of Object.entries(OTHER))
      expect(classifyTransfer(refusal(code), CONTENT)).toMatchObject({ kind, code });
    for (const code of ['306', '326', '503', '312', '500', '501'])
      expect(classifyTransfer(refusal(code), CONTENT)).toMatchObject({
        kind: 'unclear',
        why: 'unknown_code',
      });
  });

  test('no other code from 0 to 1200 proves anything', () => {
    for (let code = 0; code <= 1_200; code++) {
      if (!REFUSED.includes(String(code)) && !(code in OTHER))
        expect(classifyTransfer(refusal(code), CONTENT).kind).toBe('unclear');
    }
  });

  test('with another amount, receiver or ext id is unclear, and says mismatch', () => {
    expect(classified(ACCEPTED.replace('12400.00', '12400.01'))).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(classified(ACCEPTED.replace('1000000002', '1000000003'))).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(
      classified(ACCEPTED.replace('"payload":{', '"payload":{"ext_transaction_id":"T-2",')),
    ).toMatchObject({ kind: 'unclear', why: 'mismatch' });
    expect(
      classified(ACCEPTED.replace('"payload":{', '"payload":{"ext_transaction_id":"T-1",')),
    ).toMatchObject({ kind: 'accepted' });
  });

  test('that names no transaction is unclear: nothing was accepted under any number', () => {
    for (const none of ['0', '"0"', 'null', '""'])
      expect(classified(ACCEPTED.replace('"9007199254740993001"', none))).toMatchObject({
        kind: 'unclear',
        why: 'shape',
      });
  });

  test('silence of every kind is handed up as what it is', () => {
    expect(classifyTransfer({ kind: 'not_sent', why: 'dns' }, CONTENT)).toMatchObject({
      kind: 'not_sent',
      why: 'dns',
    });
    expect(classifyTransfer({ kind: 'unclear', why: 'timeout' }, CONTENT)).toMatchObject({
      kind: 'unclear',
      why: 'timeout',
    });
    expect(classifyTransfer(response(401, ''), CONTENT)).toMatchObject({ kind: 'unauthorized' });
    for (const status of [204, 302, 403, 404, 429, 500, 503])
      expect(classifyTransfer(response(status, ACCEPTED), CONTENT).kind).toBe('unclear');
    expect(
      classifyTransfer(
        response(400, { status: 1, code: '999', message: 'x', errors: ['x'] }),
        CONTENT,
      ),
    ).toMatchObject({ kind: 'refused', code: '999' });
  });
});

describe('what became of a transfer', () => {
  test('is asked of the ledger by our own reference, with dates', async () => {
    const { made, asked } = preparedClient(page([LINE]));
    expect(await made.readTransfer(CONTENT, RANGE)).toMatchObject({
      kind: 'found',
      level: 'completed',
      requestId: '9007199254740993001',
      extId: 'T-1',
      amountMinor: 1_240_000n,
      iban: null,
    });
    expect(asked[0]?.url).toContain('/v1/TransactionData/SummaryRecordByFilter');
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      start_date: RANGE.from,
      end_date: RANGE.to,
      ext_transaction_id: 'T-1',
    });
  });

  test.each([
    [10, 'pending'],
    [20, 'completed'],
    [60, 'completed'],
    [40, 'failed'],
  ])('ledger status %d is %s', (status, level) => {
    expect(read({ ...LINE, transaction_status_id: status })).toMatchObject({
      kind: 'found',
      level,
    });
  });

  test('an unknown ledger status, or two lines that disagree, is no answer', () => {
    for (const status of [0, 1, 2, 3, 11, 21, 30, 50, 100, -20, '020', '20x', null])
      expect(read({ ...LINE, transaction_status_id: status })).toMatchObject({ kind: 'no_answer' });
    expect(read(LINE, { ...LINE, id: '2', transaction_status_id: 40 })).toMatchObject({
      kind: 'no_answer',
      why: 'unknown_level',
    });
  });

  test('two transactions under one reference are two executions; one that is listed twice is one', () => {
    expect(read(LINE, { ...LINE, id: '2' })).toMatchObject({
      kind: 'found',
      level: 'completed',
      line: { double: true },
    });
    expect(read(LINE, LINE)).not.toMatchObject({ line: { double: true } });
  });

  test('our reference with another amount, currency or wallet is a mismatch; a fee beside it is not', () => {
    for (const other of [
      { tx_base_amount: 12400.01 },
      { currency_code: 'USD' },
      { from_wallet_number: '1000000003' },
      { to_wallet_number: '1000000003' },
    ]) {
      expect(read({ ...LINE, ...other })).toMatchObject({ kind: 'no_answer', why: 'mismatch' });
    }
    expect(
      read({ ...LINE, id: '3', tx_base_amount: 6, to_wallet_number: null }, LINE),
    ).toMatchObject({ kind: 'found', requestId: LINE.id });
  });

  test('is "not found" only when nothing is listed: lines of others mean that the filter was ignored', () => {
    for (const none of [page([]), ok(null), refusal('300'), refusal('312')])
      expect(readPages(none)).toMatchObject({ kind: 'not_found' });
    expect(read({ ...LINE, ext_transaction_id: 'T-2' })).toMatchObject({
      kind: 'no_answer',
      why: 'filter_ignored',
    });
    for (const silence of [
      response(429, ''),
      response(500, ''),
      refusal('500'),
      ok({}),
      page([], { row_count: 1 }),
      { kind: 'unclear', why: 'timeout' } as const,
    ])
      expect(readPages(silence).kind).toBe('no_answer');
  });

  test('is read from every page: the transfer, or a second one, may be on a later one', async () => {
    const fee = { ...LINE, id: '3', tx_base_amount: 6, to_wallet_number: null };
    const two = { page_count: 2, row_count: 2 };
    const { made, asked } = preparedClient(page([fee], two), page([LINE], two));
    expect(await made.readTransfer(CONTENT, RANGE)).toMatchObject({
      kind: 'found',
      level: 'completed',
      requestId: LINE.id,
    });
    expect(asked.map(({ body }) => JSON.parse(body ?? ''))).toMatchObject([
      { ext_transaction_id: 'T-1', page_index: 0 },
      { ext_transaction_id: 'T-1', page_index: 1 },
    ]);
    expect(readPages(page([LINE], two), page([{ ...LINE, id: '2' }], two))).toMatchObject({
      kind: 'found',
      line: { double: true },
    });
    expect(readPages(page([LINE], two), response(500, ''))).toMatchObject({ kind: 'no_answer' });
    const endless = Array.from({ length: 10 }, () => page([fee], { page_count: 11 }));
    expect(readPages(...endless)).toMatchObject({ kind: 'no_answer', why: 'too_many_pages' });
  });

  test('reads no further page of a ledger that lists the entries of others', () => {
    const other = { ...LINE, id: '4', ext_transaction_id: 'T-2' };
    const many = { page_count: 200, row_count: 10_000 };
    expect(readPages(page([other, LINE], many))).toMatchObject({ kind: 'found' });
    expect(readPages(page([other], many))).toMatchObject({
      kind: 'no_answer',
      why: 'filter_ignored',
    });
  });

  test('a line whose other fields are spoilt never ends it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(LINE)), fc.jsonValue(), (field, value) => {
        const outcome = read({ ...LINE, [field]: value });
        if (outcome.kind === 'found')
          expect([outcome.extId, outcome.amountMinor, outcome.currency]).toEqual([
            'T-1',
            1_240_000n,
            'TRY',
          ]);
      }),
    );
  });
});
