import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { payoutBody } from './payout-body.ts';
import { response, ok, page, preparedClient as client, refusal } from './testing/prepared.ts';
import type { PayoutContent } from './types.ts';

const CONTENT: PayoutContent = {
  extId: 'P-1',
  wallet: '1000000001',
  iban: 'TR330006100519786457841326',
  name: 'Işık Çağrı',
  taxNumber: '1234567890',
  amountMinor: 12_340n,
  currency: 'TRY',
  paymentType: '07',
  description: 'Fatura "4711" \\ İ\u2028',
};
const SENDING = { endUserIp: '88.1.2.3', beforeWrite: () => true };
const ACCEPTED = {
  transaction_id: '91',
  ext_transaction_id: 'P-1',
  transaction_amount: 123.4,
  transaction_fee_amount: 6,
  request_id: '92',
};

describe('the bytes of a payout', () => {
  test('are the same for the same content, field by field in one order', () => {
    expect(payoutBody(CONTENT)).toBe(
      '{"sender_wallet_number":"1000000001","ext_transaction_id":"P-1",' +
        '"receiver_account_holder_name":"Işık Çağrı",' +
        '"receiver_iban":"TR330006100519786457841326",' +
        '"receiver_national_id_or_tax_no":"1234567890",' +
        '"description":"Fatura \\"4711\\" \\\\ İ\u2028",' +
        '"amount":123.40,"currency_code":"TRY","payment_type":"07"}',
    );
    const shuffled = Object.fromEntries(Object.entries(CONTENT).reverse()) as PayoutContent;
    expect(payoutBody(shuffled)).toBe(payoutBody({ ...CONTENT }));
  });

  test('leave the kind of payment out when there is none', () => {
    expect(payoutBody({ ...CONTENT, paymentType: null })).not.toContain('payment_type');
  });

  test('never carry an amount that is not positive', () => {
    for (const amountMinor of [0n, -1n, null, undefined, Number.NaN, 1.5, '', '1']) {
      expect(() => payoutBody({ ...CONTENT, amountMinor: amountMinor as bigint })).toThrow(
        RangeError,
      );
    }
  });
});

