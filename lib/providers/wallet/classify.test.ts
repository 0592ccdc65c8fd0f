import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { classifyLedger, classifyReturns } from './classify-ledger.ts';
import { classifyRead } from './classify-read.ts';
import { classifySend } from './classify-send.ts';

const EXT = 'P-0198f0c2-7f1e-7c3a-9d61-3f2b1a0c4d5e';
const expected = {
  extId: EXT,
  amountMinor: 1_240_000n,
  currency: 'TRY',
  iban: 'TR330006100519786457841326',
};
const response = (body: unknown, status = 200): Exchange => ({
  kind: 'response',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType: 'application/json',
});

/**
 * A response as text, because ids and amounts of the real service are too long for a JavaScript
 * number.
 */
const ACCEPTED = `{"status":0,"code":"100","message":"Başarılı","payload":{
  "transaction_id":"9007199254740993001","ext_transaction_id":"${EXT}",
  "transaction_amount":12400.00,"transaction_fee_amount":6.40,"previous_amount":184250.75,
  "request_id":"9007199254740993002","fast_request_status_code":0,
  "wallet_info":{"number":"1000000001","total_balance":171844.35}}}`;
const RECORD = `{"status":0,"code":"100","message":null,"payload":{"id":9007199254740993002,
  "ext_transaction_id":"${EXT}","tx_correlation_id":"9007199254740993001",
  "base_amount":12400.0,"currency":"TRY","iban":"TR330006100519786457841326",
  "process_level_status":1,"bank_response_json":"{\\"Reason\\":\\"Hesap bulunamadı\\"}",
  "updated_date_utc":"2026-11-21T10:00:00.1234567Z"}}`;
const LINE = (
  fields: string,
) => `{"id":"9007199254740993001","tx_ref_correlation_id":null,"transaction_type_id":2002,
  "transaction_type":"Send Money To Bank Account",
  "transaction_status_id":20,"transaction_status":"NormalCompleted","tx_base_amount":12400.0,
  "tx_additional_fee":6.4,"currency_code":"TRY","ext_transaction_id":"${EXT}",
  "from_wallet_number":"1000000001","to_wallet_number":null,"completed_date_utc":"2026-11-21T10:00:02Z"${fields}}`;
const LISTED = (...lines: string[]) =>
  `{"status":0,"code":null,"message":null,"payload":{"results":[${lines.join(',')}],` +
  `"page_index":0,"page_count":1,"page_size":50,"row_count":${lines.length}}}`;
const refusal = (code: unknown, status: unknown = 2, payload: unknown = null) =>
  response({ status, code, message: 'bir açıklama', payload });

const REFUSED = [
  '300',
  '303',
  '306',
  '310',
  '311',
  '315',
  '330',
  '334',
  '336',
  '480',
  '503',
  '999',
];

