import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { MAIN_WALLET, Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

/**
 * Tests that every record and notification has exactly the fields of coverage/, each with its type.
 */

let box: Sandbox;
type Row = Record<string, unknown>;
/** The text of an answer or notification, and the records in it, by the name of the record. */
const seen = new Map<string, { text: string; records: Row[] }>();
const PAGE = { order_column: 'CreatedDateUtc', order_by: 'desc', page_size: 100, page_index: 0 };

beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());

/** Causes every record once, when the first test needs one. */
let collected: Promise<void> | null = null;
async function collect(): Promise<void> {
  const keep = (name: string, response: Pick<ApiResponse, 'text'>, ...records: unknown[]): void => {
    seen.set(name, { text: response.text, records: records as Row[] });
  };
  const send = async (operation: string, to: string, ext_transaction_id: string): Promise<void> => {
    const sent = await box.call(`Transaction/${operation}`, {
      sender_wallet_number: MAIN_WALLET,
      receiver_wallet_number: to,
      ext_transaction_id,
      amount: 7,
      currency_code: 'TRY',
    });
    keep(`${operation} answer`, sent, sent.json.payload);
  };
  await send('BusinessToPersonalTransfer', '5510100001', 'r-1');
  await send('BusinessToBusinessTransfer', '4488810801', 'r-3');
  await send('TransferToVirement', '4410270002', 'r-4');
  const paid = await box.pay('r-2');
  keep('SendMoneyToBankAccount answer', paid, paid.json.payload);
  const person = { phone_country_number: '90', phone_number: '5330000201', currency_code: 'TRY' };
  const found = await box.call('Account/CheckPersonalWallet', person);
  const nobody = await box.call('Account/CheckPersonalWallet', {
    ...person,
    phone_number: '5999999999',
  });
  keep('CheckPersonalWallet answer', found, found.json.payload, nobody.json.payload);
  await box.post('wallets/4410270001/topup', { amount: '12.50' });
  await box.post('wallets/1/topup', { amount: '12.50', description: 'Sipariş' }).catch(() => null);
  await box.post('clock', { advance: '10s' });
  await box.until(() => box.notices.length === 3);
  const info = await box.call('Wallet/Info', { wallet_number: MAIN_WALLET });
  const wallet = (info.json.payload as { wallet_info: Row }).wallet_info;
  keep('wallet record', info, wallet);
  keep('user kyc info', info, wallet.user_kyc_info);
  keep('wallet balances', info, wallet.payment_balance, wallet.cash_balance);
  keep('wallet limits', info, wallet.transaction_limits);
  const account = await box.call('Account/GetBusinessAccount', '');
  keep('business account record', account, account.json.payload);
  const lines = await box.call('TransactionData/SummaryRecordByFilter', PAGE);
  keep('transaction record', lines, ...(lines.json.payload as { results: Row[] }).results);
  keep('paged list', lines, lines.json.payload);
  const requests = await box.call('TransactionData/GetRequestWithdrawListByFilter', PAGE);
  keep(
    'withdraw request record',
    requests,
    ...(requests.json.payload as { results: Row[] }).results,
    (await box.read('r-2')).json.payload,
  );
  const types = await box.raw('/wallet/api/v1/Transaction/GetPaymentTypes', {
    headers: { authorization: `Bearer ${box.token}` },
  });
  keep('payment type', types, ...(types.json.payload as Row[]));
  const notice = (has: string): { text: string; json: Row } =>
    box.notices.find((one) => has in one.json) ?? { text: '', json: {} };
  for (const [name, has] of [
    ['payout notification', 'after_process_status'],
    ['top-up notification', 'to_wallet_number'],
    ['failed top-up notification', 'result_message'],
  ] as const)
    keep(name, notice(has), notice(has).json);
}

const isDate = (value: unknown): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/.test(String(value));
const TYPES: Record<string, (value: unknown, field: string, text: string) => boolean> = {
  string: (value) => typeof value === 'string',
  date: isDate,
  decimal: (value, field, text) =>
    typeof value === 'number' &&
    [...text.matchAll(new RegExp(`"${field}":([^,}]+)`, 'g'))].every(([, number]) =>
      /^-?\d+\.\d\d$/.test(number ?? ''),
    ),
  integer: (value) => Number.isInteger(value),
  long: (value, field, text) =>
    typeof value === 'number' && new RegExp(`"${field}":(?:0|\\d{19})[,}]`).test(text),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  array: Array.isArray,
};

const RECORDS = contractData()
  .filter((one) => one.area === 'wallet')
  .flatMap((one) => one.operations)
  .filter((one) => one.fields && !/^(?:POST|GET) \//.test(one.path ?? ''));

describe('the records', () => {
  it.each(RECORDS)(
    'of $operation have every field in its type, and no other [CheckPersonalWallet answer, BusinessToPersonalTransfer answer, BusinessToBusinessTransfer answer, TransferToVirement answer, SendMoneyToBankAccount answer, user kyc info, wallet record, wallet balances, wallet limits, business account record, transaction record, paged list, withdraw request record, payment type, payout notification, top-up notification, failed top-up notification: fields] [service: ids, dates, exact-decimals]',
    async ({ operation, fields = {} }) => {
      await (collected ??= collect());
      const { text = '', records = [] } = seen.get(operation) ?? {};
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        expect(Object.keys(record).sort()).toEqual(Object.keys(fields).sort());
        for (const [field, says] of Object.entries(fields)) {
          const type = /^\w+/.exec(says)?.[0] ?? '';
          const fits =
            (says.includes('or null') && record[field] === null) ||
            TYPES[type]?.(record[field], field, text);
          expect([operation, field, record[field], fits]).toEqual([
            operation,
            field,
            record[field],
            true,
          ]);
        }
      }
    },
  );

  it('of a wallet may have no person behind it [wallet record: user_kyc_info]', async () => {
    await box.post('questions', { kyc_info: 'null' });
    const { payload } = (await box.call('Wallet/Info', { wallet_number: MAIN_WALLET })).json as {
      payload: { wallet_info: Row };
    };
    expect(payload.wallet_info.user_kyc_info).toBeNull();
    await box.post('questions', { kyc_info: 'object' });
  });
});