describe('sending', () => {
  test('makes one request with token, address of the person and exact bytes', async () => {
    const { made, asked } = client(ok(ACCEPTED));
    expect(await made.sendPayout(CONTENT, SENDING)).toMatchObject({
      kind: 'accepted',
      requestId: '92',
      transactionId: '91',
      feeMinor: 600n,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: 'http://api.test/wallet/v1/Transaction/SendMoneyToBankAccount',
      body: payoutBody(CONTENT),
      headers: {
        authorization: 'Bearer T1',
        'content-type': 'application/json',
        'x-tenant-end-user-ip': '88.1.2.3',
      },
    });
  });

  test('is never repeated, not even after a 401', async () => {
    for (const answer of [
      response(401, ''),
      response(500, ''),
      response(307, ''),
      refusal('326'),
      { kind: 'unclear', why: 'reset' } as const,
      { kind: 'not_sent', why: 'refused' } as const,
    ]) {
      const { made, asked } = client(answer, ok(ACCEPTED));
      await made.sendPayout(CONTENT, SENDING);
      expect(asked).toHaveLength(1);
    }
  });

  test('after a 401 says so, and the next send has a fresh token', async () => {
    const { made, asked } = client(response(401, ''), ok(ACCEPTED));
    expect(await made.sendPayout(CONTENT, SENDING)).toMatchObject({ kind: 'unauthorized' });
    expect(await made.sendPayout(CONTENT, SENDING)).toMatchObject({ kind: 'accepted' });
    expect(asked.map((request) => request.headers?.['authorization'])).toEqual([
      'Bearer T1',
      'Bearer T2',
    ]);
    expect(asked[0]?.body).toBe(asked[1]?.body);
  });

  test('is held back by the last check', async () => {
    const { made, asked } = client(ok(ACCEPTED));
    expect(
      await made.sendPayout(CONTENT, { endUserIp: null, beforeWrite: () => false }),
    ).toMatchObject({ kind: 'not_sent', why: 'held_back' });
    expect(asked).toHaveLength(0);
  });

  test('leaves an address that is none out of the headers', async () => {
    const { made, asked } = client(ok(ACCEPTED));
    for (const endUserIp of [null, '', 'evil\r\nx: y', '1.2.3', '::1'])
      await made.sendPayout(CONTENT, { ...SENDING, endUserIp });
    expect(asked.map((request) => request.headers?.['x-tenant-end-user-ip'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      '::1',
    ]);
  });

  test('keeps the small answer limit, lists have more room', async () => {
    const { made, asked } = client(page([]));
    await made.sendPayout(CONTENT, SENDING);
    await made.readPayout(CONTENT);
    await made.listWallets({}, { index: 0, size: 20 });
    expect(asked.map((request) => request.answerMaxBytes)).toEqual([
      undefined,
      undefined,
      4 * 1024 * 1024,
    ]);
  });
});

describe('asking', () => {
  test('a 401 is answered once with a fresh token, and then it is the answer', async () => {
    const first = client(response(401, ''), refusal('300'));
    expect(await first.made.readPayout(CONTENT)).toMatchObject({ kind: 'not_found' });
    expect([first.asked.length, first.tokens()]).toEqual([2, 2]);
    const second = client(response(401, ''));
    expect(await second.made.readPayout(CONTENT)).toMatchObject({
      kind: 'no_answer',
      why: 'unauthorized',
    });
    expect([second.asked.length, second.tokens()]).toEqual([2, 2]);
  });

  test('silence of every kind is "no answer" for every question', async () => {
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-30T00:00:00Z' };
    for (const answer of [
      response(500, ''),
      response(200, '<html>'),
      response(302, ''),
      response(429, ''),
      refusal('500'),
      ok({}),
      { kind: 'unclear', why: 'timeout' } as const,
    ]) {
      const { made } = client(answer);
      const asks = { index: 0, size: 20 };
      for (const reply of await Promise.all([
        made.getBusinessAccount(),
        made.getWallet('1'),
        made.listWallets({}, asks),
        made.getPaymentTypes('tr'),
        made.readPayout(CONTENT),
        made.listWithdrawals(range, asks),
        made.findInLedger({ extId: 'P-1', ...range }),
        made.listTransactions(range, asks),
      ]))
        expect(reply.kind).toBe('no_answer');
    }
  });

  test('another wallet than the one asked for is no answer', async () => {
    const wallet = {
      id: '1',
      number: '1000000002',
      name: 'Kasa',
      currency_code: 'TRY',
      total_balance: 1,
    };
    expect(await client(ok({ wallet_info: wallet })).made.getWallet('1000000001')).toEqual({
      kind: 'no_answer',
      why: 'mismatch',
    });
    expect(await client(ok({ wallet_info: wallet })).made.getWallet('1000000002')).toMatchObject({
      kind: 'answered',
      value: { totalMinor: 100n, availableMinor: null, access: 'unknown' },
    });
    expect(await client(refusal('300')).made.getWallet('1000000002')).toEqual({
      kind: 'not_found',
    });
  });

  test('the IBAN of a wallet is read alike, however the bank writes it', async () => {
    const wallet = {
      ...{ id: '1', number: '1000000002', name: 'Kasa', currency_code: 'TRY', total_balance: 1 },
      fast_iban: 'tr32 0010 0099 9990 1234 5678 90',
    };
    expect(await client(ok({ wallet_info: wallet })).made.getWallet('1000000002')).toMatchObject({
      value: { iban: 'TR320010009999901234567890' },
    });
  });

  test('a list that finds nothing is an empty page, and one broken row fails the whole page', async () => {
    const empty = {
      kind: 'answered',
      value: { rows: [], index: 3, size: 20, pageCount: 0, rowCount: 0 },
    };
    expect(await client(refusal('300')).made.listWallets({}, { index: 3, size: 20 })).toEqual(
      empty,
    );
    const good = { id: '1', number: '1', name: 'Kasa', currency_code: 'TRY', total_balance: 1.5 };
    expect(
      await client(page([good, { ...good, total_balance: 1.555 }])).made.listWallets(
        {},
        { index: 0, size: 20 },
      ),
    ).toEqual({ kind: 'no_answer', why: 'shape' });
  });

  test('a list of transactions that ignores the wallet is not shown as that wallet', async () => {
    const line = {
      id: '5',
      transaction_type_id: 2002,
      transaction_status_id: 20,
      tx_base_amount: 1,
      currency_code: 'TRY',
      from_wallet_number: '1000000009',
    };
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-30T00:00:00Z' };
    expect(
      await client(page([line])).made.listTransactions(
        { ...range, wallet: '1000000001' },
        { index: 0, size: 20 },
      ),
    ).toEqual({ kind: 'no_answer', why: 'filter_ignored' });
    expect(
      await client(page([line])).made.listTransactions(range, { index: 0, size: 20 }),
    ).toMatchObject({ kind: 'answered' });
  });

  test('amounts of a filter are written exactly and dates are always sent', async () => {
    const { made, asked } = client(page([]));
    await made.listWithdrawals(
      {
        from: 'A',
        to: 'B',
        amountMinMinor: 10n,
        amountMaxMinor: 99_999_999_999n,
        level: 'pending',
      },
      { index: 2, size: 900, order: 'oldest' },
    );
    expect(asked[0]?.body).toBe(
      '{"start_date":"A","end_date":"B","process_level_status_id":0,"begin_amount":0.10,' +
        '"end_amount":999999999.99,"order_column":"CreatedDateUtc","order_by":"asc",' +
        '"page_size":200,"page_index":2}',
    );
  });
});

describe('looking for a return in the ledger', () => {
  const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-30T00:00:00Z', wallet: '1000000001' };
  const debit = {
    id: '91',
    tx_ref_correlation_id: '91',
    transaction_type_id: 2002,
    transaction_status_id: 20,
    tx_base_amount: 123.4,
    tx_additional_fee: 6,
    currency_code: 'TRY',
    ext_transaction_id: 'P-1',
    from_wallet_number: '1000000001',
  };
  const credit = {
    id: '95',
    tx_ref_correlation_id: '91',
    transaction_type_id: 1004,
    transaction_status_id: 20,
    tx_base_amount: 123.4,
    currency_code: 'TRY',
    ext_transaction_id: null,
    to_wallet_number: '1000000001',
  };
  const topUp = { ...credit, id: '96', tx_ref_correlation_id: '96' };

  test('finds the credit beside the debit', async () => {
    const { made, asked } = client(page([debit]), page([topUp, credit]));
    const outcome = await made.findInLedger({ extId: 'P-1', ...range });
    expect(outcome).toMatchObject({
      kind: 'listed',
      lines: [
        { transactionId: '91', direction: 'out', refersTo: null },
        { transactionId: '95', direction: 'in', refersTo: '91' },
      ],
    });
    expect(asked[1]?.body).toContain('"to_wallet_number":"1000000001"');
  });

  test('asks no second question when the debit itself says refunded, or nothing is known yet', async () => {
    const refunded = client(page([{ ...debit, transaction_status_id: 60 }]));
    expect(await refunded.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'listed',
      lines: [{ statusId: 60 }],
    });
    const unlisted = client(refusal('312'));
    expect(await unlisted.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'not_listed',
    });
    expect([refunded.asked.length, unlisted.asked.length]).toEqual([1, 1]);
  });

  test('goes through the pages, and says that it does not know when one stays away', async () => {
    const many = page([topUp], { page_count: 3 });
    const found = client(page([debit]), many, many, page([credit], { page_count: 3 }));
    expect(await found.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'listed',
      lines: [{}, { transactionId: '95' }],
    });
    const cut = client(page([debit]), many, response(503, ''));
    expect(await cut.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'no_answer',
      why: 'http_status',
    });
    const none = client(page([debit]), page([topUp]));
    expect(await none.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'listed',
      lines: [{ transactionId: '91' }],
    });
    const endless = client(page([debit]), page([topUp], { page_count: 99_999 }));
    expect(await endless.made.findInLedger({ extId: 'P-1', ...range })).toMatchObject({
      kind: 'no_answer',
      why: 'too_many_pages',
    });
  });
});

