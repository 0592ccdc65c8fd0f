import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsIn, spoiltMore, spoiltOnce, tokensIn } from '../testing/spoil.ts';
import { decodeWebhook } from './webhooks.ts';
import { readFailedTopUp, readTopUp, topUpDetails } from './top-ups.ts';

const MESSAGE = {
  TenantId: 42,
  TenantCode: 'T',
  SenderName: 'Işık Çağrı Öğüt',
  SenderIban: 'TR330006100519786457841326',
  ReceiverBankCode: '0062',
  ReceiverBankName: 'Garanti BBVA',
  ReceiverIban: 'TR320010009999901234567890',
  Amount: 250.5,
  CurrencyCode: 'TRY',
  Description: 'Fatura 4711',
  TransactionType: 'FAST',
  RegexDefinitionResultData: null,
  BankTransactionDate: '2026-11-21T09:59:58',
  BankReceiptNo: '00017',
};
const record = (
  more: object = {},
) => `{"id":9007199254740993001,"tenant_id":42,"wallet_id":"9007199254740993002",
  "transaction_type_id":1004,"transaction_status_id":20,
  "transaction_status":"NormalCompleted","result_code":"Success","tx_base_amount":250.50,
  "currency_code":"TRY","to_wallet_number":"1000000001","tx_description":"Yükleme",
  "tx_additional_data_json":${JSON.stringify(JSON.stringify({ Message: MESSAGE }))}${Object.entries(
    more,
  )
    .map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
    .join('')}}`;
const OLDER = `{"tx_correlation_id":9007199254740993001,"sender_name":"Işık Çağrı Öğüt",
  "sender_iban":"TR330006100519786457841326","sender_bank_code":"0061","sender_bank_name":"ING",
  "receiver_bank_code":"0062","receiver_bank_name":"Garanti BBVA",
  "receiver_iban":"TR320010009999901234567890","amount":250.50,"currency_code":"TRY",
  "description":"Fatura 4711",
  "regex_definition_result_data":null,"bank_transaction_date":"2026-11-21T09:59:58",
  "bank_receipt_no":17,"national_id_or_tax_no":"1234567890","wallet_info":{"number":"1000000001"},
  "hash_key":""}`;
const FAILED =
  '{"tenant_id":42,"result_message":"Limit yetersiz","result_code":310,' +
  '"wallet_number":"1000000001","amount":250.50,"currency_code":"TRY",' +
  '"description":"Fatura 4711"}';

test('the IBANs of a top-up are read alike, however the bank writes them', () => {
  const details = {
    SenderIban: 'tr33 0006 1005 1978 6457 8413 26',
    ReceiverIban: 'TR32 0010 0099 9990 1234 5678 90',
  };
  expect(topUpDetails(JSON.stringify({ Message: { ...MESSAGE, ...details } }))).toMatchObject({
    senderIban: MESSAGE.SenderIban,
    receiverIban: MESSAGE.ReceiverIban,
  });
});

