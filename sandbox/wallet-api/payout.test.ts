import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAIN_IBAN, Sandbox, freshIban, ibanOf, levelOf, payout } from '../testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const codeOf = async (extId: string, fields: Record<string, unknown> = {}): Promise<unknown> =>
  (await box.pay(extId, fields)).json.code;
const OPERATION = 'Transaction/SendMoneyToBankAccount';

describe('SendMoneyToBankAccount', () => {
  it('accepts with 100 and exact sums [SendMoneyToBankAccount: 100, answer] [service: exact-decimals]', async () => {
    const response = await box.pay('ok-1', { amount: 12400.5 });
    expect(response.json).toMatchObject({ status: 0, code: '100' });
    expect(response.text).toContain('"transaction_amount":12400.50');
    expect(response.text).toContain('"transaction_fee_amount":6.00');
    expect(response.text).toContain('"previous_amount":1250000.00');
    const payload = response.json.payload as Record<string, unknown>;
    expect(payload.ext_transaction_id).toBe('ok-1');
    for (const name of ['transaction_id', 'request_id']) expect(payload[name]).toMatch(/^\d{19}$/);
    expect(Object.keys(payload)).toContain('fast_request_status_code');
  });

  it('names every missing field in one 999 answer [SendMoneyToBankAccount: 999] [service: validation]', async () => {
    const response = await box.call(OPERATION, {});
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ status: 1, code: '999' });
    const errors = response.json.errors as string[];
    expect(errors).toContain("'Receiver Iban' must not be empty.");
    expect(errors).toHaveLength(7);
    expect(response.json.message).toBe(errors.join(' '));
    expect('payload' in response.json).toBe(false);
  });

  it.each([
    'sender_wallet_number',
    'ext_transaction_id',
    'receiver_account_holder_name',
    'receiver_iban',
    'receiver_national_id_or_tax_no',
    'amount',
    'currency_code',
  ])('requires %s', async (name) => {
    const body = payout('req-1');
    delete body[name];
    expect((await box.call(OPERATION, body)).json).toMatchObject({ code: '999' });
  });

  it('refuses a wrong JSON type with the framework’s problem object [service: binding]', async () => {
    for (const fields of [
      { amount: '100' },
      { amount: null },
      { receiver_iban: 5 },
      { description: true },
    ]) {
      const response = await box.pay('type-1', fields);
      expect(response.status).toBe(400);
      expect(response.json).toMatchObject({
        status: 400,
        title: 'One or more validation errors occurred.',
      });
      expect(Object.keys(response.json.errors as object)[0]).toBe(`$.${Object.keys(fields)[0]}`);
      expect(response.json.traceId).toMatch(/^00-/);
    }
  });

  it('refuses bad JSON, big bodies and other types [service: unreadable, too-large, content-type]', async () => {
    expect((await box.call(OPERATION, '{"amount":')).status).toBe(400);
    expect((await box.call(OPERATION, '')).status).toBe(400);
    expect((await box.call(OPERATION, '[1]')).status).toBe(400);
    expect((await box.pay('big-1', { description: 'x'.repeat(66_000) })).status).toBe(413);
    const plain = await box.raw(`/wallet/api/v1/${OPERATION}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${box.token}`, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(plain.status).toBe(415);
  });

  it('ignores unknown fields [service: unknown-fields]', async () => {
    expect(
      await codeOf('unknown-1', {
        sender_account_number: '1',
        whatever: { deep: [1] },
        hash_key: '',
      }),
    ).toBe('100');
  });

  it('answers 315 to too fine amounts, 999 outside the range [SendMoneyToBankAccount: 315, 999]', async () => {
    for (const amount of [0, 0.001, 10.005])
      expect(await codeOf('amount-1', { amount })).toBe('315');
    for (const amount of [-5, 1_000_000_000])
      expect(await codeOf('amount-1', { amount })).toBe('999');
  });

  it('answers 1 to a repeated ext id with any other data [SendMoneyToBankAccount: 1, unique-ext-id]', async () => {
    expect(await codeOf('dup-1')).toBe('100');
    expect(await codeOf('dup-1', { amount: 55, receiver_iban: freshIban() })).toBe('1');
    expect(await box.ledgerOf('dup-1')).toHaveLength(1);
  });

  it('answers 300 for a wrong wallet [SendMoneyToBankAccount: 300] [service: business-error]', async () => {
    for (const fields of [
      { sender_wallet_number: '9999999' },
      { sender_wallet_number: '4488810001' },
      { currency_code: 'USD' },
    ])
      expect(await codeOf('wallet-1', fields)).toBe('300');
  });

  it('refuses an unusable wallet [SendMoneyToBankAccount: 330, 334, 336] [wallet access: transitions]', async () => {
    expect(await codeOf('access-1', { sender_wallet_number: '4410270004' })).toBe('330');
    await box.post('wallets/4410270002', { access_level_status_id: 3 });
    expect(await codeOf('access-1', { sender_wallet_number: '4410270002' })).toBe('334');
    await box.post('wallets/4410270002', { access_level_status_id: 4 });
    expect(await codeOf('access-1', { sender_wallet_number: '4410270002' })).toBe('336');
    await expect(box.post('wallets/4410270002', { access_level_status_id: 1 })).rejects.toThrow(
      '409',
    );
  });

  it('takes valid Turkish IBANs only [SendMoneyToBankAccount: 306, iban]', async () => {
    expect(await codeOf('iban-good', { receiver_iban: 'TR33 0006 1005 1978 6457 8413 26' })).toBe(
      '100',
    );
    for (const iban of [
      'TR330006100519786457841327',
      'DE89370400440532013000',
      'TR12',
      `${PLAIN_IBAN}0`,
    ])
      expect(await codeOf('iban-bad', { receiver_iban: iban })).toBe('306');
  });

  it('answers 326 for the same IBAN within a minute [SendMoneyToBankAccount: 326, same-iban]', async () => {
    expect(await codeOf('same-1', { receiver_iban: PLAIN_IBAN })).toBe('100');
    expect(
      await codeOf('same-2', { receiver_iban: PLAIN_IBAN, sender_wallet_number: '4410270002' }),
    ).toBe('326');
    await box.post('clock', { advance: '61s' });
    expect(await codeOf('same-2', { receiver_iban: PLAIN_IBAN })).toBe('100');
  });

  it('answers 503 for an identity number with bad digits [SendMoneyToBankAccount: 503, identity]', async () => {
    for (const id of ['1234567891', '10000000145', '12'])
      expect(await codeOf('id-1', { receiver_national_id_or_tax_no: id })).toBe('503');
    expect(await codeOf('id-1', { receiver_national_id_or_tax_no: '10000000146' })).toBe('100');
  });

  it('answers 503 in varying words [SendMoneyToBankAccount: 503, not-verified-words]', async () => {
    const messageOf = async (fields: Record<string, unknown>): Promise<unknown> => {
      const { json } = await box.pay('words-1', fields);
      expect(json).toMatchObject({ status: 2, code: '503', payload: null });
      return json.message;
    };
    const messages = [
      await messageOf({ receiver_iban: ibanOf('59503') }),
      await messageOf({
        receiver_iban: ibanOf('59503'),
        receiver_account_holder_name: 'Ayşe Demir',
      }),
      await messageOf({ receiver_national_id_or_tax_no: '1234567891' }),
      await messageOf({ receiver_national_id_or_tax_no: '10000000145' }),
    ];
    expect(new Set(messages).size).toBe(4);
    expect(messages.every((message) => typeof message === 'string' && message !== '')).toBe(true);
  });

  it('answers 311 when amount and fee together exceed what is available [SendMoneyToBankAccount: 311]', async () => {
    expect(await codeOf('low-1', { sender_wallet_number: '4410270002', amount: 482650.5 })).toBe(
      '311',
    );
    expect(await codeOf('low-1', { sender_wallet_number: '4410270002', amount: 482638.5 })).toBe(
      '100',
    );
    expect((await box.wallet('4410270002')).available).toBe('0.00');
  });

  it('answers 310 above the month’s limit [SendMoneyToBankAccount: 310]', async () => {
    expect(await codeOf('limit-1', { sender_wallet_number: '4410270003', amount: 20000 })).toBe(
      '310',
    );
  });

  it('needs a known purpose [SendMoneyToBankAccount: purpose] [GetPaymentTypes: least-description]', async () => {
    const types = await box.raw('/wallet/api/v1/Transaction/GetPaymentTypes', {
      headers: { authorization: `Bearer ${box.token}` },
    });
    expect(
      (types.json.payload as Record<string, unknown>[]).filter(
        (one) => one.extra_description_min_length !== 0,
      ),
    ).toMatchObject([{ code: '07', extra_description_min_length: 20 }]);
    expect(await codeOf('type-1', { payment_type: '99' })).toBe('999');
    expect(await codeOf('type-1', { payment_type: '07', description: 'on dokuz karakter 1' })).toBe(
      '999',
    );
    expect(
      await codeOf('type-1', { payment_type: '07', description: 'yirmi karakter oldu!' }),
    ).toBe('100');
    expect(await codeOf('type-2', { payment_type: undefined })).toBe('100');
    await box.post('questions', { payment_type_required: true });
    expect(await codeOf('type-3', { payment_type: undefined })).toBe('999');
  });

  it.each(['307', '310', '311', '316', '326', '330', '334', '336', '480', '500', '501', '503'])(
    'answers %s for the magic IBAN that ends in 9 and that code [SendMoneyToBankAccount: 307, 316, 500, 501]',
    async (code) => {
      expect(await codeOf(`magic-${code}`, { receiver_iban: ibanOf(`59${code}`) })).toBe(code);
      expect(await codeOf(`magic-${code}`, { receiver_iban: ibanOf(`59${code}`) })).toBe(
        code === '326' ? '100' : code,
      );
    },
  );

  it('leaves IBANs of real banks alone whatever their ending [SendMoneyToBankAccount: real-banks]', async () => {
    expect(await codeOf('real-1', { receiver_iban: ibanOf('59503', '00062') })).toBe('100');
  });

  it('leaves an ordinary IBAN of the imaginary bank alone that happens to end in a code', async () => {
    expect(await codeOf('plain-1', { receiver_iban: 'TR359999900000000000000326' })).toBe('100');
  });

  it('leaves no trace of a refused request [SendMoneyToBankAccount: 480, refused-leaves-nothing]', async () => {
    expect(await codeOf('clean-1', { amount: 100.48 })).toBe('480');
    expect(await box.ledgerOf('clean-1')).toHaveLength(0);
    expect((await box.read('clean-1')).json.code).toBe('300');
    expect(await codeOf('clean-1')).toBe('100');
  });

  it.each([
    ['0', '61', 1],
    ['2', '62', 2],
    ['3', '63', 3],
    ['4', '64', 2],
  ] as const)(
    'answers %s with a record behind it for kuruş .%s [SendMoneyToBankAccount: 0, 2, 3, 4]',
    async (code, kurus, level) => {
      const response = await box.pay(`rec-${code}`, { amount: Number(`10.${kurus}`) });
      expect(response.json).toMatchObject({ status: 2, code, payload: null });
      await box.post('clock', { advance: '5s' });
      expect(levelOf(await box.read(`rec-${code}`))).toBe(level);
    },
  );
});

