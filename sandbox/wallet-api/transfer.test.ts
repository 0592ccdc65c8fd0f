import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN_WALLET, Sandbox } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

type Row = Record<string, unknown>;
const PERSON = '5510100001';
const BUSINESS = '4488810801';
const OWN = '4410270002';
const VARIANTS = [
  {
    operation: 'BusinessToPersonalTransfer',
    to: PERSON,
    blocked: '5510100003',
    banned: '5510100004',
    closed: '5510100005',
    typeId: 3004,
    kind: 'to_person',
  },
  {
    operation: 'BusinessToBusinessTransfer',
    to: BUSINESS,
    blocked: '4488810802',
    banned: '4488810801',
    closed: '4488810801',
    typeId: 3003,
    kind: 'to_business',
  },
  {
    operation: 'TransferToVirement',
    to: OWN,
    blocked: '4410270004',
    banned: '4410270003',
    closed: '4410270003',
    typeId: 3006,
    kind: 'virement',
  },
] as const;
type Variant = (typeof VARIANTS)[number];

const send = (variant: Variant, extId: string, fields: Row = {}): Promise<ApiResponse> =>
  box.call(`Transaction/${variant.operation}`, {
    sender_wallet_number: MAIN_WALLET,
    receiver_wallet_number: variant.to,
    ext_transaction_id: extId,
    amount: 100,
    currency_code: 'TRY',
    description: 'Avans',
    ...fields,
  });
const codeOf = async (variant: Variant, extId: string, fields: Row = {}): Promise<unknown> =>
  (await send(variant, extId, fields)).json.code;
const payloadOf = (response: ApiResponse): Row => response.json.payload as Row;
const summary = (fields: Row): Promise<ApiResponse> =>
  box.call('TransactionData/SummaryRecordByFilter', {
    order_column: 'CreatedDateUtc',
    order_by: 'desc',
    page_size: 50,
    page_index: 0,
    ...fields,
  });
const level = (number: string, to: number): Promise<Row> =>
  box.post(`wallets/${number}`, { access_level_status_id: to });