describe('an answer to a send', () => {
  test('is accepted with HTTP 200, status 0, code 100 and our id and amount echoed', () => {
    expect(classifySend(response(ACCEPTED), expected)).toEqual({
      kind: 'accepted',
      code: '100',
      message: 'Başarılı',
      raw: ACCEPTED,
      extId: EXT,
      amountMinor: 1_240_000n,
      feeMinor: 640n,
      requestId: '9007199254740993002',
      transactionId: '9007199254740993001',
    });
  });

  test('is read the same with status and code as text or as numbers', () => {
    expect(
      classifySend(
        response(ACCEPTED.replace('"status":0,"code":"100"', '"status":"0","code":100')),
        expected,
      ).kind,
    ).toBe('accepted');
    expect(classifySend(refusal(311, '2'), expected)).toMatchObject({
      kind: 'refused',
      code: '311',
    });
  });

  test('names no fee that is negative', () => {
    expect(classifySend(response(ACCEPTED.replace('6.40', '-1.00')), expected)).toMatchObject({
      kind: 'accepted',
      feeMinor: null,
    });
  });

  test('with another ext id or amount is unclear, and says mismatch', () => {
    expect(classifySend(response(ACCEPTED.replace(EXT, `${EXT}0`)), expected)).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(
      classifySend(response(ACCEPTED.replace('12400.00', '12400.01')), expected),
    ).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(
      classifySend(response(ACCEPTED.replace('12400.00', '-12400.00')), expected),
    ).toMatchObject({
      kind: 'unclear',
      why: 'mismatch',
    });
    expect(
      classifySend(response(ACCEPTED.replace('12400.00', '12400.001')), expected),
    ).toMatchObject({
      kind: 'unclear',
      why: 'shape',
    });
  });

  test('whose transaction id is 0 or missing has none', () => {
    for (const none of ['0', '"0"', 'null', '""'])
      expect(
        classifySend(response(ACCEPTED.replace('"9007199254740993001"', none)), expected),
      ).toMatchObject({ kind: 'accepted', transactionId: null });
  });

  test.each(REFUSED)('code %s is a clean refusal', (code) => {
    expect(classifySend(refusal(code), expected)).toMatchObject({
      kind: 'refused',
      code,
      message: 'bir açıklama',
    });
  });

  test.each([
    ['326', 'same_iban_wait'],
    ['1', 'duplicate'],
    ['301', 'duplicate'],
    ['0', 'record_exists'],
    ['2', 'record_exists'],
    ['3', 'record_exists'],
    ['4', 'record_exists'],
  ])('code %s is %s', (code, kind) =>
    expect(classifySend(refusal(code), expected)).toMatchObject({ kind, code }),
  );

  test('no other code from 0 to 1200 proves anything', () => {
    const known = new Set([...REFUSED, '326', '1', '301', '0', '2', '3', '4']);
    for (let code = 0; code <= 1_200; code++) {
      if (known.has(String(code))) continue;
      expect(classifySend(refusal(String(code)), expected)).toMatchObject({
        kind: 'unclear',
        why: 'unknown_code',
      });
    }
    for (const code of [
      null,
      undefined,
      '',
      ' 311',
      '311.0',
      '0311',
      'constructor',
      '__proto__',
      'OK',
    ]) {
      expect(classifySend(refusal(code), expected)).toMatchObject({
        kind: 'unclear',
        why: 'unknown_code',
      });
    }
  });

  test('a refusal under a status that is no known error is not believed', () => {
    for (const status of [0, 3, 7, -1, '00'])
      expect(classifySend(refusal('311', status), expected)).toMatchObject({
        kind: 'unclear',
        why: 'unknown_code',
      });
    for (const status of [null, '', true, {}, 2.5])
      expect(classifySend(refusal('311', status), expected)).toMatchObject({
        kind: 'unclear',
        why: 'shape',
      });
  });

  test('a refusal that names a transaction contradicts itself', () => {
    expect(
      classifySend(refusal('311', 2, { transaction_id: '9007199254740993001' }), expected),
    ).toMatchObject({ kind: 'unclear', why: 'shape' });
    expect(classifySend(refusal('311', 2, { transaction_id: 0 }), expected)).toMatchObject({
      kind: 'refused',
    });
    expect(classifySend(refusal('311', 2, []), expected)).toMatchObject({ kind: 'refused' });
  });

  test('an acceptance under an error status, or a duplicate under success, is not an acceptance', () => {
    expect(
      classifySend(response(ACCEPTED.replace('"status":0', '"status":2')), expected),
    ).toMatchObject({ kind: 'unclear', why: 'unknown_code' });
    expect(classifySend(response(ACCEPTED.replace('"100"', '"1"')), expected)).toMatchObject({
      kind: 'duplicate',
    });
    expect(classifySend(response(ACCEPTED.replace('"100"', 'null')), expected)).toMatchObject({
      kind: 'unclear',
      why: 'unknown_code',
    });
  });

  test('HTTP 400 refuses only with code 999', () => {
    expect(
      classifySend(
        response(
          {
            status: 1,
            code: '999',
            message: "'Amount' must not be empty.",
            errors: ["'Amount' must not be empty."],
          },
          400,
        ),
        expected,
      ),
    ).toMatchObject({ kind: 'refused', code: '999' });
    for (const code of ['311', '100', '1', null])
      expect(
        classifySend(response({ status: 2, code, payload: null }, 400), expected),
      ).toMatchObject({
        kind: 'unclear',
        why: 'http_status',
      });
    expect(
      classifySend(
        response({ type: 'about:blank', title: 'Bad Request', status: 400, errors: {} }, 400),
        expected,
      ),
    ).toMatchObject({ kind: 'unclear' });
    expect(classifySend(response('<html>', 400), expected)).toMatchObject({
      kind: 'unclear',
      why: 'http_status',
    });
  });

  test('401 is unauthorized whatever the body says', () => {
    for (const body of ['', ACCEPTED, '<html>'])
      expect(classifySend(response(body, 401), expected)).toMatchObject({ kind: 'unauthorized' });
  });

  test('no other HTTP status carries an answer, however well-formed the body is', () => {
    for (let status = 100; status < 600; status++) {
      if ([200, 400, 401].includes(status)) continue;
      const why = status >= 300 && status < 400 ? 'redirect' : 'http_status';
      expect(classifySend(response(ACCEPTED, status), expected)).toMatchObject({
        kind: 'unclear',
        why,
      });
      expect(
        classifySend(response({ status: 2, code: '311', payload: null }, status), expected),
      ).toMatchObject({ kind: 'unclear', why });
    }
  });

  test('a body that is no JSON, or no envelope, is unclear and kept', () => {
    for (const body of ['', '<html>ok</html>', ACCEPTED.slice(0, -1), `${ACCEPTED}x`])
      expect(classifySend(response(body), expected)).toMatchObject({
        kind: 'unclear',
        why: 'not_json',
        raw: body,
      });
    for (const body of [
      'null',
      '[]',
      '"100"',
      '{}',
      '{"code":"100"}',
      '['.repeat(30) + ']'.repeat(30),
    ])
      expect(classifySend(response(body), expected)).toMatchObject({
        kind: 'unclear',
        why: 'shape',
        raw: body,
      });
  });

  test('what the transport could not say is handed through', () => {
    expect(classifySend({ kind: 'not_sent', why: 'held_back' }, expected)).toMatchObject({
      kind: 'not_sent',
      why: 'held_back',
      raw: null,
    });
    expect(classifySend({ kind: 'unclear', why: 'timeout' }, expected)).toMatchObject({
      kind: 'unclear',
      why: 'timeout',
      raw: null,
    });
  });
});