describe('a top-up notice', () => {
  test('says who paid, what was announced and the id to ask the ledger by, digit by digit', () => {
    expect(readTopUp(record())).toEqual({
      transactionId: '9007199254740993001',
      wallet: '1000000001',
      announcedMinor: 25_050n,
      currency: 'TRY',
      senderName: 'Işık Çağrı Öğüt',
      senderIban: 'TR330006100519786457841326',
      senderBank: null,
      senderTaxNumber: null,
      receiverIban: 'TR320010009999901234567890',
      receiverBank: 'Garanti BBVA',
      description: 'Fatura 4711',
      bankReceiptNo: '00017',
      bankDate: '2026-11-21T09:59:58',
    });
  });

  test('in its older form says the same and more', () => {
    expect(readTopUp(OLDER)).toMatchObject({
      transactionId: '9007199254740993001',
      wallet: '1000000001',
      announcedMinor: 25_050n,
      senderBank: 'ING',
      senderTaxNumber: '1234567890',
      bankReceiptNo: '17',
    });
    expect(decodeWebhook(OLDER)).toMatchObject({
      topic: 'top_up',
      hint: 'unknown',
      extId: null,
      transactionId: '9007199254740993001',
      wallet: '1000000001',
    });
  });

  test('whose details cannot be read is a top-up all the same', () => {
    for (const broken of [
      '',
      'x',
      '{',
      '[]',
      '{"Message":5}',
      '{"Message":[{},{}]}',
      '"{}"',
      '['.repeat(40),
    ]) {
      expect(readTopUp(record({ tx_additional_data_json: broken }))).toMatchObject({
        transactionId: '9007199254740993001',
        announcedMinor: 25_050n,
        senderName: null,
        description: 'Yükleme',
      });
    }
    expect(
      readTopUp(record({ tx_base_amount: '12.345', currency_code: 'lira', to_wallet_number: 0 })),
    ).toMatchObject({ announcedMinor: null, currency: null, wallet: null });
  });

  test('is none when it speaks of anything else', () => {
    for (const other of [
      'null',
      '[]',
      '{}',
      '',
      FAILED,
      record({ transaction_type_id: 2002 }),
      record({ transaction_type_id: '3004' }),
      '{"tx_correlation_id":"5","amount":5}',
      '{"sender_iban":"TR1","amount":5}',
    ])
      expect(readTopUp(other)).toBeNull();
  });

  test('is found in a Message, in a list of one, or bare', () => {
    for (const json of [{ Message: MESSAGE }, { message: [MESSAGE] }, MESSAGE])
      expect(topUpDetails(JSON.stringify(json))).toMatchObject({
        senderName: 'Işık Çağrı Öğüt',
        bankReceiptNo: '00017',
      });
    for (const none of [null, '', '{}', '{"Other":{"a":1}}', '5'])
      expect(topUpDetails(none)).toBeNull();
  });
});

describe('a failed top-up notice', () => {
  test.each([
    [300, 'no_such_wallet'],
    ['300', 'no_such_wallet'],
    [310, 'limit'],
    ['301', 'repeated'],
    ['999', 'other'],
    ['Success', 'other'],
    ['constructor', 'other'],
  ])('with code %s says %s', (code, reason) => {
    const body = FAILED.replace('310', JSON.stringify(code));
    expect(readFailedTopUp(body)).toMatchObject({
      reason,
      code: String(code),
      message: 'Limit yetersiz',
      wallet: '1000000001',
      announcedMinor: 25_050n,
      currency: 'TRY',
      description: 'Fatura 4711',
    });
    expect(decodeWebhook(body)).toMatchObject({
      topic: 'failed_top_up',
      hint: 'unknown',
      extId: null,
      wallet: '1000000001',
      reason: 'Limit yetersiz',
    });
  });

  test('without a wallet says that there is none', () => {
    for (const none of ['""', 'null', '0'])
      expect(readFailedTopUp(FAILED.replace('"1000000001"', none))).toMatchObject({ wallet: null });
  });

  test('is none without a code and a message', () => {
    for (const other of [
      'null',
      '{}',
      record(),
      FAILED.replace('310', 'null'),
      FAILED.replace('"Limit yetersiz"', 'null'),
    ])
      expect(readFailedTopUp(other)).toBeNull();
  });
});

test('whatever comes is decoded or is none, and neither an id nor an amount is changed', () => {
  const check = (body: string): void => {
    decodeWebhook(body);
    const [amounts, tokens] = [amountsIn(body), tokensIn(body)];
    for (const read of [readTopUp(body), readFailedTopUp(body)]) {
      if (read === null) continue;
      if ('transactionId' in read && read.transactionId !== null)
        expect(tokens).toContain(read.transactionId);
      if (read.wallet !== null) expect(tokens).toContain(read.wallet);
      if (read.announcedMinor !== null)
        expect(amounts).toContain(
          read.announcedMinor < 0n ? -read.announcedMinor : read.announcedMinor,
        );
    }
  };
  for (const sample of [record(), OLDER, FAILED]) {
    for (const body of spoiltOnce(sample)) check(body);
    fc.assert(
      fc.property(spoiltMore(sample), (body) => void check(body)),
      { numRuns: 300 },
    );
  }
});