describe.each(VARIANTS)('$operation', (variant) => {
  it('moves the money at once and answers with the receiver and the sender’s wallet [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 100, answer, money]', async () => {
    const response = await send(variant, 'ok-1', { amount: 1234.5 });
    expect(response.json).toMatchObject({ status: 0, code: '100' });
    expect(response.text).toContain('"transaction_amount":1234.50');
    const payload = payloadOf(response);
    expect(payload.transaction_id).toMatch(/^\d{19}$/);
    expect(payload).toMatchObject({ receiver_wallet_number: variant.to });
    expect(payload.receiver_account_number).toMatch(/^\d{10}$/);
    const fee = variant.kind === 'to_business' ? 1.5 : 0;
    expect((payload.sender_wallet_info as Row).number).toBe(MAIN_WALLET);
    expect((payload.sender_wallet_info as Row).total_balance).toBe(1_250_000 - 1234.5 - fee);
    expect(Object.keys(payload).filter((name) => name.endsWith('_movement'))).toEqual(
      variant.kind === 'to_person' ? [] : ['payment_balance_movement', 'cash_balance_movement'],
    );
    const before = { [PERSON]: 1250, [BUSINESS]: 50_000, [OWN]: 482_650.5 }[variant.to];
    expect(Number((await box.wallet(variant.to)).available)).toBe((before ?? 0) + 1234.5);
    expect(((await box.get('books')) as { agrees: boolean }).agrees).toBe(true);
    expect(await box.ledgerOf('ok-1')).toEqual([
      expect.objectContaining({
        kind: variant.kind,
        amount: '1234.50',
        fee: fee.toFixed(2),
        wallet_number: MAIN_WALLET,
        to_wallet_number: variant.to,
        state: 'live',
      }),
    ]);
  });

  it('is listed in the ledger after its lag, 312 until then [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 312, ledger-line]', async () => {
    const fee = variant.kind === 'to_business' ? 1.5 : 0;
    await send(variant, 'led-1', { amount: 12.58 });
    expect((await summary({ ext_transaction_id: 'led-1' })).json).toMatchObject({
      status: 2,
      code: '312',
    });
    await box.post('clock', { advance: '19m' });
    expect((await summary({ ext_transaction_id: 'led-1' })).json.code).toBe('312');
    await box.post('clock', { advance: '1m' });
    const { results } = payloadOf(await summary({ ext_transaction_id: 'led-1' })) as {
      results: Row[];
    };
    expect(results).toEqual([
      expect.objectContaining({
        transaction_status_id: 20,
        transaction_type_id: variant.typeId,
        from_wallet_number: MAIN_WALLET,
        to_wallet_number: variant.to,
        from_account_number: '4410027815',
        tx_base_amount: 12.58,
        tx_additional_fee: fee,
        tx_amount_with_additional_fee: 12.58 + fee,
        to_account_type_id: variant.kind === 'to_person' ? 1 : 2,
      }),
    ]);
    const id = String(results[0]?.id);
    expect((await box.call('TransactionData/TransactionReceipt', `{"id":${id}}`)).json.code).toBe(
      '100',
    );
  });

  it('answers 301 to a repeated ext id, also of a payout, and moves nothing [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 301, unique-ext-id]', async () => {
    expect(await codeOf(variant, 'dup-1')).toBe('100');
    expect(await codeOf(variant, 'dup-1', { amount: 5 })).toBe('301');
    expect(await box.ledgerOf('dup-1')).toHaveLength(1);
    expect((await box.pay('dup-1')).json.code).toBe('1');
    await box.pay('dup-2');
    expect(await codeOf(variant, 'dup-2')).toBe('301');
  });

  it('needs a wallet [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 300]', async () => {
    for (const fields of [
      { sender_wallet_number: '9999999' },
      { sender_wallet_number: '4488810001' },
      { receiver_wallet_number: '9999999' },
      { currency_code: 'USD' },
      { sender_wallet_number: '4410270005', currency_code: 'USD' },
    ])
      expect(await codeOf(variant, 'wallet-1', fields)).toBe('300');
    expect(await box.ledgerOf('wallet-1')).toHaveLength(0);
  });

  it('answers 303 for the same wallet and for a wallet of the wrong kind [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 303, right-kind]', async () => {
    expect(await codeOf(variant, 'same-1', { receiver_wallet_number: MAIN_WALLET })).toBe('303');
    for (const other of VARIANTS.filter((one) => one !== variant))
      expect(await codeOf(variant, 'kind-1', { receiver_wallet_number: other.to })).toBe('303');
  });

  it('answers 310 above the month’s limit between wallets, the day’s, or what the receiver may hold [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 310, limits]', async () => {
    await box.post(`wallets/${variant.to}`, { max_balance: '1000.00' });
    expect(await codeOf(variant, 'full-2', { amount: 1 })).toBe('310');
    await box.post('reset');
    await box.post(`wallets/${MAIN_WALLET}`, { transfer_limit: '500.00' });
    expect(await codeOf(variant, 'month-1', { amount: 400 })).toBe('100');
    // A transfer between the merchant's own wallets uses up no limit.
    expect(await codeOf(variant, 'month-2', { amount: 100.01 })).toBe(
      variant.kind === 'virement' ? '100' : '310',
    );
    await box.post(`wallets/${MAIN_WALLET}`, { transfer_limit: '5000.00', daily_limit: '450.00' });
    expect(await codeOf(variant, 'day-1', { amount: 50.01 })).toBe(
      variant.kind === 'virement' ? '100' : '310',
    );
    await box.post('clock', { advance: '24h' });
    await box.login();
    expect(await codeOf(variant, 'day-2', { amount: 50.01 })).toBe('100');
    await box.post('reset');
    await box.login();
  });

  it('needs funds [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 311]', async () => {
    const low = { sender_wallet_number: '4410270003' };
    await box.post('questions', { person_transfer_fee: 100, business_transfer_fee: 100 });
    expect(await codeOf(variant, 'low-1', { ...low, amount: 37_400.01 })).toBe('311');
    if (variant.kind !== 'virement')
      expect(await codeOf(variant, 'low-2', { ...low, amount: 37_400 })).toBe('311');
    expect(
      await codeOf(variant, 'low-3', {
        ...low,
        amount: variant.kind === 'virement' ? 37_400 : 37_399,
      }),
    ).toBe('100');
    expect((await box.wallet('4410270003')).available).toBe('0.00');
  });

  it('checks amounts [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 315]', async () => {
    for (const amount of [0, 0.001, 10.005])
      expect(await codeOf(variant, 'small-1', { amount })).toBe('315');
  });

  it('answers 330, 334 and 336 for a wallet or account that is blocked, banned or closed, on either side [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 330, 334, 336]', async () => {
    expect(await codeOf(variant, 'acc-1', { sender_wallet_number: '4410270004' })).toBe('330');
    expect(await codeOf(variant, 'acc-2', { receiver_wallet_number: variant.blocked })).toBe('330');
    if (variant.kind !== 'to_person') await level(variant.banned, 3);
    expect(await codeOf(variant, 'acc-3', { receiver_wallet_number: variant.banned })).toBe('334');
    if (variant.kind !== 'to_person') await level(variant.closed, 4);
    expect(await codeOf(variant, 'acc-4', { receiver_wallet_number: variant.closed })).toBe('336');
    await box.post('accounts/4410027815', { access_level_status_id: 3 });
    expect(await codeOf(variant, 'acc-5')).toBe('334');
  });

  it('answers at .48 [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 480]', async () => {
    expect(await codeOf(variant, 'fraud-1', { amount: 10.48 })).toBe('480');
    expect(await codeOf(variant, 'fraud-1', { amount: 10 })).toBe('100');
  });

  it('checks fields [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 999]', async () => {
    const response = await box.call(`Transaction/${variant.operation}`, {});
    expect([response.status, response.json.status, response.json.code]).toEqual([400, 1, '999']);
    expect((response.json.errors as string[]).sort()).toEqual(
      [
        'Amount',
        'Currency Code',
        'Ext Transaction Id',
        'Receiver Wallet Number',
        'Sender Wallet Number',
      ].map((name) => `'${name}' must not be empty.`),
    );
    for (const fields of [
      { amount: -1 },
      { amount: 1_000_000_000 },
      { currency_code: 'XAU' },
      { description: 'x'.repeat(251) },
      { ext_transaction_id: 'x'.repeat(65) },
    ])
      expect(await codeOf(variant, 'bad-1', fields)).toBe('999');
  });

  it.each(['304', '307', '313', '316', '322', '500', '501'])(
    'answers %s for the magic receiver that ends in it [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: 304, 307, 313, 316, 322, 500, 501]',
    async (code) => {
      expect(
        (await send(variant, 'magic-1', { receiver_wallet_number: `9999000${code}` })).json,
      ).toMatchObject({ status: 2, code, payload: null });
      await box.post('questions', { magic_values: false });
      expect(await codeOf(variant, 'magic-1', { receiver_wallet_number: `9999000${code}` })).toBe(
        '300',
      );
    },
  );

  it('can get lost [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: lost]', async () => {
    await expect(send(variant, 'lost-45', { amount: 1.45 })).rejects.toThrow();
    expect(await box.ledgerOf('lost-45')).toHaveLength(1);
    expect(await codeOf(variant, 'lost-45', { amount: 1.45 })).toBe('301');
    await expect(send(variant, 'lost-46', { amount: 1.46 })).rejects.toThrow();
    expect(await box.ledgerOf('lost-46')).toHaveLength(0);
    await expect(send(variant, 'late-51', { amount: 1.51 })).rejects.toThrow();
    expect(await box.ledgerOf('late-51')).toHaveLength(0);
    await box.post('clock', { advance: '10s' });
    expect(await box.ledgerOf('late-51')).toHaveLength(1);
  });

  it('can pay a quick repeat twice, or use an id up with a refusal, when switched [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: open-questions]', async () => {
    await box.post('questions', {
      dedupe: 'ledger',
      ledger_lag_min_ms: 60_000,
      ledger_lag_max_ms: 60_000,
      rejected_burns_ext_id: true,
    });
    expect(await codeOf(variant, 'twice-1')).toBe('100');
    expect(await codeOf(variant, 'twice-1')).toBe('100');
    await box.post('clock', { advance: '70s' });
    expect(await codeOf(variant, 'twice-1')).toBe('301');
    expect(await codeOf(variant, 'burn-1', { amount: 10.48 })).toBe('480');
    expect(await codeOf(variant, 'burn-1')).toBe('301');
  });
});