describe('an answer to a read', () => {
  test('is found with our id and amount', () => {
    expect(classifyRead(response(RECORD), expected)).toEqual({
      kind: 'found',
      level: 'completed',
      extId: EXT,
      amountMinor: 1_240_000n,
      currency: 'TRY',
      iban: 'TR330006100519786457841326',
      requestId: '9007199254740993002',
      reason: 'Hesap bulunamadı',
      updatedAt: '2026-11-21T10:00:00.1234567Z',
      raw: RECORD,
    });
  });

  test.each([
    ['0', 'pending'],
    ['1', 'completed'],
    ['2', 'rejected'],
    ['3', 'failed'],
    ['"2"', 'rejected'],
  ])('process_level_status %s is %s', (digit, level) => {
    expect(
      classifyRead(
        response(RECORD.replace('"process_level_status":1', `"process_level_status":${digit}`)),
        expected,
      ),
    ).toMatchObject({ kind: 'found', level });
  });

  test('any other level is no answer', () => {
    for (const digit of ['4', '5', '-1', '10', '"01"'])
      expect(
        classifyRead(
          response(RECORD.replace('"process_level_status":1', `"process_level_status":${digit}`)),
          expected,
        ),
      ).toMatchObject({ kind: 'no_answer', why: 'unknown_level' });
    for (const digit of ['null', 'true', '1.0', '1e0', '"Completed"'])
      expect(
        classifyRead(
          response(RECORD.replace('"process_level_status":1', `"process_level_status":${digit}`)),
          expected,
        ),
      ).toMatchObject({ kind: 'no_answer', why: 'shape' });
  });

  test("an after_process_status of 3 in the bank's words is manual operation, and only of a pending record", () => {
    const manual = RECORD.replace(
      /"bank_response_json":"(?:[^"\\]|\\.)*"/,
      '"bank_response_json":"{\\"after_process_status\\":3}"',
    );
    expect(
      classifyRead(
        response(manual.replace('"process_level_status":1', '"process_level_status":0')),
        expected,
      ),
    ).toMatchObject({ level: 'pending', manual: true });
    expect(classifyRead(response(manual), expected)).not.toHaveProperty('manual');
    expect(
      classifyRead(
        response(RECORD.replace('"process_level_status":1', '"process_level_status":3')),
        expected,
      ),
    ).not.toHaveProperty('manual');
  });

  test('another id or amount is a mismatch', () => {
    expect(classifyRead(response(RECORD.replace(EXT, 'other')), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'mismatch',
    });
    expect(classifyRead(response(RECORD.replace('12400.0', '1240.00')), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'mismatch',
    });
  });

  test('another currency or another IBAN is a mismatch, however the same IBAN is written', () => {
    expect(classifyRead(response(RECORD.replace('"TRY"', '"USD"')), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'mismatch',
    });
    const iban = (written: string) =>
      classifyRead(response(RECORD.replace('"TR330006100519786457841326"', written)), expected);
    expect(iban('"TR670006105197864578413200"')).toMatchObject({
      kind: 'no_answer',
      why: 'mismatch',
    });
    for (const same of [
      '"TR33 0006 1005 1978 6457 8413 26"',
      '"tr330006100519786457841326"',
      'null',
      '""',
    ])
      expect(iban(same), same).toMatchObject({ kind: 'found' });
  });

  test('300 and 312 are not found', () => {
    for (const code of ['300', '312', 312])
      expect(classifyRead(refusal(code), expected)).toMatchObject({ kind: 'not_found' });
  });

  test('a success without a record is no answer, and counts towards no resend', () => {
    expect(
      classifyRead(response('{"status":0,"code":"100","payload":null}'), expected),
    ).toMatchObject({ kind: 'no_answer', why: 'shape' });
  });

  test('a missing payload, another code or another HTTP status is no answer, never "not found"', () => {
    expect(classifyRead(response('{"status":0,"code":"100"}'), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'shape',
    });
    for (const code of ['1', '2', '311', '500', null])
      expect(classifyRead(refusal(code), expected)).toMatchObject({
        kind: 'no_answer',
        why: 'unknown_code',
      });
    for (const status of [204, 301, 404, 429, 500, 503])
      expect(
        classifyRead(response({ status: 2, code: '300', payload: null }, status), expected).kind,
      ).toBe('no_answer');
    for (const code of ['"1"', '"101"', '""', '"300"', '0'])
      expect(classifyRead(response(RECORD.replace('"100"', code)), expected)).toMatchObject({
        kind: 'no_answer',
        why: 'unknown_code',
      });
    expect(classifyRead(response('', 401), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'unauthorized',
    });
    expect(classifyRead({ kind: 'not_sent', why: 'dns' }, expected)).toMatchObject({
      kind: 'no_answer',
      why: 'dns',
    });
  });
});

