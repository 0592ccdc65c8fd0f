import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN_WALLET, Sandbox, levelOf } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const PAGE = { order_column: 'CreatedDateUtc', order_by: 'desc', page_size: 20, page_index: 0 };
type Row = Record<string, unknown>;
const page = (
  response: ApiResponse,
): { results: Row[]; row_count: number; page_count: number; last_row_index: number } =>
  response.json.payload as never;
const summary = (fields: object): Promise<ApiResponse> =>
  box.call('TransactionData/SummaryRecordByFilter', { ...PAGE, ...fields });
const LATE_LEDGER = { ledger_lag_min_ms: 60_000, ledger_lag_max_ms: 60_000 };
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const RECORDS = {
  wallet:
    'id,tenant_id,name,account_number,number,fast_iban,account_type,created_date_utc,' +
    'updated_date_utc,phone_country_code,phone_number,email,total_balance,' +
    'monthly_incoming_total,monthly_outgoing_total,access_level_status_id,' +
    'access_level_status,payment_balance,cash_balance,transaction_limits,kyc_level_status,' +
    'currency_code,user_kyc_info,is_topup_default,tax_number,loyalty_record_required,' +
    'ext_account_number,is_hidden',
  account:
    'id,tenant_id,parent_business_account_id,name,account_number,business_type,alias,' +
    'kyc_level,owner_user_id,contact_address_contact_first_name,' +
    'contact_address_contact_last_name,contact_address_contact_email,' +
    'contact_address_contact_phone,contact_address_address_line1,' +
    'contact_address_address_line2,contact_address_zip_postal_code,' +
    'contact_address_state_province_code,contact_address_country_code,tax_office,tax_number,' +
    'access_level_status_id,created_date_utc,updated_date_utc,sector_id,group_code,' +
    'is_account_locked,ext_account_number,is_hidden',
  transaction:
    'id,tenant_id,tx_group_correlation_id,tx_ref_correlation_id,wallet_id,' +
    'transaction_type_id,transaction_type,transaction_status_id,transaction_status,' +
    'result_code,tx_additional_data_json,created_date_utc,updated_date_utc,' +
    'completed_date_utc,financial_process_completed_date_utc,is_financial_process_completed,' +
    'to_wallet_id,tx_base_amount,tx_additional_fee,tx_amount_with_additional_fee,' +
    'currency_code,tx_end_user_preview_json,tx_pre_financial_acquired_record_json,' +
    'tx_financial_acquired_record_json,from_description,to_description,tx_description,' +
    'kyc_level_id,from_account_type_id,from_account_id,from_wallet_number,' +
    'from_account_number,to_account_number,to_account_type_id,to_account_id,to_wallet_number,' +
    'is_need_settlement,settlement_day,ext_transaction_id,from_user_kyc_info,' +
    'to_user_kyc_info,source_type,channel_type,media_identifier,terminal_no,media_type,' +
    'provider_id,to_account_tx_base_amount,to_account_tx_additional_fee,' +
    'to_account_tx_amount_with_additional_fee,from_ext_account_number,to_ext_account_number,' +
    'from_group_code,to_group_code,receipt_number,ip_address,client_port',
  request:
    'id,tenant_id,wallet_id,wallet_number,tx_correlation_id,ext_transaction_id,account_type,' +
    'account_id,account_number,bank_id,bank_name,account_saved_bank_id,is_account_owner_bank,' +
    'name,account_holder_name,iban,accept_actions,bank_account_no,swift_code,branch_code,' +
    'base_amount,currency,description,process_level_status,receiver_national_id,' +
    'bank_response_json,created_date_utc,updated_date_utc',
};
const fields = (record: unknown): string[] => Object.keys(record as object).sort();
const wanted = (name: keyof typeof RECORDS): string[] => RECORDS[name].split(',').sort();