const [TO_PERSON, TO_BUSINESS, VIREMENT] = VARIANTS;

describe('transfers', () => {
  it('mask names [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: names]', async () => {
    expect(payloadOf(await send(TO_PERSON, 'name-1'))).toMatchObject({
      receiver_first_name: 'El**',
      receiver_last_name: 'Şa***',
    });
    expect(payloadOf(await send(TO_BUSINESS, 'name-2'))).toMatchObject({
      receiver_first_name: 'Kuzey Makina Servis A.Ş.',
      receiver_last_name: '',
    });
    expect(payloadOf(await send(VIREMENT, 'name-3'))).toMatchObject({
      receiver_first_name: 'Lodos Ticaret ve Tekstil A.Ş.',
    });
  });

  it('charge a fee [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: fee]', async () => {
    await box.post('questions', { person_transfer_fee: 125, business_transfer_fee: 250 });
    for (const [variant, fee] of [
      [TO_PERSON, '1.25'],
      [TO_BUSINESS, '2.50'],
      [VIREMENT, '0.00'],
    ] as const) {
      await send(variant, `fee-${variant.kind}`);
      expect((await box.ledgerOf(`fee-${variant.kind}`))[0]?.fee).toBe(fee);
    }
    expect((await box.wallet()).available).toBe('1249696.25');
    const cash = payloadOf(await send(TO_BUSINESS, 'fee-4'));
    expect([cash.payment_balance_movement, cash.cash_balance_movement]).toEqual([0, 102.5]);
  });

  it('state why [BusinessToPersonalTransfer, BusinessToBusinessTransfer, TransferToVirement: purpose]', async () => {
    for (const variant of [TO_PERSON, TO_BUSINESS]) {
      expect(await codeOf(variant, 'type-1', { payment_type: '99' })).toBe('999');
      expect(
        await codeOf(variant, 'type-1', { payment_type: '07', description: 'on dokuz karakter 1' }),
      ).toBe('999');
      expect(
        await codeOf(variant, `type-${variant.kind}`, {
          payment_type: '07',
          description: 'yirmi karakter oldu!',
        }),
      ).toBe('100');
    }
    expect(await codeOf(VIREMENT, 'type-2', { payment_type: 99 })).toBe('100');
    await box.post('questions', { payment_type_required: true });
    for (const variant of [TO_PERSON, TO_BUSINESS])
      expect(await codeOf(variant, 'type-3')).toBe('999');
    expect(await codeOf(VIREMENT, 'type-4')).toBe('100');
  });

  it('leave what remains of the month in the wallet’s limits [wallet access: remaining]', async () => {
    await send(TO_PERSON, 'rest-1', { amount: 1000 });
    const response = await box.call('Wallet/Info', { wallet_number: MAIN_WALLET });
    expect(response.text).toContain('"wallet_to_wallet_limit":1999000.00');
    await send(VIREMENT, 'rest-2', { amount: 1000 });
    expect((await box.call('Wallet/Info', { wallet_number: MAIN_WALLET })).text).toContain(
      '"wallet_to_wallet_limit":1999000.00',
    );
  });
});
