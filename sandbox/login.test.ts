import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractData } from './coverage.ts';
import { Sandbox } from './testing/sandbox.ts';
import type { ApiResponse } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const PASSWORD = 'demo-Parola-1';
const post = (path: string, body: object): Promise<ApiResponse> =>
  box.raw(`/login/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const signIn = (email = 'ayse@demo.test', password = PASSWORD, lang = 'tr'): Promise<ApiResponse> =>
  post('corporatelogin', { email, password, app_lang: lang });
const lastCode = async (email = 'ayse@demo.test'): Promise<string> =>
  ((await box.get(`messages?to=${email}`)) as { code: string }[])[0]?.code ?? '';
const userId = (response: ApiResponse): number =>
  (response.json.data as { user: { id: number } }).user.id;
const wrong = (code: string): string => (code === '000000' ? '111111' : '000000');

const RECORDS = contractData()
  .filter((one) => one.area === 'login')
  .flatMap((one) => one.operations)
  .filter((one) => one.operation.endsWith(' record'));

describe('merchant login', () => {
  it('sends a code [corporatelogin: 100, sms-code, email, user] [verifysms: 100, OTP, user_id, token]', async () => {
    const first = await signIn();
    expect(first.json.statuscode).toBe(100);
    const second = await post('verifysms', {
      OTP: await lastCode(),
      user_id: userId(first),
      app_lang: 'tr',
    });
    expect(second.json.statuscode).toBe(100);
    const data = second.json.data as { token: string; user: Record<string, unknown> };
    expect(data.token.length).toBeGreaterThan(30);
    expect(Object.keys(data.user).sort()).toEqual([
      'account_status',
      'avatar',
      'email',
      'first_name',
      'id',
      'ip',
      'last_name',
      'merchants',
      'name',
      'tc_number',
      'user_type',
    ]);
    expect(Object.keys(data.user.merchants as object).sort()).toEqual([
      'fail_link',
      'id',
      'merchant_key',
      'site_url',
      'success_link',
      'user_id',
    ]);
  });

  it('answers 46 alike to wrong credentials [corporatelogin: 46, alike, password, no-data-on-failure]', async () => {
    const [one, two] = [await signIn('ayse@demo.test', 'no'), await signIn('nobody@demo.test')];
    expect(one.json).toEqual(two.json);
    expect(one.json).toMatchObject({ statuscode: 46, data: [] });
  });

  it('speaks the language of app_lang [corporatelogin, verifysms: app_lang] [login host: language]', async () => {
    const [tr, en] = [
      await signIn('ayse@demo.test', 'no', 'tr'),
      await signIn('ayse@demo.test', 'no', 'en'),
    ];
    expect(tr.json.description).toContain('kayıtlarımız');
    expect(en.json.description).toContain('do not match');
    await signIn('ayse@demo.test', PASSWORD, 'en');
    expect(((await box.get('messages')) as { text: string }[])[0]?.text).toContain(
      'Your sign-in code',
    );
    const guess = async (lang: string): Promise<unknown> =>
      (await post('verifysms', { OTP: 'x', user_id: 5101, app_lang: lang })).json.description;
    expect([await guess('tr'), await guess('en')]).toEqual([
      expect.stringContaining('kodu'),
      expect.stringContaining('OTP'),
    ]);
  });

  it('admits five demo people and one of another merchant [corporatelogin: other-merchant]', async () => {
    const { card } = (await box.get('credentials')) as { card: { merchant_key: string } };
    const keyOf = async (email: string): Promise<string> =>
      ((await signIn(email)).json.data as { user: { merchants: { merchant_key: string } } }).user
        .merchants.merchant_key;
    for (const name of ['ayse', 'mehmet', 'selin', 'can', 'deniz'])
      expect(await keyOf(`${name}@demo.test`)).toBe(card.merchant_key);
    expect(await keyOf('yabanci@other.test')).not.toBe(card.merchant_key);
  });

  it('takes a code once [verifysms: single-use, no-data-on-failure]', async () => {
    const id = userId(await signIn());
    const code = await lastCode();
    expect((await post('verifysms', { OTP: code, user_id: id })).json.statuscode).toBe(100);
    expect((await post('verifysms', { OTP: code, user_id: id })).json).toMatchObject({
      statuscode: 1,
      data: [],
    });
  });

  it('lets a code run out after three minutes of the virtual clock [verifysms: 1, three-minutes]', async () => {
    const id = userId(await signIn());
    const code = await lastCode();
    await box.post('clock', { advance: '3m' });
    expect((await post('verifysms', { OTP: code, user_id: id })).json).toMatchObject({
      statuscode: 1,
      data: [],
    });
  });

  it('gives up a code after five wrong guesses [verifysms: five-guesses]', async () => {
    const id = userId(await signIn());
    const code = await lastCode();
    for (let i = 0; i < 5; i++)
      expect((await post('verifysms', { OTP: wrong(code), user_id: id })).json.statuscode).toBe(1);
    expect((await post('verifysms', { OTP: code, user_id: id })).json.statuscode).toBe(1);
  });

  it('counts a code in letters of more than one byte as a wrong guess', async () => {
    const id = userId(await signIn());
    for (const OTP of ['çğıöşü', '１２３４５６', 'ĞĞĞĞĞĞ', '٠١٢٣٤٥', '  ş234'])
      expect((await post('verifysms', { OTP, user_id: id })).json).toMatchObject({
        statuscode: 1,
        data: [],
      });
    expect((await post('verifysms', { OTP: await lastCode(), user_id: id })).json.statuscode).toBe(
      1,
    );
  });

  it('does not take one person’s code for another [verifysms: own-code]', async () => {
    await signIn();
    const other = userId(await signIn('selin@demo.test'));
    expect(
      (await post('verifysms', { OTP: await lastCode('ayse@demo.test'), user_id: other })).json
        .statuscode,
    ).toBe(1);
  });

  it('voids the earlier code for a new one, unless switched otherwise [verifysms: earlier-codes]', async () => {
    const id = userId(await signIn());
    const early = await lastCode();
    await signIn();
    if (early !== (await lastCode()))
      expect((await post('verifysms', { OTP: early, user_id: id })).json.statuscode).toBe(1);
    await box.post('questions', { otp_earlier_codes: 'valid' });
    const kept = await lastCode();
    await signIn();
    expect((await post('verifysms', { OTP: kept, user_id: id })).json.statuscode).toBe(100);
  });

  it('refuses a malformed body by 1 [corporatelogin: 1, email, password] [verifysms: 1, OTP, user_id]', async () => {
    for (const body of [{}, { email: 'ayse@demo.test' }, { email: 1, password: PASSWORD }])
      expect((await post('corporatelogin', body)).json).toMatchObject({ statuscode: 1, data: [] });
    const id = userId(await signIn());
    const code = await lastCode();
    for (const body of [
      { OTP: Number(code), user_id: id },
      { OTP: code, user_id: String(id) },
      { OTP: code },
    ])
      expect((await post('verifysms', body)).json).toMatchObject({ statuscode: 1, data: [] });
  });

  it('needs sign-in [dpl/create (currencies): 100, 30, Authorization, currencies, lifetime, separate]', async () => {
    const id = userId(await signIn());
    const { token } = (await post('verifysms', { OTP: await lastCode(), user_id: id })).json
      .data as { token: string };
    const list = await box.raw('/login/api/dpl/create', {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    expect(
      (list.json.data as { currencies: { code: string; iso_code: number }[] }).currencies.map(
        (one) => [one.code, one.iso_code],
      ),
    ).toEqual([
      ['TRY', 949],
      ['USD', 840],
      ['EUR', 978],
    ]);
    expect(
      (await box.raw('/login/api/dpl/create', { headers: { accept: 'application/json' } })).status,
    ).toBe(401);
    expect(
      (
        await box.raw('/login/api/dpl/create', {
          headers: { accept: 'application/json', authorization: `Bearer ${box.token}` },
        })
      ).status,
    ).toBe(401);
    await box.post('clock', { advance: '119m' });
    expect(
      (await box.raw('/login/api/dpl/create', { headers: { authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(200);
    await box.post('clock', { advance: '1m' });
    expect(
      (await box.raw('/login/api/dpl/create', { headers: { authorization: `Bearer ${token}` } }))
        .json,
    ).toMatchObject({ statuscode: 30, data: [] });
    expect(
      (await box.raw('/login/api/dpl/create', { headers: { authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(401);
  });

  it('wants an Accept header for the currencies [dpl/create (currencies): 1, Accept]', async () => {
    const id = userId(await signIn());
    const { token } = (await post('verifysms', { OTP: await lastCode(), user_id: id })).json
      .data as { token: string };
    const response = await box.bare('/login/api/dpl/create', { authorization: `Bearer ${token}` });
    expect(JSON.parse(response.text)).toMatchObject({ statuscode: 1, data: [] });
    expect(
      (
        await box.bare('/login/api/dpl/create', {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
        })
      ).text,
    ).toContain('"statuscode":100');
  });

  it.each(RECORDS)(
    'shows $operation with all fields typed and no other [user record, merchant record, currency record: fields]',
    async ({ operation, fields = {} }) => {
      const first = await signIn();
      const second = await post('verifysms', { OTP: await lastCode(), user_id: userId(first) });
      const { token, user } = second.json.data as { token: string; user: Record<string, unknown> };
      const list = await box.raw('/login/api/dpl/create', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect((first.json.data as { user: unknown }).user).toEqual(user);
      const records =
        {
          'user record': [user],
          'merchant record': [user.merchants as Record<string, unknown>],
          'currency record': (list.json.data as { currencies: Record<string, unknown>[] })
            .currencies,
        }[operation] ?? [];
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) {
        expect(Object.keys(record).sort()).toEqual(Object.keys(fields).sort());
        for (const [field, says] of Object.entries(fields)) {
          const type = { text: 'string', integer: 'number', object: 'object' }[
            /^\w+/.exec(says)?.[0] ?? ''
          ];
          expect([
            field,
            record[field] === null ? says.includes('or null') : typeof record[field] === type,
          ]).toEqual([field, true]);
        }
      }
    },
  );

  it('answers errors in its envelope [login host: envelope, unknown-operation, unreadable, too-large]', async () => {
    const send = (path: string, body: string): Promise<ApiResponse> =>
      box.raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    for (const path of ['/login/api/nothing', '/login', '/login/api/dpl', '/login/api/xyz/sendsms'])
      expect([path, (await send(path, '{}')).status]).toEqual([path, 404]);
    for (const path of ['corporatelogin', 'verifysms']) {
      for (const body of ['{', '[]', '5', ''])
        expect([body, (await send(`/login/api/${path}`, body)).status]).toEqual([body, 400]);
      const large = await send(`/login/api/${path}`, JSON.stringify({ email: 'x'.repeat(66_000) }));
      expect([large.status, Object.keys(large.json).sort(), large.json.data]).toEqual([
        413,
        ['data', 'description', 'statuscode'],
        [],
      ]);
    }
    expect(Object.keys((await send('/login/api/nothing', '{}')).json).sort()).toEqual([
      'data',
      'description',
      'statuscode',
    ]);
    expect((await send('/login/api/corporatelogin', '{')).json).toMatchObject({
      statuscode: 1,
      data: [],
    });
  });

  it('ignores fields it does not know [login host: unknown-fields]', async () => {
    expect(
      (
        await post('corporatelogin', {
          email: 'ayse@demo.test',
          password: PASSWORD,
          whatever: { deep: [1] },
        })
      ).json.statuscode,
    ).toBe(100);
  });

  it('keeps passwords and codes out of the request log [login host: log]', async () => {
    const id = userId(await signIn());
    const code = await lastCode();
    await post('verifysms', { OTP: code, user_id: id });
    await box.raw('/login/api/corporatelogin', {
      method: 'POST',
      body: `{"password":"${PASSWORD}", broken`,
    });
    const log = JSON.stringify(await box.get('requests'));
    expect(log).not.toContain(PASSWORD);
    expect(log).not.toContain(code);
    expect(log).toContain('ayse@demo.test');
  });
});