describe('an answer of the ledger', () => {
  test('lists our line, going out', () => {
    expect(classifyLedger(response(LISTED(LINE(''))), expected)).toMatchObject({
      kind: 'listed',
      lines: [
        {
          transactionId: '9007199254740993001',
          statusId: 20,
          level: 'completed',
          typeId: 2002,
          amountMinor: 1_240_000n,
          feeMinor: 640n,
          currency: 'TRY',
          extId: EXT,
          refersTo: null,
          direction: 'out',
          completedAt: '2026-11-21T10:00:02Z',
        },
      ],
    });
  });

  test('leaves lines of other ids out, and nothing listed proves nothing', () => {
    expect(
      classifyLedger(response(LISTED(LINE('').replace(EXT, 'other'))), expected),
    ).toMatchObject({
      kind: 'not_listed',
    });
    expect(classifyLedger(response(LISTED()), expected)).toMatchObject({ kind: 'not_listed' });
    expect(classifyLedger(refusal('312'), expected)).toMatchObject({ kind: 'not_listed' });
    expect(classifyLedger(refusal('500'), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'unknown_code',
    });
    expect(classifyLedger(response(LISTED('{"id":"1"}')), expected)).toMatchObject({
      kind: 'no_answer',
      why: 'shape',
    });
  });

  test('without its counts is no answer, also when it shows nothing: there may be another page', () => {
    const uncounted = [/,"page_count":1/, /,"row_count":\d/, /,"page_count":1.*"row_count":\d/];
    for (const whole of [LISTED(), LISTED(LINE(''))])
      for (const counts of uncounted)
        expect(classifyLedger(response(whole.replace(counts, '')), expected)).toMatchObject({
          kind: 'no_answer',
          why: 'shape',
        });
    const noPages = LISTED(LINE('')).replace('"page_count":1', '"page_count":0');
    expect(classifyLedger(response(noPages), expected)).toMatchObject({ kind: 'no_answer' });
    const nothing = LISTED().replace('"page_count":1', '"page_count":0');
    expect(classifyLedger(response(nothing), expected)).toMatchObject({ kind: 'not_listed' });
  });

  test('finds the credit that names the payout, and only that one', () => {
    const credit = LINE('')
      .replace('"id":"9007199254740993001"', '"id":"9007199254740993009"')
      .replace('"tx_ref_correlation_id":null', '"tx_ref_correlation_id":"9007199254740993001"')
      .replace(`"${EXT}"`, 'null')
      .replace(
        '"from_wallet_number":"1000000001","to_wallet_number":null',
        '"from_wallet_number":null,"to_wallet_number":"1000000001"',
      );
    const question = { refersTo: '9007199254740993001', wallet: '1000000001' };
    expect(classifyReturns(response(LISTED('{"broken":true}', credit)), question)).toMatchObject({
      kind: 'listed',
      lines: [{ direction: 'in', refersTo: '9007199254740993001', amountMinor: 1_240_000n }],
      pageCount: 1,
    });
    expect(
      classifyReturns(response(LISTED(credit)), { ...question, refersTo: '9007199254740993' }),
    ).toMatchObject({ kind: 'not_listed' });
  });

  test('a transfer between two of our wallets goes out of one and into the other', () => {
    const between = LISTED(
      LINE('').replace('"to_wallet_number":null', '"to_wallet_number":"1000000002"'),
    );
    const direction = (wallet: string) => {
      const outcome = classifyLedger(response(between), { extId: EXT, wallet });
      return outcome.kind === 'listed' ? outcome.lines[0]?.direction : null;
    };
    expect([direction('1000000001'), direction('1000000002')]).toEqual(['out', 'in']);
  });
});
