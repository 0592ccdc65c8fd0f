import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWebhook } from './webhooks.ts';

/**
 * The body of the one published sample: a completed payout that carries response_status 2 and
 * response_code 312.
 */
const PAYOUT = `{"tenant_id":42,"amount":12400.00,"currency_code":"TRY","ext_transaction_id":"P-1",
  "request_withdraw_id":9007199254740993002,
  "transaction_id":9007199254740993001,"account_type_id":2,"account_number":"1",
  "wallet_number":"1000000001","before_process_status":1,"after_process_status":1,
  "money_transfer_state":0,"money_transfer_type":3,"to_iban":"TR330006100519786457841326",
  "response_status":2,"response_code":"312","response_message":"",
  "transaction_type":"A01","to_name":"I*** Ç***","reason":"İşlem başarılı"}`;
const withStatus = (status: string) =>
  PAYOUT.replace('"after_process_status":1', `"after_process_status":${status}`);

describe('a notice of a payout', () => {
  test('hints at completion although its response code is 312, and keeps every digit of its ids', () => {
    expect(decodeWebhook(PAYOUT)).toEqual({
      topic: 'payout',
      extId: 'P-1',
      hint: 'completed',
      requestId: '9007199254740993002',
      transactionId: '9007199254740993001',
      wallet: '1000000001',
      reason: 'İşlem başarılı',
    });
  });

  test.each([
    ['1', 'completed'],
    ['2', 'rejected'],
    ['4', 'rejected'],
    ['3', 'manual'],
    ['5', 'refunded'],
    ['"5"', 'refunded'],
    ['0', 'unknown'],
    ['6', 'unknown'],
    ['null', 'unknown'],
    ['"x"', 'unknown'],
    ['{}', 'unknown'],
  ])('after_process_status %s hints at %s', (status, hint) =>
    expect(decodeWebhook(withStatus(status))).toMatchObject({
      topic: 'payout',
      extId: 'P-1',
      hint,
    }),
  );

  test('completed without a transaction id is no hint at completion', () => {
    for (const none of ['0', 'null', '""', '-1'])
      expect(decodeWebhook(PAYOUT.replace('9007199254740993001', none))).toMatchObject({
        hint: 'unknown',
        transactionId: null,
      });
  });

  test('carries no amount and no IBAN out of the text', () => {
    expect(JSON.stringify(decodeWebhook(PAYOUT))).not.toMatch(/12400|TR33/);
  });
});

test('top-ups and failed top-ups are told apart from payouts', () => {
  expect(
    decodeWebhook(
      '{"id":"77","transaction_type_id":1004,"transaction_status_id":20,' +
        '"to_wallet_number":"1000000001","tx_base_amount":5}',
    ),
  ).toMatchObject({
    topic: 'top_up',
    hint: 'unknown',
    extId: null,
    transactionId: '77',
    wallet: '1000000001',
  });
  expect(
    decodeWebhook(
      '{"tenant_id":1,"result_message":"Limit yetersiz","result_code":"310","wallet_number":"","amount":5}',
    ),
  ).toMatchObject({
    topic: 'failed_top_up',
    hint: 'unknown',
    wallet: null,
    reason: 'Limit yetersiz',
  });
});

test('a byte order mark before a notice is not part of it', () => {
  expect(decodeWebhook(`\uFEFF${PAYOUT}`)).toEqual(decodeWebhook(PAYOUT));
});

test('whatever else comes is unknown, never an exception', () => {
  for (const body of [
    '',
    'null',
    '[]',
    '"1"',
    '{}',
    '<html>',
    '{"after_process_status":5',
    '['.repeat(1_000_000),
    '{"a":'.repeat(100),
  ])
    expect(decodeWebhook(body)).toMatchObject({ topic: 'unknown', hint: 'unknown', extId: null });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (body) => {
        expect(decodeWebhook(body).hint).toBe('unknown');
      },
    ),
  );
});

test('a notice with any field spoilt is still decoded, and no id is changed', () => {
  for (const match of PAYOUT.matchAll(/"(\w+)":([^,}]+)/g)) {
    for (const spoil of [
      'null',
      '"x"',
      '7',
      '-7',
      '1.5',
      '1e9',
      'true',
      '[]',
      '{"a":1}',
      '"9007199254740993001"',
    ]) {
      const body =
        PAYOUT.slice(0, match.index) +
        `"${match[1]}":${spoil}` +
        PAYOUT.slice(match.index + match[0].length);
      const notice = decodeWebhook(body);
      expect(notice.topic).toBe('payout');
      for (const id of [notice.extId, notice.requestId, notice.transactionId])
        if (id !== null) expect(body).toContain(id);
    }
  }
});
