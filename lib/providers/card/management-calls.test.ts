import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../outcome.ts';
import { amountsIn, spoiltMore, spoiltOnce, tokensIn, valuesIn } from '../testing/spoil.ts';
import type { ProviderRequest } from '../transport.ts';
import { APP_SECRET, clientOf, response as responseWith, MERCHANT_KEY } from './client-fixture.ts';
import { hashKeyAgrees } from './hash-key.ts';
import type { LinkContent } from './purchase-body.ts';
import { TypedCard } from './typed-card.ts';
import type { OpenCard } from './typed-card.ts';

/**
 * An id as text, because ids and amounts of the real gateway are too long for a JavaScript number.
 */
const LONG_ID = '9007199254740993001';
const POS =
  `{"status_code":100,"status_description":"x","data":[{"pos_id":${LONG_ID},"campaign_id":0,` +
  '"allocation_id":0,"installments_number":1,"card_type":"CREDIT CARD","card_program":"",' +
  '"card_scheme":"visa",' +
  '"is_commercial":0,"payable_amount":12400.10,"amount_to_be_paid":"12400.10","hash_key":"x",' +
  '"currency_code":"TRY","currency_id":1,"title":"Tek Çekim","card_bank":"İş Bankası",' +
  '"bank_code":"0064","merchant_fee":18.6,"maturity_period":[1,3],"payment_frequency":2}]}';
const INSTALLMENTS = '{"status_code":100,"message":"x","installments":[1,2,"3"]}';
const COMMISSIONS =
  '{"status_code":100,"status_description":"x","data":{"1":[{"title":"Tek Çekim",' +
  '"card_program":"","merchant_commission_percentage":"1.5000",' +
  '"merchant_commission_fixed":"0.2500",' +
  '"user_commission_percentage":"-","user_commission_fixed":"-","currency_code":"TRY",' +
  '"installment":1}],"12":[{"title":"12 Taksit","card_program":"WORLD",' +
  '"merchant_commission_percentage":"x","merchant_commission_fixed":"x",' +
  '"user_commission_percentage":"x","user_commission_fixed":"x","currency_code":"TRY",' +
  '"installment":12,"pos_id":7,"card_type":"CREDIT","issuer_name":"Banka"}]}}';
const SAVED =
  '{"status_code":100,"status_description":"x","card_token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKL"}';
const CARDS =
  `{"status_code":100,"status_description":"x","data":[{"id":${LONG_ID},"card_token":"TOKEN1",` +
  '"card_user_key":null,"card_number":"450803******4509","merchant_id":1,' +
  '"customer_number":9007199254740993002,"customer_name":"Işık",' +
  '"customer_email":null,"customer_phone":"","card_issuer_bank":"İş","bank_id":64,"bin":"450803",' +
  '"created_at":"2026-11-21 10:00:00","updated_at":"2026-11-21 10:00:00"}]}';
const CUSTOMER = '9007199254740993002';
/**
 * A row as in the fixtures of the vendor's PHP SDK (`published`), with invented numbers: the
 * merchant's id comes after the customer's number, the card number has four stars, and there is no
 * bin.
 */
const SDK_CARDS =
  '{"status_code":100,"status_description":"x","data":[{"id":311,"card_token":"TOKEN1",' +
  '"card_user_key":null,"card_number":"450803****4509","merchant_id":20417,' +
  '"customer_number":"5310-20417",' +
  '"customer_name":"Işık","customer_email":"isik@shop.test","customer_phone":"5551112233",' +
  '"card_issuer_bank":"İş","bank_id":null,"created_at":"2026-11-21 10:00:00",' +
  '"updated_at":"2026-11-21 10:00:00"}]}';
