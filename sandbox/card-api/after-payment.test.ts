import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAIN_IBAN, Sandbox } from '../testing/sandbox.ts';
import { Shop, codeOf } from '../testing/shop.ts';

let box: Sandbox;
let shop: Shop;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(async () => {
  await box.post('reset');
  shop = await new Shop(box).open();
});

const hold = (total: unknown = 100): Promise<string> =>
  shop.paid({ total, transaction_type: 'PreAuth' });
const kinds = async (invoice: string): Promise<string[]> =>
  (await shop.money(`invoice_id=${invoice}`)).map((line) => `${line.kind} ${line.amount}`);
const later = async (by: string): Promise<void> => {
  await box.post('clock', { advance: by });
  await shop.login();
};

describe('confirmPayment', () => {
  it('captures the blocked amount, once [confirmPayment: capture, once, 100, 113]', async () => {
    const invoice = await hold();
    expect((await shop.confirm(invoice)).json).toMatchObject({
      status_code: 100,
      transaction_status: 'Completed',
      invoice_id: invoice,
    });
    expect(codeOf(await shop.confirm(invoice))).toBe(113);
    expect(codeOf(await shop.confirm(invoice, { status: 2 }))).toBe(113);
    expect(await kinds(invoice)).toEqual(['card_capture 100.00']);
  });

  it('captures a part and lets the rest go; zero means all [confirmPayment: partial-capture]', async () => {
    const [part, all] = [await hold(), await hold()];
    expect(codeOf(await shop.confirm(part, { total: 33.3 }))).toBe(100);
    expect(await kinds(part)).toEqual(['card_capture 33.30']);
    expect(codeOf(await shop.confirm(all, { total: 0 }))).toBe(100);
    expect(await kinds(all)).toEqual(['card_capture 100.00']);
  });

  it('never captures more than was blocked [confirmPayment: 1]', async () => {
    const invoice = await hold();
    for (const total of [100.01, -1, 'x'])
      expect(codeOf(await shop.confirm(invoice, { total }))).toBe(1);
    expect(codeOf(await shop.confirm(invoice, { status: 3 }))).toBe(1);
    expect(await kinds(invoice)).toEqual([]);
  });

  it('cancels the block [confirmPayment: cancel]', async () => {
    const invoice = await hold();
    expect(codeOf(await shop.confirm(invoice, { status: 2 }))).toBe(100);
    expect((await shop.check(invoice)).json.transaction_status).toBe('Cancelled');
    expect(await kinds(invoice)).toEqual([]);
  });

  it('finds the hold cancelled after 20 days and not before [confirmPayment: twenty-days]', async () => {
    const [early, late] = [await hold(), await hold()];
    await later('19d23h59m');
    expect(codeOf(await shop.confirm(early))).toBe(100);
    await later('2m');
    expect((await shop.check(late)).json.transaction_status).toBe('Cancelled');
    expect(codeOf(await shop.confirm(late))).toBe(113);
    expect(await kinds(late)).toEqual([]);
  });

  it('refuses as published [confirmPayment: hash, 14, 32, 41, 68, 90]', async () => {
    const invoice = await hold();
    expect(codeOf(await shop.confirm(invoice, { merchant_key: 'x' }))).toBe(14);
    expect(codeOf(await shop.confirm('unknown'))).toBe(32);
    expect(
      codeOf(await shop.confirm(invoice, { hash_key: shop.hash(shop.key, invoice, '2') })),
    ).toBe(68);
    expect(codeOf(await shop.confirm(invoice, { hash_key: '?' }))).toBe(90);
    expect(codeOf(await shop.confirm(await shop.paid()))).toBe(113);
    await shop.paid({ invoice_id: 'CONFIRM41-1', transaction_type: 'PreAuth' });
    expect(codeOf(await shop.confirm('CONFIRM41-1'))).toBe(41);
    expect((await shop.check('CONFIRM41-1')).json.transaction_status).toBe('Pre-Authorized');
  });

  it('does the work when only the answer is lost, and a repeat is 113 [confirmPayment: once]', async () => {
    const invoice = await hold();
    await box.post('faults', { operation: 'confirmPayment', kind: 'lost_after' });
    await expect(shop.confirm(invoice)).rejects.toThrow();
    expect(codeOf(await shop.confirm(invoice))).toBe(113);
    expect(await kinds(invoice)).toEqual(['card_capture 100.00']);
  });
});

