import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Find from './find.ts';
import { understand } from '#lib/readings/understand.ts';
import type { Reading } from '#lib/readings/understand.ts';

/** The search box on card payments, payment links, plans and saved cards. */

const SALE = 'LDS-K-20261121-0044';
const LINK = 'https://pay.example/ccpayment/link/Qx7Rm2Lp';
let merchant: TestMerchant;
let stranger: TestMerchant;
let web: Process;
let find: typeof Find;

beforeAll(async () => {
  stranger = await testMerchant();
  merchant = await testMerchant();
  for (const of of [stranger, merchant]) {
    await made(of, 'DÜKKAN-8d1f', 'three_d', { card: '4509' });
    await made(of, 'DUKKAN-LINK', 'link', { link: LINK });
    await of.owner.query(
      `INSERT INTO card_payments (merchant_id, invoice_id, order_id, source, state, amount_minor, card)
        VALUES ($1, $2, 'VP26112100441', 'notice', 'held', 123450, '4509')`,
      [of.merchantId, SALE],
    );
    await of.owner.query(
      `INSERT INTO recurring_plans (merchant_id, plan_code, source, first_order_id, card)
        VALUES ($1, 'PLN-AB12CD', 'person', 'VP26110100017', '1117')`,
      [of.merchantId],
    );
    await of.owner.query(
      `INSERT INTO card_customers (merchant_id, number, name, cards, read_at)
        VALUES ($1, '90071999', 'Çağla Işık', ARRAY['4509', '0005'], now())`,
      [of.merchantId],
    );
  }
  web = await openProcess('dashboard_web');
  find = await import('./find.ts');
});
afterAll(() => Promise.all([web.db.disconnect(), merchant.close(), stranger.close()]));

async function made(
  of: TestMerchant,
  invoiceId: string,
  kind: 'three_d' | 'link',
  { card = null, link = null }: { card?: string | null; link?: string | null },
): Promise<void> {
  await of.owner.query(
    `INSERT INTO card_payments (id, merchant_id, invoice_id, source, added_by, kind, content,
      content_hash, amount_minor, card, link, sent_at)
     VALUES ($1, $2, $3, 'made_here', $4, $5, $6, 'h', 89990, $7, $8, now())`,
    [
      randomUUID(),
      of.merchantId,
      invoiceId,
      of.person('clerk').personId,
      kind,
      { description: 'Güz kampanyası', buyer: { name: 'Yağız', surname: 'Çelik' } },
      card,
      link,
    ],
  );
}

type Seen = Record<'payments' | 'links' | 'plans' | 'customers', string[]>;
async function search(text: string, role: Role = 'clerk'): Promise<Partial<Seen>> {
  const understood = understand(text);
  if (understood.kind !== 'readings') throw new Error(`not searched: ${understood.kind}`);
  const found = await find.findHere(merchant.person(role), understood.readings);
  const seen: Seen = {
    payments: found.cardPayments.rows.map(({ invoiceId }) => invoiceId).toSorted(),
    links: found.links.rows.map(({ invoiceId }) => invoiceId),
    plans: found.plans.rows.map(({ planCode }) => planCode),
    customers: found.customers.rows.map(({ number }) => number),
  };
  return Object.fromEntries(Object.entries(seen).filter(([, rows]) => rows.length > 0));
}