describe('receipts', () => {
  const ask = (answer: Exchange) => client(answer).made.getReceipt('9007199254740993001');

  test('the transaction id is written digit by digit', async () => {
    const { made, asked } = client(refusal('312'));
    expect(await made.getReceipt('9007199254740993001')).toEqual({ kind: 'not_ready' });
    expect(asked[0]?.body).toBe('{"id":9007199254740993001}');
  });

  test('the bytes decide, not the content type', async () => {
    expect(
      await ask(ok({ content_type: 'text/html', data: btoa('%PDF-1.7\n…'.replace('…', '')) })),
    ).toMatchObject({ kind: 'pdf' });
    expect(
      await ask(ok({ content_type: 'application/pdf', data: '<html>Dekont</html>' })),
    ).toMatchObject({ kind: 'html' });
    expect(await ask(ok({ content_type: 'application/pdf', data: '' }))).toEqual({
      kind: 'unusable',
      why: 'empty',
    });
    expect(await ask(ok({ content_type: 'application/pdf' }))).toEqual({
      kind: 'unusable',
      why: 'empty',
    });
    expect(await ask(ok({ data: 5 }))).toEqual({ kind: 'unusable', why: 'shape' });
    expect(await ask(ok(null))).toEqual({ kind: 'not_ready' });
    expect(await ask({ kind: 'unclear', why: 'too_large' })).toEqual({
      kind: 'unusable',
      why: 'too_large',
    });
    expect(await ask(response(500, ''))).toEqual({ kind: 'no_answer', why: 'http_status' });
  });
});