const PLAN =
  `{"status_code":100,"message":"x","recurring_id":${LONG_ID},"plan_code":"PLAN-1",` +
  '"currency":"TRY","currency_symbol":"₺","first_amount":10,"recurring_amount":12400.10,' +
  '"total_amount":37200.3,"payment_number":3,"payment_interval":2,' +
  '"payment_cycle":"M","first_order_id":"VP1","merchant_id":20417,"card_no":"450803******4509",' +
  '"next_action_date":"2027-01-21 10:00:00","recurring_status":"ACTIVE",' +
  '"transaction_date":"2026-11-21 10:00:00",' +
  '"transactionHistories":[{"id":1,"sale_recurring_id":2,"sale_id":9007199254740993003,' +
  '"merchant_id":20417,"sale_recurring_payment_schedule_id":3,"amount":12400.10,' +
  '"action_date":"2026-11-21 10:00:00","status":"Completed","recurring_number":1,"attempts":1,' +
  '"remarks":""}]}';
const DONE = '{"status_code":100,"message":"x","data":[]}';
const RECORD =
  '{"status_code":100,"status_description":"x","transaction_status":"Completed",' +
  '"transaction_type":"Auth","invoice_id":"INV-1","order_id":"9007199254740993001",' +
  '"product_price":"123.45","transaction_amount":123.45}';
const LINK =
  '{"status":true,"status_code":100,"success_message":"x","link":"https://pay.test/l/1",' +
  '"order_id":"9007199254740993001"}';

const card = (more: Partial<OpenCard> = {}) =>
  new TypedCard({
    holder: 'Işık Öğüt',
    number: '4508034508034509',
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: null,
    ...more,
  });
const TRY = { card: { prefix: '450803' }, amountMinor: 1_240_010n, currency: 'TRY' } as const;
const link = (more: Partial<LinkContent> = {}): LinkContent => ({
  invoiceId: 'INV-1',
  description: 'Sipariş',
  amountMinor: 12_345n,
  currency: 'TRY',
  items: [
    { name: 'Çanta', priceMinor: 6_170n, quantity: 2, description: 'deri' },
    { name: 'Kemer', priceMinor: 5n, quantity: 1, description: '' },
  ],
  buyer: { name: 'Işık', surname: 'Öğüt' },
  returnUrl: 'https://shop.test/ok',
  cancelUrl: 'https://shop.test/no',
  ...more,
});
const NOW = { beforeWrite: () => true };
const response = (body: unknown, status = 200): Exchange => responseWith(status, body);
const coded = (code: unknown, more: object = {}): Exchange =>
  response({ status_code: code, status_description: 'bir açıklama', ...more });
const bodyOf = (body: string | undefined): Record<string, unknown> =>
  JSON.parse(body ?? '{}') as Record<string, unknown>;
const hashSays = (request: ProviderRequest | undefined, parts: string[]): boolean =>
  hashKeyAgrees(APP_SECRET, bodyOf(request?.body)['hash_key'], parts);

