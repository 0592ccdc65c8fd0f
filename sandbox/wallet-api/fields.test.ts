import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { MAIN_WALLET, Sandbox, payout } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

/**
 * Tests every field of every request against coverage/: a missing required field and a wrong type
 * are refused, an optional field may be null.
 */

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());

type Row = Record<string, unknown>;
const PAGE = { order_column: 'CreatedDateUtc', order_by: 'desc', page_size: 5, page_index: 0 };
let next = 0;
const transfer = (to: string) => (): Row => ({
  sender_wallet_number: MAIN_WALLET,
  receiver_wallet_number: to,
  ext_transaction_id: `f-${next++}`,
  amount: 1,
  currency_code: 'TRY',
  payment_type: '06',
  description: 'x',
});

/** A request of each operation with right fields. */
const SAMPLES: Record<string, () => Row> = {
  CheckPersonalWallet: () => ({
    phone_country_number: '90',
    phone_number: '5330000201',
    currency_code: 'TRY',
  }),
  CreateWalletForBusinessAccount: () => ({
    name: 'Yeni',
    currency_code: 'TRY',
    use_fast_iban: true,
  }),
  'Wallet/Info': () => ({ wallet_number: MAIN_WALLET }),
  'Wallet/ListByFilter': () => PAGE,
  BusinessToPersonalTransfer: transfer('5510100001'),
  BusinessToBusinessTransfer: transfer('4488810801'),
  TransferToVirement: transfer('4410270002'),
  SendMoneyToBankAccount: () => payout(`f-${next++}`),
  GetRequestWithdrawByExtId: () => ({ ext_transaction_id: 'f-none' }),
  GetRequestWithdrawListByFilter: () => PAGE,
  SummaryRecordByFilter: () => PAGE,
  TransactionReceipt: () => ({ id: 5 }),
};

const OPERATIONS = contractData()
  .filter((one) => one.area === 'wallet')
  .flatMap((one) => one.operations)
  .filter((one) => one.path?.startsWith('POST /wallet/api') && one.fields);
const CASES = OPERATIONS.flatMap((one) =>
  Object.entries(one.fields ?? {}).map(([field, says]) => ({
    operation: one.operation,
    path: one.path?.slice('POST /wallet/api/v1/'.length) ?? '',
    field,
    need: says[0] ?? '',
    kind: says.slice(2),
  })),
);

async function ask(one: { operation: string; path: string }, change: Row): Promise<ApiResponse> {
  const sample = SAMPLES[one.operation];
  if (!sample) throw new Error(`no sample of ${one.operation}`);
  return box.call(
    one.path,
    Object.fromEntries(
      Object.entries({ ...sample(), ...change }).filter(([, value]) => value !== undefined),
    ),
  );
}
const label = (field: string): string =>
  `'${field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')}' must not be empty.`;
/** A JSON value of another type than the field's. */
const misfit = (kind: string): unknown =>
  kind.startsWith('string') || kind.startsWith('date') ? 5 : 'x';

describe('the requests', () => {
  it.each(OPERATIONS)('of $operation are right as they stand', async (one) => {
    expect(
      (
        await ask(
          { operation: one.operation, path: one.path?.slice('POST /wallet/api/v1/'.length) ?? '' },
          {},
        )
      ).status,
    ).toBe(200);
  });

  it.each(CASES.filter((one) => one.need === 'y'))(
    'of $operation are refused without $field [CheckPersonalWallet, CreateWalletForBusinessAccount, Wallet/Info, SendMoneyToBankAccount, BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement, GetRequestWithdrawByExtId, TransactionReceipt, Wallet/ListByFilter, GetRequestWithdrawListByFilter, SummaryRecordByFilter: required, 999]',
    async (one) => {
      for (const value of one.kind.startsWith('string')
        ? [undefined, null, '', '  ']
        : [undefined]) {
        const response = await ask(one, { [one.field]: value });
        expect([
          response.status,
          response.json.status,
          response.json.code,
          response.json.errors,
        ]).toEqual([400, 1, '999', [label(one.field)]]);
      }
    },
  );

  it.each(CASES)(
    'of $operation are refused with another type in $field [CheckPersonalWallet, CreateWalletForBusinessAccount, Wallet/Info, SendMoneyToBankAccount, BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement, GetRequestWithdrawByExtId, TransactionReceipt: fields] [service: binding]',
    async (one) => {
      for (const value of [misfit(one.kind), ['x'], { deep: 1 }]) {
        const response = await ask(one, { [one.field]: value });
        expect([
          response.status,
          response.json.title,
          Object.keys(response.json.errors as object),
        ]).toEqual([400, 'One or more validation errors occurred.', [`$.${one.field}`]]);
      }
    },
  );

  it.each(CASES.filter((one) => one.need !== 'y' && !one.field.startsWith('phone_')))(
    'of $operation may say null in $field [service: nulls]',
    async (one) => {
      expect((await ask(one, { [one.field]: null })).status).toBe(200);
    },
  );
});