describe('tokens', () => {
  const ask = async (changes: Record<string, string>): Promise<ApiResponse> => {
    const { wallet } = (await box.get('credentials')) as { wallet: Record<string, string> };
    return box.raw('/wallet/auth/connect/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...wallet, ...changes }),
    });
  };

  it('live 3600 virtual seconds, then give 401 [connect/token: answer, claims, lifetime, unauthorized]', async () => {
    const response = await ask({});
    expect(response.json).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'sts_business_api',
    });
    const claims = JSON.parse(
      Buffer.from(String(response.json.access_token).split('.')[1] ?? '', 'base64url').toString(),
    ) as Row;
    expect(Object.keys(claims)).toEqual(
      expect.arrayContaining(['iss', 'client_id', 'tenant_id', 'scope', 'nbf', 'exp']),
    );
    box.token = String(response.json.access_token);
    expect((await box.call('Account/GetBusinessAccount', {})).status).toBe(200);
    await box.post('clock', { advance: '1h' });
    const late = await box.call('Account/GetBusinessAccount', {});
    expect([late.status, late.text]).toEqual([401, '']);
    await box.post('reset');
    await box.login();
  });

  it.each([
    [{ client_secret: 'no' }, 'invalid_client'],
    [{ client_id: 'no' }, 'invalid_client'],
    [{ scope: 'no' }, 'invalid_scope'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
    [{ grant_type: '' }, 'invalid_request'],
  ] as const)(
    'refuse %o as %s [connect/token: grant_type, client_id, client_secret, scope, invalid_client, invalid_scope, unsupported_grant_type, invalid_grant, no-grant]',
    async (changes, error) => {
      const response = await ask(changes as Record<string, string>);
      expect([response.status, response.json]).toEqual([400, { error }]);
    },
  );

  it('are needed: none, a made-up or a tampered one gives 401 [connect/token: bearer, unauthorized]', async () => {
    await box.login();
    const good = box.token;
    const otherEnd = good.endsWith('AAA') ? 'BBB' : 'AAA';
    for (const token of ['', 'abc', good.slice(0, -3) + otherEnd]) {
      box.token = token;
      expect((await box.pay('noauth-1')).status).toBe(401);
    }
    box.token = good;
    expect(await box.ledgerOf('noauth-1')).toHaveLength(0);
  });
});