describe('questions', () => {
  test('ways to pay keep every digit; the amount stands in the request digit by digit', async () => {
    const { made, asked } = clientOf([response(POS)]);
    expect(await made.getPos({ ...TRY, recurring: true, commissionBy: 'user' })).toMatchObject({
      kind: 'answered',
      value: [
        {
          posId: LONG_ID,
          installments: 1,
          payableMinor: 1_240_010n,
          currency: 'TRY',
          scheme: 'visa',
          program: null,
          commercial: false,
          bank: { id: '0064', name: 'İş Bankası' },
          merchantFeeMinor: 1_860n,
          maturityPeriods: [1, 3],
          paymentFrequencies: [2],
        },
      ],
    });
    expect(asked[0]?.body).toContain(
      '"credit_card":"450803","amount":12400.10,"currency_code":"TRY"',
    );
    expect(bodyOf(asked[0]?.body)).toMatchObject({
      is_recurring: 1,
      is_2d: 0,
      commission_by: 'user',
      is_comission_from_user: 1,
    });
  });

  test('ways to pay in another currency, or with two amounts that differ, are no answer', async () => {
    expect(await clientOf([response(POS)]).made.getPos({ ...TRY, currency: 'USD' })).toEqual({
      kind: 'no_answer',
      why: 'mismatch',
    });
    expect(
      await clientOf([
        response(POS.replace('"payable_amount":12400.10', '"payable_amount":12400.11')),
      ]).made.getPos(TRY),
    ).toEqual({ kind: 'no_answer', why: 'shape' });
    expect(
      await clientOf([
        response(POS.replace('"payable_amount":12400.10', '"payable_amount":12400.1049')),
      ]).made.getPos(TRY),
    ).toMatchObject({ value: [{ payableMinor: 1_240_010n }] });
  });

  test('a card is asked about by its first digits, and nothing else reaches the wire', async () => {
    for (const prefix of ['', '45080', '4508034', '450803450803', '4508 34'])
      await expect(
        clientOf([response(POS)]).made.getPos({ ...TRY, card: { prefix } }),
      ).rejects.toThrow(RangeError);
    for (const amountMinor of [0n, -1n])
      await expect(clientOf([response(POS)]).made.getPos({ ...TRY, amountMinor })).rejects.toThrow(
        RangeError,
      );
  });

  test('installments and commissions are lists; markers are told from numbers', async () => {
    expect(await clientOf([response(INSTALLMENTS)]).made.listInstallments()).toEqual({
      kind: 'answered',
      value: [1, 2, 3],
    });
    const commissions = await clientOf([response(COMMISSIONS)]).made.listCommissions({
      currency: 'TRY',
    });
    expect(commissions).toMatchObject({
      kind: 'answered',
      value: [
        {
          installments: 1,
          enabled: true,
          merchantPercent: '1.5000',
          merchantFixed: '0.2500',
          userPercent: null,
        },
        { installments: 12, enabled: false, merchantPercent: null, program: 'WORLD', posId: '7' },
      ],
    });
    expect(await clientOf([coded(62)]).made.listInstallments()).toEqual({
      kind: 'answered',
      value: [],
    });
    for (const code of [0, 39])
      expect(await clientOf([coded(code)]).made.listCommissions({ currency: 'TRY' })).toEqual({
        kind: 'answered',
        value: [],
      });
    expect(await clientOf([coded(62)]).made.listCommissions({ currency: 'TRY' })).toMatchObject({
      kind: 'no_answer',
    });
  });

  test('saved cards belong to the customer asked for, and show no card number even if the gateway does', async () => {
    const { made, asked } = clientOf([response(CARDS)]);
    expect(await made.listSavedCards(CUSTOMER)).toMatchObject({
      kind: 'answered',
      value: [
        {
          id: LONG_ID,
          token: 'TOKEN1',
          masked: '450803******4509',
          bin: '450803',
          customerNumber: CUSTOMER,
          customerPhone: null,
        },
      ],
    });
    const query = new URLSearchParams({
      merchant_key: MERCHANT_KEY,
      customer_number: CUSTOMER,
      app_lang: 'tr',
    });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: `http://card.test/base/ccpayment/api/getCardTokens?${query.toString()}`,
    });
    expect(await made.listSavedCards('9007199254740993')).toEqual({
      kind: 'no_answer',
      why: 'mismatch',
    });
    expect(
      await clientOf([
        response(CARDS.replace('450803******4509', '450803450**4509')),
      ]).made.listSavedCards(CUSTOMER),
    ).toMatchObject({ value: [{ masked: null }] });
    const open = CARDS.replaceAll('450803******4509', '4508034508034509').replace(
      '"bin":"450803"',
      '"bin":"4508034508034509"',
    );
    expect(
      JSON.stringify(await clientOf([response(open)]).made.listSavedCards(CUSTOMER)),
    ).not.toContain('4508034508034509');
  });

  test('saved cards are shown when the gateway appends its own merchant to the customer number', async () => {
    const { made, asked } = clientOf([response(SDK_CARDS), coded(100)]);
    expect(await made.listSavedCards('5310')).toMatchObject({
      kind: 'answered',
      value: [
        {
          id: '311',
          token: 'TOKEN1',
          masked: '450803****4509',
          bin: '450803',
          customerNumber: '5310',
        },
      ],
    });
    expect(
      await made.editCard({
        customerNumber: '5310',
        token: 'TOKEN1',
        expiryMonth: '01',
        expiryYear: '2031',
      }),
    ).toEqual({ kind: 'done', value: 'TOKEN1' });
    expect(asked[1]?.body).toContain('"customer_number":5310,');
    const long = SDK_CARDS.replace('5310-20417', `${CUSTOMER}-20417`);
    expect(await clientOf([response(long)]).made.listSavedCards(CUSTOMER)).toMatchObject({
      value: [{ customerNumber: CUSTOMER }],
    });
  });

  test.each([
    ['another customer', '5311-20417'],
    ['another merchant', '5310-20418'],
    ['the merchant in front', '20417-5310'],
    ['a second merchant behind', '5310-20417-20417'],
    ['no merchant behind the dash', '5310-'],
    ['another customer of the same digits', '05310-20417'],
  ])('a saved card of %s is nobody’s here', async (_what, written) => {
    expect(
      await clientOf([response(SDK_CARDS.replace('5310-20417', written))]).made.listSavedCards(
        '5310',
      ),
    ).toEqual({ kind: 'no_answer', why: 'mismatch' });
  });

  test('a row that names no merchant cannot lend its number one', async () => {
    expect(
      await clientOf([
        response(SDK_CARDS.replace('"merchant_id":20417', '"merchant_id":null')),
      ]).made.listSavedCards('5310'),
    ).toEqual({ kind: 'no_answer', why: 'mismatch' });
  });

  test('a plan is the one asked for, with words of ours for its states', async () => {
    const { made, asked } = clientOf([response(PLAN)]);
    expect(await made.readPlan({ planCode: 'PLAN-1' })).toMatchObject({
      kind: 'answered',
      value: {
        recurringId: LONG_ID,
        status: 'active',
        recurringMinor: 1_240_010n,
        totalMinor: 3_720_030n,
        payments: 3,
        interval: 2,
        cycle: 'month',
        card: '450803******4509',
        charges: [
          {
            saleId: '9007199254740993003',
            number: 1,
            amountMinor: 1_240_010n,
            status: 'completed',
          },
        ],
      },
    });
    expect(bodyOf(asked[0]?.body)).not.toHaveProperty('recurring_number');
    expect(await made.readPlan({ planCode: 'PLAN-2', number: 2 })).toEqual({
      kind: 'no_answer',
      why: 'mismatch',
    });
    expect(bodyOf(asked[1]?.body)).toMatchObject({ recurring_number: 2 });
    for (const [word, status] of [
      ['Passive', 'inactive'],
      ['INACTIVE', 'inactive'],
      ['Completed', 'completed'],
      ['Frozen', 'unknown'],
      ['', 'unknown'],
    ]) {
      expect(
        await clientOf([response(PLAN.replace('ACTIVE', word ?? ''))]).made.readPlan({
          planCode: 'PLAN-1',
        }),
      ).toMatchObject({ value: { status } });
    }
    expect(await clientOf([coded(31)]).made.readPlan({ planCode: 'PLAN-1' })).toEqual({
      kind: 'not_found',
    });
  });
});