describe('refund', () => {
  it('gives back parts up to the sale, to the kuruş [refund: partial, 100, 49]', async () => {
    const invoice = await shop.paid({ total: 100 });
    for (const amount of ['33.33', '33.33', '33.34']) {
      expect((await shop.refund(invoice, amount)).json).toMatchObject({
        status_code: 100,
        invoice_id: invoice,
      });
      await later('31s');
    }
    expect(codeOf(await shop.refund(invoice, '0.01'))).toBe(49);
    expect(await kinds(invoice)).toEqual([
      'card_refund 33.34',
      'card_refund 33.33',
      'card_refund 33.33',
      'card_sale 100.00',
    ]);
  });

  it.each(['', 0, '0.00', null])(
    'gives back all that is left for the amount %j [refund: full]',
    async (amount) => {
      const invoice = await shop.paid({ total: 100 });
      await shop.refund(invoice, 40);
      await later('31s');
      expect(codeOf(await shop.refund(invoice, amount))).toBe(100);
      expect((await shop.money(`invoice_id=${invoice}`))[0]).toMatchObject({
        kind: 'card_refund',
        amount: '60.00',
      });
    },
  );

  it('refuses a repeat within 30 seconds, and an own id for ever [refund: within-30-seconds, 49, 104]', async () => {
    const invoice = await shop.paid();
    expect(codeOf(await shop.refund(invoice, 10, { refund_transaction_id: 'r-1' }))).toBe(100);
    expect(codeOf(await shop.refund(invoice, 10, { refund_transaction_id: 'r-2' }))).toBe(49);
    await later('31s');
    expect(codeOf(await shop.refund(invoice, 10, { refund_transaction_id: 'r-1' }))).toBe(104);
    expect(codeOf(await shop.refund(invoice, 10, { refund_transaction_id: 'r-2' }))).toBe(100);
  });

  it('records a refund that a person completes later [refund: by-hand, 101] [checkstatus: refund-info]', async () => {
    await shop.paid({ total: 100, invoice_id: 'REFUND101-1' });
    expect(codeOf(await shop.refund('REFUND101-1', 70))).toBe(101);
    const info = async (): Promise<unknown> =>
      (await shop.check('REFUND101-1', { show_refund_info: 'Y' })).json;
    expect(await info()).toMatchObject({
      total_refunded_amount: 0,
      refund_info: [{ amount: 70, status: 'Pending' }],
    });
    await later('31s');
    expect(codeOf(await shop.refund('REFUND101-1', 40))).toBe(49);
    const { refunds } = (await box.get('card')) as { refunds: { id: number }[] };
    await box.post(`card/refunds/${refunds[0]?.id}/complete`);
    expect(await info()).toMatchObject({
      total_refunded_amount: 70,
      refund_info: [{ amount: 70, status: 'Completed' }],
    });
  });

  it('gives back twice under one own id where the gateway compares none and makes no pause', async () => {
    await shop.set({ repeated_ids: 'executed', refund_pause_seconds: 0 });
    const invoice = await shop.paid();
    for (const _time of [1, 2])
      expect(codeOf(await shop.refund(invoice, 10, { refund_transaction_id: 'r-1' }))).toBe(100);
    expect((await kinds(invoice)).filter((line) => line.includes('card_refund'))).toHaveLength(2);
  });

  it.each([
    [14, {}, { merchant_key: 'x' }],
    [30, {}, { app_secret: 'wrong' }],
    [68, {}, { amount: 11 }],
    [90, {}, { hash_key: 'x' }],
    [110, { partial_refund: false }, {}],
    [49, { refundable: false }, {}],
    [1, {}, { refund_web_hook_key: 'nobody' }],
  ])(
    'answers %i with %j and %j [refund: 1, 14, 30, 49, 68, 90, 110, hash]',
    async (code, settings, fields) => {
      await shop.set(settings);
      const invoice = await shop.paid();
      expect(codeOf(await shop.refund(invoice, 10, fields))).toBe(code);
      expect((await kinds(invoice)).length).toBe(1);
    },
  );

  it('refuses what was not captured, is unknown, or is more than the merchant has [refund: 32, 31, 49]', async () => {
    expect(codeOf(await shop.refund('unknown', 1))).toBe(32);
    expect(codeOf(await shop.refund(await hold(), 1))).toBe(49);
    // A payout first empties the seeded balance in lira. Of a sale of 100 the gateway keeps 1.50 %
    // and 0.25, so that the merchant can refund 98.25.
    const { balances } = (await box.get('card')) as {
      balances: { currency: string; amount: string }[];
    };
    const amount = balances.find((one) => one.currency === 'TRY')?.amount ?? '';
    const row = {
      name_surname: 'Lodos',
      iban: PLAIN_IBAN,
      amount,
      currency: 'TRY',
      gsm_number: '905320000142',
    };
    await shop.call('api/cashout/tobank', {
      merchant_key: shop.key,
      cashout_type: 1,
      cashout_data: [row],
      hash_key: shop.hash(amount, PLAIN_IBAN, amount, 'TRY', row.gsm_number),
    });
    const sale = await shop.paid({ total: 100 });
    expect(codeOf(await shop.refund(sale, 100))).toBe(49);
    expect(codeOf(await shop.refund(sale, '98.25'))).toBe(100);
    await shop.paid({ invoice_id: 'REFUND31-1' });
    expect(codeOf(await shop.refund('REFUND31-1', 1))).toBe(31);
  });

  it('leaves the settlement of a sale on its day, also when money is given back later', async () => {
    const [sale, held] = [await shop.paid({ total: 100 }), await hold()];
    const settles = async (invoice: string): Promise<number> =>
      Date.parse(String((await shop.check(invoice)).json.settlement_date)) / 86_400_000;
    const day = await settles(sale);
    await later('5d');
    expect(codeOf(await shop.confirm(held))).toBe(100);
    expect(codeOf(await shop.refund(sale, 10))).toBe(100);
    expect(await settles(sale)).toBe(day);
    await box.post(`card/orders/${sale}/chargeback`);
    // An authorization is settled on the day after its capture.
    expect([await settles(sale), await settles(held)]).toEqual([day, day + 5]);
  });

  it('that waits keeps its money from a chargeback: both together never exceed the payment', async () => {
    await shop.paid({ total: 100, invoice_id: 'REFUND101-2' });
    expect(codeOf(await shop.refund('REFUND101-2', 70))).toBe(101);
    expect(await box.post('card/orders/REFUND101-2/chargeback')).toMatchObject({
      charged_back: '30.00',
    });
    const { refunds } = (await box.get('card')) as { refunds: { id: number }[] };
    await box.post(`card/refunds/${refunds[0]?.id}/complete`);
    expect((await kinds('REFUND101-2')).toSorted()).toEqual([
      'card_chargeback 30.00',
      'card_refund 70.00',
      'card_sale 100.00',
    ]);
  });

  it('takes app_id and app_secret when they are right [refund: 100]', async () => {
    expect(
      codeOf(await shop.refund(await shop.paid(), 1, { app_id: shop.id, app_secret: shop.secret })),
    ).toBe(100);
  });

  it('never gives back twice what was asked for at once [refund: 49]', async () => {
    const invoice = await shop.paid({ total: 100 });
    const codes = (
      await Promise.all(Array.from({ length: 8 }, () => shop.refund(invoice, 60)))
    ).map(codeOf);
    expect(codes.filter((code) => code === 100)).toHaveLength(1);
  });
});

describe('the books', () => {
  it('add up to the balance [gateway: books]', async () => {
    const one = await shop.paid({ total: 250 });
    await shop.paid({ total: '19.99' });
    await shop.confirm(await hold(), { total: 55 });
    await shop.refund(one, 100);
    await box.post(`card/orders/${one}/chargeback`);
    const lines = ((await box.get('ledger')) as { sign?: number; currency: string }[]).filter(
      (line) => line.sign !== undefined && line.currency === 'TRY',
    ) as { amount: string; fee: string; sign: number; currency: string }[];
    const cents = (text: string): number => Math.round(Number(text) * 100);
    const sum = lines.reduce(
      (total, line) => total + line.sign * cents(line.amount) - cents(line.fee),
      0,
    );
    const { balances } = (await box.get('card')) as {
      balances: { currency: string; amount: string }[];
    };
    expect(cents(balances.find((one) => one.currency === 'TRY')?.amount ?? '')).toBe(sum);
  });
});
