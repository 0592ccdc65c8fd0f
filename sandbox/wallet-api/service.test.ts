import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractData } from '../coverage.ts';
import { MAGIC } from '../magic.ts';
import { SWITCHES } from '../questions.ts';
import { RECEIVERS } from '../seed/receivers.ts';
import { MAIN_WALLET, Sandbox, freshIban, ibanOf, levelOf } from '../testing/sandbox.ts';
import type { ApiResponse } from '../testing/sandbox.ts';

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
type Page = { results: Row[]; row_count: number; page_index: number };
const PAGE = { order_column: 'CreatedDateUtc', order_by: 'desc', page_size: 1000, page_index: 0 };
const codeOf = async (extId: string, fields: Row = {}): Promise<unknown> =>
  (await box.pay(extId, fields)).json.code;
const list = async (operation: string, fields: Row = {}): Promise<Page> =>
  (await box.call(operation, { ...PAGE, ...fields })).json.payload as Page;
const summary = (fields: Row): Promise<ApiResponse> =>
  box.call('TransactionData/SummaryRecordByFilter', { ...PAGE, ...fields });
const jump = (by: string): Promise<Row> => box.post('clock', { advance: by });
/** Moves the clock by days and signs in again, because the token has expired by then. */
const days = async (by: string): Promise<void> => {
  await jump(by);
  await box.login();
};
const raw = (
  path: string,
  headers: Record<string, string> = {},
  body = '{}',
): Promise<ApiResponse> =>
  box.raw(path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${box.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
const ACCOUNT = '/wallet/api/v1/Account/GetBusinessAccount';

describe('the wallet service', () => {
  it('answers success and errors in one envelope [service: envelope, business-error, validation]', async () => {
    const [good, refused, invalid] = await Promise.all(
      [{ wallet_number: MAIN_WALLET }, { wallet_number: '1' }, {}].map((body) =>
        box.call('Wallet/Info', body),
      ),
    );
    expect([
      good?.status,
      good?.json.status,
      good?.json.code,
      Object.keys(good?.json ?? {}).sort(),
    ]).toEqual([200, 0, '100', ['code', 'message', 'payload', 'status']]);
    expect([
      refused?.status,
      refused?.json.status,
      refused?.json.code,
      refused?.json.payload,
    ]).toEqual([200, 2, '300', null]);
    expect([
      invalid?.status,
      invalid?.json.status,
      invalid?.json.code,
      Object.keys(invalid?.json ?? {}).sort(),
    ]).toEqual([400, 1, '999', ['code', 'errors', 'message', 'status']]);
  });

  it('has code 500 or none for an unexpected error [service: unexpected]', async () => {
    const strange = (extId: string): Promise<ApiResponse> =>
      box.pay(extId, { receiver_iban: ibanOf('59500') });
    expect((await strange('odd-1')).json).toMatchObject({ status: 2, code: '500', payload: null });
    await box.post('questions', { unexpected_code: 'null' });
    expect((await strange('odd-2')).json).toMatchObject({ status: 2, code: null, payload: null });
  });

  it('knows no path but its own, under every one of its addresses [service: unknown-operation]', async () => {
    for (const path of [
      '/wallet/api/v1/Account/Nothing',
      '/wallet/api/v2/Account/GetBusinessAccount',
      '/wallet/auth/token',
      '/wallet/',
      '/wallet',
    ]) {
      const response = await raw(path);
      expect([path, response.status, response.text]).toEqual([path, 404, '']);
    }
  });

  it('reads no body but a JSON object [service: unreadable]', async () => {
    for (const body of ['{', 'null', '[]', '"x"', '5', '{"wallet_number":"1"'])
      expect([body, (await raw('/wallet/api/v1/Wallet/Info', {}, body)).status]).toEqual([
        body,
        400,
      ]);
    expect((await raw('/wallet/api/v1/Wallet/Info', {}, '')).status).toBe(400);
  });

  it('ignores fields it does not know, however odd [service: unknown-fields]', async () => {
    const response = await raw(
      '/wallet/api/v1/Wallet/Info',
      {},
      `{"wallet_number":"${MAIN_WALLET}","__proto__":{"wallet_number":"1"},"constructor":5,` +
        '"sender_account_number":"x"}',
    );
    expect((response.json.payload as { wallet_info: Row }).wallet_info.number).toBe(MAIN_WALLET);
  });

  it('takes the end user’s address and a client id if set [service: end-user-ip, x-client-id, log]', async () => {
    expect((await raw(ACCOUNT, { 'x-tenant-end-user-ip': '10.1.2.3' })).status).toBe(200);
    const log = (await box.get('requests?operation=GetBusinessAccount')) as { headers: Row }[];
    expect(log[0]?.headers).toMatchObject({
      'x-tenant-end-user-ip': '10.1.2.3',
      authorization: '[redacted]',
    });
    await box.post('questions', { x_client_id: 'required' });
    expect((await raw(ACCOUNT)).status).toBe(401);
    const { wallet } = (await box.get('credentials')) as { wallet: { client_id: string } };
    expect((await raw(ACCOUNT, { 'x-client-id': wallet.client_id })).status).toBe(200);
  });

  it('keeps no secret in its log [service: log]', async () => {
    const { wallet } = (await box.get('credentials')) as { wallet: { client_secret: string } };
    await box.login();
    const log = JSON.stringify(await box.get('requests'));
    expect(log).toContain('connect/token');
    for (const secret of [wallet.client_secret, box.token]) expect(log).not.toContain(secret);
  });

  it('keeps no token without a scheme in a header, body or query [service: log]', async () => {
    const token = 'bare-token-7f3a9c';
    const json = { 'content-type': 'application/json' };
    const headers = {
      ...json,
      authorization: token,
      'x-access-token': token,
      'x-api-token': token,
      cookie: `session_token=${token}`,
      'proxy-authorization': token,
    };
    const body = JSON.stringify({
      wallet_number: 'x',
      authorization: token,
      accessToken: token,
      'x-auth-token': token,
      token_list: [token, 'x'],
      client_secret: token,
    });
    for (const path of [
      '/wallet/api/v1/Wallet/Info',
      '/card/ccpayment/api/checkstatus',
      '/login/api/corporatelogin',
    ]) {
      await box.raw(path, { method: 'POST', headers, body });
      await box.raw(`${path}?access_token=${token}&x=1`, { headers });
      await box.raw(path, {
        method: 'POST',
        body: new URLSearchParams({ access_token: token, authorization: token }),
      });
    }
    const log = JSON.stringify(await box.get('requests'));
    expect(log).toContain('checkstatus');
    expect(log).not.toContain(token);
    expect(log).toContain('"authorization":"[redacted]"');
  });

  it('lets nothing be magic when told so [service: magic-off]', async () => {
    await box.post('questions', { magic_values: false });
    expect(await codeOf('plain-1', { amount: 10.48 })).toBe('100');
    expect(await codeOf('plain-2', { receiver_iban: ibanOf('59503') })).toBe('100');
    await jump('10s');
    expect(levelOf(await box.read('plain-1'))).toBe(1);
  });

  it('documents every code, magic value, receiver and switch [service: documented]', async () => {
    const { text } = await box.raw('/');
    const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? '') as {
      magic: Row[];
      states: { code: string }[];
    };
    const message = new Set([
      '100',
      ...data.states.flatMap((one) => one.code.split(', ')),
      ...data.magic.flatMap((one) => String(one.en).match(/\b\d{1,3}\b/g) ?? []),
    ]);
    const codes = contractData()
      .filter((one) => one.area === 'wallet')
      .flatMap((one) => one.operations)
      .flatMap((one) => Object.keys(one.codes ?? {}))
      .filter((code) => /^\d+$/.test(code));
    expect(codes.filter((code) => !message.has(code))).toEqual([]);
    for (const row of MAGIC) expect(text).toContain(`"value":"${row.value}"`);
    for (const one of RECEIVERS) expect(text).toContain(`"account":"${one.number}"`);
    expect(text).toContain('id="switches"');
    expect(Object.keys((await box.get('questions')) as object)).toEqual(Object.keys(SWITCHES));
    for (const entry of Object.values((await box.get('questions')) as Record<string, Row>))
      expect(String(entry.meaning).length).toBeGreaterThan(15);
  });
});

describe('the token', () => {
  const ask = async (
    headers: Record<string, string>,
    body: (wallet: Record<string, string>) => string,
    method = 'POST',
  ): Promise<ApiResponse> => {
    const { wallet } = (await box.get('credentials')) as { wallet: Record<string, string> };
    return box.raw('/wallet/auth/connect/token', {
      method,
      headers,
      ...(method === 'POST' ? { body: body(wallet) } : {}),
    });
  };
  const form = (wallet: Record<string, string>): string =>
    new URLSearchParams({ grant_type: 'client_credentials', ...wallet }).toString();

  it('is given for a form by POST only, and never for JSON [connect/token: form-body, method, no-grant]', async () => {
    const good = await ask({ 'content-type': 'application/x-www-form-urlencoded' }, form);
    expect([good.status, good.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const wrong = await ask({ 'content-type': 'application/json' }, (wallet) =>
      JSON.stringify({ grant_type: 'client_credentials', ...wallet }),
    );
    expect([wrong.status, wrong.json]).toEqual([400, { error: 'invalid_request' }]);
    expect((await ask({}, form, 'GET')).status).toBe(405);
  });

  it('may leave the scope out, and lives as long as the switch says [connect/token: scope, lifetime]', async () => {
    await box.post('questions', { token_lifetime_seconds: 90 });
    const response = await ask({ 'content-type': 'application/x-www-form-urlencoded' }, (wallet) =>
      form(Object.fromEntries(Object.entries(wallet).filter(([name]) => name !== 'scope'))),
    );
    expect(response.json).toMatchObject({ expires_in: 90, scope: 'sts_business_api' });
    box.token = String(response.json.access_token);
    await jump('80s');
    expect((await raw(ACCOUNT)).status).toBe(200);
    await jump('11s');
    expect((await raw(ACCOUNT)).status).toBe(401);
    await box.post('reset');
    await box.login();
  });
});

describe('the lists', () => {
  it('begin with page 0 or 1 and may omit the success code [Wallet/ListByFilter: page-base, list-code]', async () => {
    await box.post('questions', { page_index_base: 1, list_code: 'null' });
    const response = await box.call('Wallet/ListByFilter', {
      ...PAGE,
      page_index: 1,
      page_size: 2,
    });
    expect(response.json).toMatchObject({
      status: 0,
      code: null,
      message: null,
      payload: { page_index: 1, last_row_index: 2 },
    });
    expect((await box.call('Wallet/ListByFilter', { ...PAGE, page_index: 0 })).json.code).toBe(
      '999',
    );
  });

  it('show only what the account sent or received [SummaryRecordByFilter, Wallet/ListByFilter: own]', async () => {
    const { results } = await list('TransactionData/SummaryRecordByFilter', {
      start_date: '2020-01-01',
      end_date: new Date(Date.now() + 86_400_000).toISOString(),
    });
    expect(results.length).toBeGreaterThan(200);
    expect(
      results.every(
        (row) => row.from_account_number === '4410027815' || row.to_account_number === '4410027815',
      ),
    ).toBe(true);
    expect((await list('Wallet/ListByFilter')).results.map((row) => row.account_number)).toEqual(
      Array.from({ length: 6 }, () => '4410027815'),
    );
  });

  it('give at most 1000 rows a page [GetRequestWithdrawListByFilter: paging]', async () => {
    expect(
      await list('TransactionData/GetRequestWithdrawListByFilter', { page_size: 5000 }),
    ).toMatchObject({ page_size: 1000 });
  });

  it('list a payout of kuruş .58 after 20 minutes only [SummaryRecordByFilter: 312, ledger-lag]', async () => {
    expect(await codeOf('late-1', { amount: 10.58 })).toBe('100');
    await jump('19m');
    expect(levelOf(await box.read('late-1'))).toBe(1);
    expect((await summary({ ext_transaction_id: 'late-1' })).json.code).toBe('312');
    await jump('2m');
    expect((await summary({ ext_transaction_id: 'late-1' })).json.payload).toMatchObject({
      row_count: 1,
    });
  });

  it('can link a return to its payout by the ext id or not [SummaryRecordByFilter: return-link]', async () => {
    const creditOf = async (how: string): Promise<Row | undefined> => {
      await box.post('questions', { return_linked_by: how });
      await box.pay(`link-${how}`, { amount: 20.44 });
      await jump('10s');
      return (
        await list('TransactionData/SummaryRecordByFilter', { to_wallet_number: MAIN_WALLET })
      ).results.find(
        (row) =>
          String(row.tx_description).includes('Banka iadesi') && row.tx_base_amount === 20.44,
      );
    };
    expect(await creditOf('nothing')).toMatchObject({ ext_transaction_id: null });
    await box.post('reset');
    const credit = await creditOf('ext_id');
    expect(credit).toMatchObject({ ext_transaction_id: 'link-ext_id' });
    expect(credit?.tx_ref_correlation_id).toBe(credit?.id);
  });
});

describe('what a payout costs and may cost', () => {
  it.each([
    [100_000, 'TRY', MAIN_WALLET, 6],
    [100_000.01, 'TRY', MAIN_WALLET, 12],
    [10, 'USD', '4410270005', 1.5],
    [10, 'EUR', '4410270006', 1.5],
  ] as const)(
    '%d %s costs its fee [SendMoneyToBankAccount: fee]',
    async (amount, currency, wallet, fee) => {
      const response = await box.pay('fee-1', {
        amount,
        currency_code: currency,
        sender_wallet_number: wallet,
      });
      expect(response.json.payload).toMatchObject({
        transaction_fee_amount: fee,
        transaction_amount: amount,
      });
    },
  );

  it('obeys its limit [SendMoneyToBankAccount: 310, limits] [wallet access: daily, monthly, remaining]', async () => {
    // 23:58 in Turkey, the middle of a month: the day ends in two minutes, the month does not.
    await box.post('clock', {
      now: `${new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 8)}15T20:58:00Z`,
    });
    await box.login();
    await box.post(`wallets/${MAIN_WALLET}`, {
      withdrawal_limit: '1000.00',
      daily_limit: '300.00',
    });
    expect(await codeOf('lim-1', { amount: 300 })).toBe('100');
    expect(await codeOf('lim-2', { amount: 1 })).toBe('310');
    expect((await box.call('Wallet/Info', { wallet_number: MAIN_WALLET })).text).toContain(
      '"withdrawal_limit":700.00',
    );
    await jump('3m');
    expect(await codeOf('lim-3', { amount: 300 })).toBe('100');
    await box.post(`wallets/${MAIN_WALLET}`, { daily_limit: '0.00' });
    expect(await codeOf('lim-4', { amount: 400.01 })).toBe('310');
    expect(await codeOf('lim-5', { amount: 400 })).toBe('100');
    await days('31d');
    expect(await codeOf('lim-6', { amount: 1000 })).toBe('100');
  });

  it('does not count against the limits what the bank refused [wallet access: remaining]', async () => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.post(`wallets/${MAIN_WALLET}`, { daily_limit: '300.00' });
    expect(await codeOf('back-1', { amount: 300 })).toBe('100');
    await box.post('bank/back-1', { outcome: 'reject' });
    expect(await codeOf('back-2', { amount: 300 })).toBe('100');
  });
});

describe('access', () => {
  const set = async (path: string, level: number): Promise<number> =>
    (
      await box.raw(`/sandbox/${path}`, {
        method: 'POST',
        body: JSON.stringify({ access_level_status_id: level }),
      })
    ).status;

  it('has four levels with a word each [wallet access: levels]', async () => {
    const wordOf = async (): Promise<unknown> =>
      (
        (await box.call('Wallet/Info', { wallet_number: MAIN_WALLET })).json.payload as {
          wallet_info: Row;
        }
      ).wallet_info.access_level_status;
    expect(await wordOf()).toBe('Aktif');
    for (const [level, word] of [
      [2, 'Bloke'],
      [1, 'Aktif'],
      [3, 'Yasaklı'],
      [4, 'Kapalı'],
    ] as const) {
      expect(await set(`wallets/${MAIN_WALLET}`, level)).toBe(200);
      expect(await wordOf()).toBe(word);
    }
  });

  it.each([
    [1, 2, 200],
    [1, 3, 200],
    [1, 4, 200],
    [2, 1, 200],
    [2, 4, 200],
    [2, 3, 409],
    [3, 1, 200],
    [3, 4, 200],
    [3, 2, 409],
    [4, 1, 409],
    [4, 2, 409],
    [4, 3, 409],
  ])('goes from %d to %d: %d [wallet access: transitions]', async (from, to, status) => {
    await set(`wallets/${MAIN_WALLET}`, from);
    expect(await set(`wallets/${MAIN_WALLET}`, to)).toBe(status);
  });

  it('of the account is wallet-wide [wallet access: account] [SendMoneyToBankAccount: 330, 334, 336]', async () => {
    for (const [level, code] of [
      [2, '330'],
      [1, '100'],
      [3, '334'],
      [4, '336'],
    ] as const) {
      expect(await set('accounts/4410027815', level)).toBe(200);
      expect(
        await codeOf(`acc-${level}`, {
          receiver_iban: freshIban(),
          sender_wallet_number: '4410270002',
        }),
      ).toBe(code);
    }
  });
});

describe('the bank', () => {
  it.each([
    ['reject', 'rejected'],
    ['fail', 'failed'],
    ['cancel', 'cancelled'],
    ['return', 'returned'],
  ] as const)('lets nothing follow on %s [bank: final, by-hand]', async (outcome, state) => {
    await box.post('bank/mode', { mode: 'manual' });
    await box.pay('end-1');
    if (outcome === 'return') await box.post('bank/end-1', { outcome: 'complete' });
    expect((await box.post('bank/end-1', { outcome })).state).toBe(state);
    for (const next of ['complete', 'reject', 'fail', 'manual', 'approve', 'return', 'cancel'])
      await expect(box.post('bank/end-1', { outcome: next })).rejects.toThrow('409');
    expect((await box.wallet()).agrees).toBe(true);
  });

  it('may take a minute [bank: slow]', async () => {
    await box.pay('slow-1', { amount: 10.52 });
    await jump('30s');
    expect(levelOf(await box.read('slow-1'))).toBe(0);
    await jump('31s');
    expect(levelOf(await box.read('slow-1'))).toBe(1);
  });

  it('may return the money days after completing, out of sight of a list without dates [bank: late-return] [payout notification: returned] [SummaryRecordByFilter: return-credit]', async () => {
    await box.pay('late-1', { amount: 1000.57 });
    await days('1h');
    await box.until(() => box.notices.length === 1);
    expect([levelOf(await box.read('late-1')), box.notices[0]?.json.after_process_status]).toEqual([
      1, 1,
    ]);
    await days('4d');
    await box.until(() => box.notices.length === 2);
    expect(box.notices[1]?.json).toMatchObject({
      ext_transaction_id: 'late-1',
      after_process_status: 5,
    });
    expect(await box.ledgerOf('late-1')).toEqual([expect.objectContaining({ state: 'returned' })]);
    expect((await box.wallet()).available).toBe('1249994.00');
    expect((await summary({ ext_transaction_id: 'late-1' })).json.payload).toMatchObject({
      row_count: 0,
    });
    await box.pay('late-2', { amount: 50 });
    await days('30d');
    expect((await box.post('bank/late-2', { outcome: 'return' })).state).toBe('returned');
  });

  it('has its notices tried as often as the switch says [payout notification: retries]', async () => {
    await box.post('questions', { notice_tries: 1 });
    box.receiverAnswers = [500];
    await box.pay('once-1');
    await jump('5s');
    await box.until(async () =>
      ((await box.get('webhooks')) as { deliveries: Row[] }).deliveries.some(
        (one) => one.state === 'failed',
      ),
    );
    expect(box.notices).toHaveLength(1);
  });
});