describe('errands', () => {
  test('a card is saved with the hash of its six parts and is in no answer', async () => {
    const { made, asked } = clientOf([
      response(SAVED.replace('"x"', '"card 4508034508034509 saved"')),
    ]);
    const outcome = await made.saveCard({ number: CUSTOMER, name: 'Işık' }, card());
    expect(outcome).toEqual({
      kind: 'done',
      value: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKL',
    });
    expect(
      hashSays(asked[0], [MERCHANT_KEY, CUSTOMER, 'Işık Öğüt', '4508034508034509', '12', '2030']),
    ).toBe(true);
    expect(asked[0]?.body).toContain(`"customer_number":${CUSTOMER},`);
    expect(bodyOf(asked[0]?.body)).not.toHaveProperty('cvv');
  });

  test('a card does not pass where card numbers may not pass', async () => {
    for (const entry of ['off', '3d'] as const) {
      const { made, asked } = clientOf([response(SAVED)], { entry });
      await expect(made.saveCard({ number: CUSTOMER }, card())).rejects.toThrow(/CARD_ENTRY/);
      await expect(made.getPos({ ...TRY, card: { agriculture: card() } })).rejects.toThrow(
        /CARD_ENTRY/,
      );
      expect(asked).toHaveLength(0);
    }
  });

  test('an agriculture card is asked about by its whole number, which comes back from nowhere', async () => {
    const { made, asked } = clientOf([response(POS.replace('Tek Çekim', '4508034508034509'))]);
    expect(
      JSON.stringify(
        await made.getPos({ ...TRY, card: { agriculture: card() } }),
        (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      ),
    ).not.toContain('4508034508034509');
    expect(bodyOf(asked[0]?.body)).toMatchObject({ credit_card: '4508034508034509' });
  });

  test('editing and deleting name the card by customer and token', async () => {
    const { made, asked } = clientOf([coded(100, { card_token: 'TOKEN2' }), coded(100)]);
    expect(
      await made.editCard({
        customerNumber: CUSTOMER,
        token: 'TOKEN1',
        expiryMonth: '01',
        expiryYear: '2031',
      }),
    ).toEqual({ kind: 'done', value: 'TOKEN2' });
    expect(await made.deleteCard({ customerNumber: CUSTOMER, token: 'TOKEN2' })).toEqual({
      kind: 'done',
      value: null,
    });
    expect([
      hashSays(asked[0], [MERCHANT_KEY, CUSTOMER, 'TOKEN1']),
      hashSays(asked[1], [MERCHANT_KEY, CUSTOMER, 'TOKEN2']),
    ]).toEqual([true, true]);
  });

  test('a plan is changed by what is named only, and by a positive amount', async () => {
    const { made, asked } = clientOf([coded(100)]);
    expect(
      await made.updatePlan('PLAN-1', {
        amountMinor: 1_240_010n,
        payments: 12,
        status: 'inactive',
      }),
    ).toEqual({ kind: 'done', value: null });
    expect(asked[0]?.body).toContain(
      '"recurring_amount":12400.10,"recurring_payment_number":12,"recurring_status":"Passive"',
    );
    await made.updatePlan('PLAN-1', { status: 'active' });
    expect(asked[1]?.body).not.toMatch(/amount|number/);
    for (const change of [
      {},
      { amountMinor: 0n },
      { amountMinor: -1n },
      { amountMinor: 1.5 as unknown as bigint },
      { payments: 1 },
      { payments: 122 },
      { payments: 2.5 },
    ])
      await expect(made.updatePlan('PLAN-1', change)).rejects.toThrow(RangeError);
    expect(asked).toHaveLength(2);
  });

  test('a link asks for what its items come to', async () => {
    const { made, asked } = clientOf([response(LINK)]);
    const recurring = { count: 3, cycle: 'month', interval: 1, hook: 'panel-plan' } as const;
    expect(
      await made.makeLink(
        link({ recurring, saleHook: 'panel-sale', installmentsMax: 3, bill: { city: 'İzmir' } }),
      ),
    ).toEqual({ kind: 'done', value: { address: 'https://pay.test/l/1', orderId: LONG_ID } });
    const body = bodyOf(asked[0]?.body);
    expect(body).toMatchObject({
      currency_code: 'TRY',
      name: 'Işık',
      surname: 'Öğüt',
      max_installment: 3,
      sale_web_hook_key: 'panel-sale',
      order_type: 1,
      recurring_payment_number: 3,
      recurring_payment_cycle: 'M',
      recurring_payment_interval: 1,
      recurring_web_hook_key: 'panel-plan',
    });
    expect(body['invoice']).toBe(
      '{"invoice_id":"INV-1","invoice_description":"Sipariş","total":123.45,"items":[{' +
        '"name":"Çanta","price":61.70,"quantity":2,"description":"deri"},' +
        '{"name":"Kemer","price":0.05,"quantity":1,"description":""}],"bill_city":"İzmir",' +
        '"return_url":"https://shop.test/ok","cancel_url":"https://shop.test/no"}',
    );
    for (const name of ['total', 'items', 'invoice_id', 'installments_number', 'bill_city'])
      expect(body).not.toHaveProperty(name);
    expect(hashSays(asked[0], ['123.45', 'TRY', MERCHANT_KEY, 'INV-1'])).toBe(true);
  });

  test('a link with a discount asks for what is left, exactly', async () => {
    const { made, asked } = clientOf([response(LINK)]);
    await made.makeLink(link({ amountMinor: 12_335n, discountMinor: 10n, coupon: 'YAZ' }));
    expect(bodyOf(asked[0]?.body)['invoice']).toMatch(
      /"total":123\.35,.*"discount":0\.10,"coupon":"YAZ"/,
    );
    expect(hashSays(asked[0], ['123.35', 'TRY', MERCHANT_KEY, 'INV-1'])).toBe(true);
    for (const more of [
      { amountMinor: 12_335n, discountMinor: 11n },
      { amountMinor: 12_355n, discountMinor: -10n },
      { amountMinor: 0n, discountMinor: 12_345n },
    ])
      await expect(made.makeLink(link(more))).rejects.toThrow(RangeError);
    expect(asked).toHaveLength(1);
  });

  test('a link that is free, does not add up, or has an invalid plan is never requested', async () => {
    const recurring = { count: 3, cycle: 'month', interval: 1, hook: 'k' } as const;
    const wrong: Partial<LinkContent>[] = [
      { items: [] },
      { amountMinor: 12_344n },
      { amountMinor: 0n, items: [] },
      ...[{ count: 1 }, { count: 122 }, { interval: 0 }, { interval: 100 }, { hook: '' }].map(
        (more) => ({ recurring: { ...recurring, ...more } }),
      ),
    ];
    for (const more of wrong) {
      const { made, asked } = clientOf([response(LINK)]);
      await expect(made.makeLink(link(more))).rejects.toThrow(RangeError);
      expect(asked).toHaveLength(0);
    }
  });

  test('a link that is there already, or leads nowhere, is said to be so', async () => {
    for (const code of [3, 117])
      expect(await clientOf([coded(code)]).made.makeLink(link())).toEqual({ kind: 'exists' });
    for (const spoil of ['"link":"javascript:alert(1)"', '"link":""', '"link":null', '"x":"y"'])
      expect(
        await clientOf([
          response(LINK.replace('"link":"https://pay.test/l/1"', spoil)),
        ]).made.makeLink(link()),
      ).toEqual({ kind: 'no_answer', why: 'shape' });
    expect(
      await clientOf([response(LINK.replace('"status":true', '"status":false'))]).made.makeLink(
        link(),
      ),
    ).toEqual({ kind: 'no_answer', why: 'shape' });
  });
});

const PAIR = { customerNumber: CUSTOMER, token: 'TOKEN1' };
/** Every card-management call with the codes that refuse it, as the published pages list them. */
const ERRANDS = [
  [
    'saveCard',
    (a: Exchange) => clientOf([a]).made.saveCard({ number: CUSTOMER }, card()),
    '1 14 30 68 85 86 90 91 92 93 94 95 96 97 108',
  ],
  [
    'editCard',
    (a: Exchange) =>
      clientOf([a]).made.editCard({ ...PAIR, expiryMonth: '01', expiryYear: '2031' }),
    '1 14 30 41 68 85 88 89 90 91 92 97',
  ],
  [
    'deleteCard',
    (a: Exchange) => clientOf([a]).made.deleteCard(PAIR),
    '1 14 30 41 68 85 88 90 91 92 97',
  ],
  [
    'updatePlan',
    (a: Exchange) => clientOf([a]).made.updatePlan('PLAN-1', { payments: 2 }),
    '1 14 30 68 71 72 73 85 90',
  ],
  [
    'makeLink',
    (a: Exchange) => clientOf([a]).made.makeLink(link()),
    '1 12 13 14 30 33 34 35 36 55 56 68 85 90',
  ],
] as const;

describe.each(ERRANDS)('%s', (name, ask, refusals) => {
  const refused = refusals.split(' ');

  test('is refused by its own codes only; no other code from 0 to 1200 is a refusal or a success', async () => {
    for (let code = 0; code <= 1_200; code++) {
      const outcome = await ask(coded(code));
      if (refused.includes(String(code)))
        expect(outcome).toEqual({ kind: 'refused', code: String(code) });
      else if (code === 100) expect(['done', 'no_answer']).toContain(outcome.kind);
      else expect(['no_answer', 'not_found', 'exists']).toContain(outcome.kind);
    }
  });

  test('knows nothing after silence, and asks once', async () => {
    for (const silence of [
      { kind: 'unclear', why: 'timeout' } as const,
      { kind: 'not_sent', why: 'dns' } as const,
      coded(100, {}),
      response('<html>'),
      response('[]'),
      response('', 500),
      response(SAVED, 503),
      coded(108, {}),
      response('{"message":"x"}', 422),
    ]) {
      if (silence.kind === 'response' && silence.status === 200 && silence.body.includes('100'))
        continue;
      if (silence.kind === 'response' && silence.body.includes('108') && name === 'saveCard')
        continue;
      expect((await ask(silence)).kind).toBe('no_answer');
    }
  });

  test("is refused by a validation in the framework's form", async () => {
    expect(
      await ask(
        response({ message: 'The given data was invalid.', errors: { field: ['required'] } }, 422),
      ),
    ).toEqual({ kind: 'refused', code: '422' });
  });
});

test('a card of nobody is not found: 87 for editing and deleting, no refusal for saving', async () => {
  for (const [name, ask] of ERRANDS)
    expect([name, (await ask(coded(87))).kind]).toEqual([
      name,
      name === 'editCard' || name === 'deleteCard' ? 'not_found' : 'no_answer',
    ]);
});

describe('a charge of a plan', () => {
  const process = (answer: Exchange) =>
    clientOf([answer]).made.processPlan({ merchantId: '20417', planCode: 'PLAN-1' }, NOW);

  test('is one request, whatever comes back', async () => {
    for (const first of [
      coded(100),
      coded(72),
      response('', 401),
      response('', 500),
      response('', 307),
      { kind: 'unclear', why: 'reset' } as const,
      { kind: 'not_sent', why: 'refused' } as const,
    ]) {
      const { made, asked } = clientOf([first, coded(100)]);
      await made.processPlan({ merchantId: LONG_ID, planCode: 'PLAN-1' }, NOW);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.body).toBe(
        `{"merchant_id":${LONG_ID},"plan_code":"PLAN-1","app_lang":"tr"}`,
      );
    }
    const { made, asked } = clientOf([coded(100)]);
    expect(
      await made.processPlan({ merchantId: '1', planCode: 'PLAN-1' }, { beforeWrite: () => false }),
    ).toMatchObject({ kind: 'not_sent', why: 'held_back' });
    expect(asked).toHaveLength(0);
  });

  test('is approved by 100, refused by its own codes, and by no other code from 0 to 1200', async () => {
    const refused = ['1', '14', '30', '31', '68', '72', '85', '90'];
    for (let code = 0; code <= 1_200; code++) {
      const outcome = await process(coded(code));
      expect(outcome.kind).toBe(
        code === 100 ? 'approved' : refused.includes(String(code)) ? 'refused' : 'unclear',
      );
    }
  });

  test('is unclear under any HTTP status but 200', async () => {
    for (let status = 100; status < 600; status += 1)
      if (status !== 200)
        expect(['unclear', 'unauthorized']).toContain(
          (await process(response('{"status_code":100,"message":"x"}', status))).kind,
        );
  });
});