describe('routes', () => {
  it('answers 404 to unknown operations and 405 to wrong methods [service: unknown-operation, method]', async () => {
    expect((await box.call('Transaction/Nothing', {})).status).toBe(404);
    expect((await box.call('Transaction/GetPaymentTypes', {})).status).toBe(405);
  });

  it('answers 429 beyond the rate of the switch [service: rate-limit]', async () => {
    await box.post('questions', { rate_limit_per_minute: 3 });
    const seen: number[] = [];
    // Wherever the minute ends, more than three of seven requests are on one side of its end.
    for (let i = 0; i < 7; i++)
      seen.push((await box.call('Account/GetBusinessAccount', {})).status);
    expect(seen.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    await box.post('questions', { rate_limit_per_minute: 0 });
    expect((await box.call('Account/GetBusinessAccount', {})).status).toBe(200);
  });
});

describe('account and wallets', () => {
  it('gives the token’s account with all fields [GetBusinessAccount: 100, account-of-token, no-body]', async () => {
    const response = await box.call('Account/GetBusinessAccount', {});
    expect(fields(response.json.payload)).toEqual(wanted('account'));
    expect(response.json).toMatchObject({
      status: 0,
      code: '100',
      payload: { account_number: '4410027815' },
    });
    for (const body of ['', '{"account_number":"4488800000"}'])
      expect((await box.call('Account/GetBusinessAccount', body)).json).toEqual(response.json);
  });

  it('gives a wallet with every field, and 300 for another merchant’s [Wallet/Info: 100, 300, own]', async () => {
    const response = await box.call('Wallet/Info', { wallet_number: MAIN_WALLET });
    expect(fields((response.json.payload as Row).wallet_info)).toEqual(wanted('wallet'));
    expect(response.text).toContain('"total_balance":1250000.00');
    for (const number of ['4488810001', '1'])
      expect((await box.call('Wallet/Info', { wallet_number: number })).json).toMatchObject({
        status: 2,
        code: '300',
        payload: null,
      });
    expect((await box.call('Wallet/Info', {})).json.code).toBe('999');
  });

  it('lists own wallets paged, filtered and ordered [Wallet/ListByFilter: 100, own, paging]', async () => {
    const all = page(await box.call('Wallet/ListByFilter', PAGE));
    expect(fields(all)).toEqual([
      'last_row_index',
      'order_by',
      'order_column',
      'page_count',
      'page_index',
      'page_size',
      'results',
      'row_count',
    ]);
    expect(all.results.map((one) => one.currency_code).sort()).toEqual([
      'EUR',
      'TRY',
      'TRY',
      'TRY',
      'TRY',
      'USD',
    ]);
    expect(
      page(await box.call('Wallet/ListByFilter', { ...PAGE, currency_code: 'USD' })).row_count,
    ).toBe(1);
    expect(
      page(await box.call('Wallet/ListByFilter', { ...PAGE, access_level_status_ids: [2] }))
        .results[0]?.access_level_status,
    ).toBe('Bloke');
    expect(
      page(await box.call('Wallet/ListByFilter', { ...PAGE, account_type_id: 1 })).row_count,
    ).toBe(0);
    expect((await box.call('Wallet/ListByFilter', {})).json.errors).toHaveLength(4);
    expect(
      (await box.call('Wallet/ListByFilter', { ...PAGE, order_column: 'Nope' })).json.code,
    ).toBe('999');
  });

  it('lists twenty types in the locale [GetPaymentTypes: 100, locale, twenty, least-description]', async () => {
    const get = (locale: string): Promise<ApiResponse> =>
      box.raw('/wallet/api/v1/Transaction/GetPaymentTypes', {
        headers: { authorization: `Bearer ${box.token}`, locale },
      });
    const tr = (await get('tr-TR')).json.payload as {
      code: string;
      description: string;
      extra_description_min_length: number;
    }[];
    expect(tr).toHaveLength(20);
    expect(tr.filter((type) => type.extra_description_min_length > 0)).toEqual([
      expect.objectContaining({ code: '07', extra_description_min_length: 20 }),
    ]);
    expect(((await get('en')).json.payload as { description: string }[])[0]?.description).toContain(
      'rent',
    );
  });
});

describe('withdraw requests', () => {
  it('shows one request by ext id with every field [GetRequestWithdrawByExtId: 100, unwrapped]', async () => {
    await box.pay('read-1');
    const response = await box.read('read-1');
    expect(fields(response.json.payload)).toEqual(wanted('request'));
    expect(response.text).toContain('"base_amount":100.00');
  });

  it.each([
    ['300', '300'],
    ['312', '312'],
    ['null_payload', '100'],
  ])(
    'answers an unknown ext id as the switch says: %s [GetRequestWithdrawByExtId: 300, 312]',
    async (choice, code) => {
      await box.post('questions', { unknown_ext_id_answer: choice });
      expect((await box.read('nobody')).json).toMatchObject({ code, payload: null });
    },
  );

  it('can see a request only after the ledger’s lag [GetRequestWithdrawByExtId: visibility]', async () => {
    await box.post('questions', {
      read_visibility: 'ledger_lag',
      ledger_lag_min_ms: 60_000,
      ledger_lag_max_ms: 60_000,
    });
    await box.pay('lag-1');
    expect((await box.read('lag-1')).json.code).toBe('300');
    await box.post('clock', { advance: '61s' });
    expect(levelOf(await box.read('lag-1'))).toBe(1);
  });

  it('lists with filters and pages that do not overlap [GetRequestWithdrawListByFilter: 100, paging]', async () => {
    const list = (extra: object): Promise<ApiResponse> =>
      box.call('TransactionData/GetRequestWithdrawListByFilter', { ...PAGE, ...extra });
    await box.pay('rejected-1', { amount: 20.41 });
    await box.post('clock', { advance: '5s' });
    const all = page(await list({ page_size: 1000 }));
    expect(all.row_count).toBeGreaterThan(150);
    const first = page(await list({ page_size: 10 }));
    const second = page(await list({ page_size: 10, page_index: 1 }));
    expect(new Set([...first.results, ...second.results].map((row) => row.id)).size).toBe(20);
    expect(first.page_count).toBe(Math.ceil(all.row_count / 10));
    const rejected = page(await list({ process_level_status_id: 2, page_size: 1000 }));
    expect(rejected.row_count).toBeGreaterThan(0);
    expect(rejected.results.every((row) => row.process_level_status === 2)).toBe(true);
    const sums = page(await list({ begin_amount: 1000, end_amount: 2000.5, page_size: 1000 }));
    expect(
      sums.results.every(
        (row) => Number(row.base_amount) >= 1000 && Number(row.base_amount) <= 2000.5,
      ),
    ).toBe(true);
    const done = page(await list({ is_completed: true, page_size: 1000 })).row_count;
    expect(done + page(await list({ is_completed: false, page_size: 1000 })).row_count).toBe(
      all.row_count,
    );
  });
});

describe('SummaryRecordByFilter', () => {
  it('shows the last three days unless both dates are given [SummaryRecordByFilter: 100, last-days]', async () => {
    const usual = page(await summary({ page_size: 1000 }));
    const edge = Date.now() - 3 * 86_400_000 - 60_000;
    expect(usual.results.every((row) => Date.parse(String(row.created_date_utc)) >= edge)).toBe(
      true,
    );
    const wide = page(
      await summary({ page_size: 1000, start_date: daysAgo(200), end_date: daysAgo(0) }),
    );
    expect(wide.row_count).toBeGreaterThan(usual.row_count + 100);
    const since = page(await summary({ page_size: 1000, start_date: daysAgo(200) }));
    expect(since.row_count, 'a start alone').toBe(usual.row_count);
    // Any day may have no entry, so the narrower range begins with the newest one.
    const newest = Math.max(
      ...usual.results.map((row) => Date.parse(String(row.created_date_utc))),
    );
    const narrow = page(
      await summary({ page_size: 1000, start_date: new Date(newest).toISOString() }),
    );
    expect(narrow.row_count).toBeLessThan(usual.row_count);
    const until = page(await summary({ page_size: 1000, end_date: daysAgo(30) }));
    expect(until.row_count, 'an end alone').toBe(0);
    await box.post('questions', { summary_default_days: 30 });
    expect(page(await summary({ page_size: 1000 })).row_count).toBeGreaterThan(
      usual.row_count + 20,
    );
    expect(fields(wide.results[0])).toEqual(wanted('transaction'));
  });

  it('lists only settled payouts, 312 before [SummaryRecordByFilter: 312, ledger-lag, settled-only]', async () => {
    await box.post('questions', { ledger_lag_min_ms: 1_200_000, ledger_lag_max_ms: 1_200_000 });
    await box.pay('slow-1');
    await box.post('clock', { advance: '10s' });
    expect(levelOf(await box.read('slow-1'))).toBe(1);
    expect((await summary({ ext_transaction_id: 'slow-1' })).json).toMatchObject({
      status: 2,
      code: '312',
      payload: null,
    });
    expect(
      page(await summary({ page_size: 1000 })).results.some(
        (row) => row.ext_transaction_id === 'slow-1',
      ),
    ).toBe(false);
    await box.post('clock', { advance: '20m' });
    const row = page(await summary({ ext_transaction_id: 'slow-1' })).results[0];
    expect(row).toMatchObject({
      transaction_status_id: 20,
      transaction_status: 'NormalCompleted',
      transaction_type_id: 2002,
    });
  });

  it('answers an empty page instead of 312 when switched [SummaryRecordByFilter: listing-empty]', async () => {
    await box.post('questions', { listing_before_ledger: 'empty', ...LATE_LEDGER });
    await box.pay('slow-2');
    expect(page(await summary({ ext_transaction_id: 'slow-2' })).row_count).toBe(0);
  });

  it('filters by wallet side, type and amount', async () => {
    const range = { start_date: daysAgo(60), end_date: daysAgo(0), page_size: 1000 };
    const out = page(await summary({ ...range, from_wallet_number: MAIN_WALLET }));
    const into = page(await summary({ ...range, to_wallet_number: MAIN_WALLET }));
    const both = page(await summary({ ...range, wallet_number: MAIN_WALLET }));
    expect(out.row_count).toBeGreaterThan(0);
    expect(out.row_count + into.row_count).toBe(both.row_count);
    expect(
      page(await summary({ ...range, transaction_type_code_list: [1004] })).results.every(
        (row) => row.transaction_type_id === 1004,
      ),
    ).toBe(true);
  });
});

describe('TransactionReceipt', () => {
  const receipt = (id: string): Promise<ApiResponse> =>
    box.call('TransactionData/TransactionReceipt', `{"id":${id}}`);
  const paidId = async (extId: string, amount: number): Promise<string> => {
    const response = await box.pay(extId, { amount });
    await box.post('clock', { advance: '5s' });
    return String((response.json.payload as Row).transaction_id);
  };

  it('gives payouts as PDF in base64 and HTML [TransactionReceipt: 100, base64-file, html-text]', async () => {
    const seen = new Map<string, string>();
    for (let i = 0; i < 40 && seen.size < 2; i++) {
      const payload = (await receipt(await paidId(`rc-${i}`, 12400.1))).json.payload as {
        content_type: string;
        data: string;
      };
      seen.set(payload.content_type, payload.data);
    }
    const pdf = Buffer.from(seen.get('application/pdf') ?? '', 'base64').toString('latin1');
    expect(pdf.startsWith('%PDF-1.4')).toBe(true);
    expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
    expect(pdf).toContain('12.400,10 TRY');
    const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
    expect(pdf.slice(start, start + 4)).toBe('xref');
    expect(seen.get('text/html')).toContain('12.400,10 TRY');
  });

  it('keeps all 19 digits: one digit off is another id [TransactionReceipt: 300, exact-id]', async () => {
    const id = await paidId('digits-1', 50);
    expect((await receipt(id)).json.code).toBe('100');
    expect((await receipt((BigInt(id) + 1n).toString())).json.code).toBe('300');
    expect((await box.call('TransactionData/TransactionReceipt', { id: '5' })).status).toBe(400);
    expect((await box.call('TransactionData/TransactionReceipt', {})).json.code).toBe('999');
  });

  it('answers 312 before the ledger record exists [TransactionReceipt: 312]', async () => {
    await box.post('questions', LATE_LEDGER);
    const response = await box.pay('early-1');
    expect((await receipt(String((response.json.payload as Row).transaction_id))).json.code).toBe(
      '312',
    );
  });

  it('is hostile for kuruş .47 [TransactionReceipt: hostile]', async () => {
    const { content_type: type, data } = (await receipt(await paidId('evil-1', 10.47))).json
      .payload as { content_type: string; data: string };
    expect(type).toBe('text/html');
    for (const trap of [
      '<script',
      '<form',
      'http-equiv="refresh"',
      '<img src="https://',
      'svg onload',
    ])
      expect(data).toContain(trap);
  });
});