describe('open questions as switches', () => {
  it('can let a refused request use up its ext id [SendMoneyToBankAccount: question-burn]', async () => {
    await box.post('questions', { rejected_burns_ext_id: true });
    expect(await codeOf('burn-1', { amount: 100.48 })).toBe('480');
    expect(await codeOf('burn-1')).toBe('1');
  });

  it('can tie the duplicate check to the slow ledger [SendMoneyToBankAccount: question-dedupe]', async () => {
    await box.post('questions', {
      dedupe: 'ledger',
      ledger_lag_min_ms: 60_000,
      ledger_lag_max_ms: 60_000,
    });
    expect(await codeOf('twice-1')).toBe('100');
    expect(await codeOf('twice-1')).toBe('100');
    expect(await box.ledgerOf('twice-1')).toHaveLength(2);
    await box.post('clock', { advance: '70s' });
    expect(await codeOf('twice-1')).toBe('1');
  });

  it('can answer a repeat with 301 or state [SendMoneyToBankAccount: 301, question-duplicate-answer]', async () => {
    await box.post('questions', { duplicate_answer: 'code_301' });
    await codeOf('state-301');
    expect(await codeOf('state-301')).toBe('301');
    await box.post('questions', { duplicate_answer: 'record_state' });
    await box.post('bank/mode', { mode: 'manual' });
    for (const [outcome, code] of [
      ['complete', '1'],
      ['reject', '2'],
      ['fail', '3'],
      ['cancel', '4'],
    ] as const) {
      expect(await codeOf(`state-${code}`)).toBe('100');
      expect(await codeOf(`state-${code}`)).toBe('0');
      await box.post(`bank/state-${code}`, { outcome });
      expect(await codeOf(`state-${code}`)).toBe(code);
    }
  });

  it('can free an ext id after some days [SendMoneyToBankAccount: question-reserved]', async () => {
    await box.post('questions', { ext_id_reserved_days: 2 });
    expect(await codeOf('free-1')).toBe('100');
    await box.post('clock', { advance: '1d' });
    await box.login();
    expect(await codeOf('free-1')).toBe('1');
    await box.post('clock', { advance: '25h' });
    await box.login();
    expect(await codeOf('free-1')).toBe('100');
    await box.post('reset');
    await box.login();
  });

  it('refuses ext ids outside the switched form [SendMoneyToBankAccount: question-ext-id-form]', async () => {
    await box.post('questions', { ext_id_max_length: 10, ext_id_alphabet: 'letters_digits_dash' });
    expect(await codeOf('12345678901')).toBe('999');
    expect(await codeOf('a_b')).toBe('999');
    expect(await codeOf('a-b')).toBe('100');
  });

  it('refuses a switch that does not exist or a value it may not have', async () => {
    await expect(box.post('questions', { nothing: 1 })).rejects.toThrow('unknown switch');
    await expect(box.post('questions', { dedupe: 'maybe' })).rejects.toThrow('one of');
  });
});