describe('spoilt answers', () => {
  const ask = (body: string, status = 200) => {
    const { made } = clientOf([response(body, status)]);
    return {
      pos: () => made.getPos(TRY),
      installments: () => made.listInstallments(),
      commissions: () => made.listCommissions({ currency: 'TRY' }),
      cards: () => made.listSavedCards(CUSTOMER),
      plan: () => made.readPlan({ planCode: 'PLAN-1' }),
      remove: () => made.deleteCard(PAIR),
      update: () => made.updatePlan('PLAN-1', { payments: 2 }),
      process: () => made.processPlan({ merchantId: '1', planCode: 'PLAN-1' }, NOW),
      record: () => made.readLink({ invoiceId: 'INV-1', amountMinor: 12_345n }),
      save: () => made.saveCard({ number: CUSTOMER }, card()),
      edit: () => made.editCard({ ...PAIR, expiryMonth: '01', expiryYear: '2031' }),
      link: () => made.makeLink(link()),
    };
  };
  type Name = keyof ReturnType<typeof ask>;
  const SAMPLES: [Name, string][] = [
    ['pos', POS],
    ['installments', INSTALLMENTS],
    ['commissions', COMMISSIONS],
    ['cards', CARDS],
    ['plan', PLAN],
    ['save', SAVED],
    ['edit', SAVED],
    ['link', LINK],
    ['remove', DONE],
    ['update', DONE],
    ['process', DONE],
    ['record', RECORD],
  ];

  /**
   * Checks that every id or amount in the result occurs literally in the body, and that a result
   * comes only with a code that allows it.
   */
  const keepsItsWord = async (name: Name, body: string): Promise<void> => {
    const answer = await ask(body)[name]();
    const code = (): string => String((JSON.parse(body) as { status_code: unknown }).status_code);
    if (answer.kind === 'approved') expect(code()).toBe('100');
    if (answer.kind === 'refused') expect(MEANT_AS_REFUSALS).toContain(code());
    if (answer.kind === 'found')
      expect([answer.state, code(), answer.invoiceId, answer.amountMinor]).toEqual([
        expect.stringMatching(/^(?:completed|captured)$/),
        '100',
        'INV-1',
        12_345n,
      ]);
    if (answer.kind !== 'answered' && answer.kind !== 'done') return;
    // 39 and 62 are the codes of an empty list.
    expect(['100', '0', '39', '62']).toContain(code());
    const [amounts, tokens] = [amountsIn(body), tokensIn(body)];
    for (const [key, value] of valuesIn(answer.value)) {
      if (typeof value === 'bigint') expect(amounts).toContain(value < 0n ? -value : value);
      if (typeof value === 'string' && /(?:id|token|number|code|address)$/i.test(key))
        expect(tokens).toContain(value);
    }
  };
  const MEANT_AS_REFUSALS =
    '1 12 13 14 30 31 33 34 35 36 41 55 56 68 71 72 73 85 86 88 89 90 91 92 93 94 95 96 97 108'.split(
      ' ',
    );

  test.each(SAMPLES)(
    '%s: with anything in it dropped, changed or of another type',
    async (name, sample) => {
      for (const body of spoiltOnce(sample)) await keepsItsWord(name, body);
    },
    60_000,
  );

  test.each(SAMPLES)(
    '%s: in several places, with scarred bytes, or of any shape at all',
    async (name, sample) => {
      await fc.assert(
        fc.asyncProperty(spoiltMore(sample), (body) => keepsItsWord(name, body)),
        { numRuns: 150 },
      );
      await fc.assert(
        fc.asyncProperty(
          fc.jsonValue(),
          fc.integer({ min: 100, max: 599 }),
          async (value, status) => {
            expect(['no_answer', 'not_found', 'unclear', 'unauthorized']).toContain(
              (await ask(JSON.stringify(value), status)[name]()).kind,
            );
          },
        ),
      );
    },
  );
});
