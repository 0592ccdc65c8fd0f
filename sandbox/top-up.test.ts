import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN_WALLET, Sandbox } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  box.notices.length = 0;
});

type Row = Record<string, unknown>;
const load = (fields: Row, number = MAIN_WALLET): Promise<Row> =>
  box.post(`wallets/${number}/topup`, fields);
const nextNotice = (count = 1): Promise<Row> => box.until(() => box.notices[count - 1]?.json);

describe('a top-up', () => {
  it('credits wallet and ledger with a message [top-up notification: top-up, bank-message, ledger]', async () => {
    const { id } = await load({
      amount: '2500.05',
      sender_name: 'İnci Butik',
      description: 'Sipariş 9',
      bank_receipt_no: 'D-1',
    });
    expect((await box.wallet()).available).toBe('1252500.05');
    const notice = await nextNotice();
    expect(notice).toMatchObject({
      id,
      to_wallet_number: MAIN_WALLET,
      transaction_type_id: 1004,
      transaction_status_id: 20,
      result_code: 'Success',
      tx_base_amount: 2500.05,
    });
    const { Message: message } = JSON.parse(String(notice.tx_additional_data_json)) as {
      Message: Row;
    };
    expect(message).toMatchObject({
      SenderName: 'İnci Butik',
      Amount: 2500.05,
      CurrencyCode: 'TRY',
      Description: 'Sipariş 9',
      BankReceiptNo: 'D-1',
      ReceiverIban: expect.stringMatching(/^TR/),
    });
    const { results } = (
      await box.call('TransactionData/SummaryRecordByFilter', {
        order_column: 'CreatedDateUtc',
        to_wallet_number: MAIN_WALLET,
      })
    ).json.payload as { results: Row[] };
    expect(results[0]).toMatchObject({
      id,
      transaction_type_id: 1004,
      tx_base_amount: 2500.05,
      to_wallet_number: MAIN_WALLET,
      tx_additional_data_json: notice.tx_additional_data_json,
    });
  });

  it('can be of the other type and in a flat shape [top-up notification: flat, transaction_type_id]', async () => {
    await load({ amount: '5.00', transaction_type_id: 1001 });
    expect((await nextNotice()).transaction_type_id).toBe(1001);
    await box.post('questions', { topup_notice: 'flat' });
    await load({ amount: '7.00', bank_receipt_no: 'D-2' });
    const flat = await nextNotice(2);
    expect(Object.keys(flat).sort()).toEqual([
      'amount',
      'bank_receipt_no',
      'bank_transaction_date',
      'currency_code',
      'description',
      'hash_key',
      'national_id_or_tax_no',
      'receiver_bank_code',
      'receiver_bank_name',
      'receiver_iban',
      'regex_definition_result_data',
      'sender_bank_code',
      'sender_bank_name',
      'sender_iban',
      'sender_name',
      'tx_correlation_id',
      'wallet_info',
    ]);
    expect(flat).toMatchObject({
      amount: 7,
      bank_receipt_no: 'D-2',
      hash_key: '',
      wallet_info: { number: MAIN_WALLET, total_balance: 1_250_012 },
    });
  });
});

describe('a failed top-up', () => {
  const failed = async (fields: Row, number?: string): Promise<Row> => {
    const before = box.notices.length;
    await expect(load(fields, number)).rejects.toThrow(/40[49]/);
    return nextNotice(before + 1);
  };

  it('sends 300 without an open wallet [failed top-up notification: 300, failed top-up, wallet_number]', async () => {
    expect(await failed({ amount: '5.00' }, '1')).toMatchObject({
      result_code: '300',
      wallet_number: '',
      amount: 5,
      currency_code: 'TRY',
    });
    await box.post('wallets/4410270003', { access_level_status_id: 4 });
    expect(await failed({ amount: '5.00' }, '4410270003')).toMatchObject({
      result_code: '300',
      wallet_number: '',
    });
  });

  it('sends 310 above a wallet limit and credits nothing [failed top-up notification: 310, no-money]', async () => {
    await box.post(`wallets/${MAIN_WALLET}`, { max_balance: '1250100.00' });
    await load({ amount: '100.00' });
    await nextNotice();
    expect(await failed({ amount: '0.01' })).toMatchObject({
      result_code: '310',
      wallet_number: MAIN_WALLET,
    });
    await box.post(`wallets/4410270005`, { topup_limit: '0.50' });
    expect(await failed({ amount: '10.00' }, '4410270005')).toMatchObject({
      result_code: '310',
      currency_code: 'USD',
    });
    expect((await box.wallet()).available).toBe('1250100.00');
    expect((await box.get('ledger?kind=topup&seeded=0')) as unknown[]).toHaveLength(1);
  });

  it('tells 301 for a bank receipt number seen before [failed top-up notification: 301]', async () => {
    await load({ amount: '5.00', bank_receipt_no: 'D-7' });
    await nextNotice();
    expect(await failed({ amount: '5.00', bank_receipt_no: 'D-7' })).toMatchObject({
      result_code: '301',
      wallet_number: MAIN_WALLET,
    });
    expect((await box.wallet()).available).toBe('1250005.00');
  });

  it('has a description only sometimes [failed top-up notification: description]', async () => {
    expect('description' in (await failed({ amount: '5.00' }, '1'))).toBe(false);
    expect(await failed({ amount: '5.00', description: 'Sipariş 4' }, '1')).toMatchObject({
      description: 'Sipariş 4',
    });
  });
});