describe('the search box', () => {
  test('finds a card payment by its order number in any spelling, in whole or from its beginning', async () => {
    for (const text of [SALE, 'lds-k-20261121-0044', 'LDS K 20261121', 'VP26112100441', '1.234,50'])
      expect([text, await search(text)]).toEqual([text, { payments: [SALE] }]);
    expect(await search('dukkan-8d1f')).toEqual({ payments: ['DÜKKAN-8d1f'] });
  });

  test('finds whatever has a card by its last four digits', async () => {
    for (const text of ['4509', '•••• 4509', '4508 03** **** 4509'])
      expect([text, await search(text)]).toEqual([
        text,
        { payments: [SALE, 'DÜKKAN-8d1f'].toSorted(), customers: ['90071999'] },
      ]);
    expect(await search('1117')).toEqual({ plans: ['PLN-AB12CD'] });
  });

  test('finds a link by its code, its address and its description, and buyers by name', async () => {
    for (const text of ['Qx7Rm2Lp', LINK])
      expect([text, await search(text)]).toEqual([text, { links: ['DUKKAN-LINK'] }]);
    for (const text of ['güz kampanyası', 'CELIK YAGIZ'])
      expect([text, await search(text)]).toEqual([
        text,
        { payments: ['DÜKKAN-8d1f'], links: ['DUKKAN-LINK'] },
      ]);
    expect(await search('cagla isik')).toEqual({ customers: ['90071999'] });
    expect(await search('90071999')).toEqual({ customers: ['90071999'] });
  });

  test('finds a plan by its code and by the order of its first charge', async () => {
    for (const text of ['PLN-AB12CD', 'pln ab12', 'VP26110100017'])
      expect([text, await search(text)]).toEqual([text, { plans: ['PLN-AB12CD'] }]);
  });

  test('shows of a card its last four digits, whoever searches', async () => {
    const readings = [{ kind: 'iban_end' as const, end: '4509' }];
    for (const role of ROLES) {
      const { cardPayments, customers } = await find.findHere(merchant.person(role), readings);
      expect([
        ...cardPayments.rows.map(({ card }) => card),
        ...customers.rows.map(({ cards }) => cards),
      ]).toEqual(['4509', '4509', ['4509', '0005']]);
    }
  });

  test('calls the state of a link what its own page calls it: unpaid, then lapsed, never failed', async () => {
    const stateOf = async (): Promise<unknown> => {
      const { readings } = understand('Qx7Rm2Lp') as { readings: readonly Reading[] };
      return (await find.findHere(merchant.person('clerk'), readings)).links.rows[0]!.state;
    };
    const record = (state: string | null, card: string | null, problem: string | null = null) =>
      merchant.owner.query(
        `UPDATE card_payments SET state = $2, card = $3, problem = $4
          WHERE merchant_id = $1 AND invoice_id = 'DUKKAN-LINK'`,
        [merchant.merchantId, state, card, problem],
      );
    for (const [state, card, problem, shown] of [
      [null, null, null, 'unpaid'],
      [null, null, 'not_found', 'unpaid'],
      ['pending', '0000', null, 'unpaid'],
      ['failed', '0000', null, 'unused'],
      ['failed', '0000', 'not_found', 'unused'],
      ['cancelled', '0000', null, 'unused'],
      ['failed', '4509', null, 'failed'],
      // Unknown whether the customer has paid: a card was typed, or the record cannot be believed.
      ['pending', '4509', null, 'pending'],
      ['pending', '0000', 'no_answer', 'pending'],
      [null, null, 'no_answer', null],
      [null, null, 'mismatch', null],
      ['failed', '0000', 'contradiction', 'failed'],
      ['cancelled', '0000', 'mismatch', 'cancelled'],
      ['failed', '0000', 'no_answer', 'failed'],
    ] as const) {
      await record(state, card, problem);
      expect([state, card, problem, await stateOf()]).toEqual([state, card, problem, shown]);
    }
    await record(null, null);
  });

  test('shows the captured part of an authorization, as its page does, not the whole', async () => {
    await merchant.owner.query(
      `INSERT INTO card_payments (merchant_id, invoice_id, source, state, amount_minor, charged_minor)
        VALUES ($1, 'KISMI-77', 'notice', 'captured', 80000, 30050)`,
      [merchant.merchantId],
    );
    const { readings } = understand('KISMI-77') as { readings: readonly Reading[] };
    const { cardPayments } = await find.findHere(merchant.person('clerk'), readings);
    expect(cardPayments.rows.map(({ amount }) => amount)).toEqual(['300.50']);
  });
});
