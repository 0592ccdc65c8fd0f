import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../database.ts';
import { shop } from '../card-shop.ts';
import type { Gateway } from '../independent/gateway.ts';
import type { Operation, OrderOperation } from './plan.ts';
import { until } from './trouble.ts';

/**
 * Earlier sales of the merchant's web shop: authorizations to capture or void, payments to refund,
 * and subscriptions to charge.
 */

/** The card payment of an operation, and its plan where it has one. */
export type Place = { paymentId: string; planId: string | null; planCode: string | null };

const BUYERS_AT_ONCE = 6;
const KNOWN_MS = 5 * 60_000;
/**
 * Stays below the 600 payments a minute that webhooks may add (lib/cards/payments/take-webhook.ts);
 * this test does not cover a web shop that sells more.
 */
const SOLD_A_MINUTE = 500;
const MINUTE_MS = 60_000;
const CARD_FACE = { holder: 'Elif Şahin', month: '12', year: '2031', cvv: '000' };
const MONTHS = 6;

/**
 * Sells all orders, and waits until the product has read the record of each. Returns the places by
 * operation id.
 */
export async function sell(operations: readonly Operation[]): Promise<Map<string, Place>> {
  const wanted = operations.filter((one): one is OrderOperation => 'invoice' in one);
  if (wanted.length === 0) return new Map();
  const gateway = await shop();
  const known = new Map<string, Place>();
  for (let first = 0; first < wanted.length; first += SOLD_A_MINUTE) {
    const began = Date.now();
    const batch = wanted.slice(first, first + SOLD_A_MINUTE);
    const left = [...batch];
    const buyer = async (): Promise<void> => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) await buy(gateway, one);
    };
    await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buyer));
    await until(
      `the product knows ${batch.length} orders`,
      async () => {
        const places = await placesOf(batch.map(({ invoice }) => invoice));
        for (const [invoice, place] of places) known.set(invoice, place);
        return places.size === batch.length;
      },
      KNOWN_MS,
    );
    if (first + SOLD_A_MINUTE < wanted.length)
      await pause(Math.max(0, began + MINUTE_MS - Date.now()));
  }
  return new Map(wanted.map(({ id, invoice }) => [id, known.get(invoice)!]));
}

async function buy(
  gateway: Gateway,
  { kind, invoice, totalMinor, card }: OrderOperation,
): Promise<void> {
  const more =
    kind === 'plan_charge'
      ? { monthly: { count: MONTHS, hook: 'recurring_hook' } }
      : { preauthorize: kind !== 'refund' };
  await gateway.pay2D(
    { invoice, total: totalMinor / 100, saleHook: 'sale_hook', ...more },
    { ...CARD_FACE, number: card },
  );
}

/** Orders whose record, and whose plan's record, was read; by order number. */
async function placesOf(invoices: string[]): Promise<Map<string, Place>> {
  const found = await rows<Place & { invoice: string }>(
    `
    SELECT c.invoice_id AS invoice, c.id AS "paymentId", p.id AS "planId", c.plan_code AS "planCode"
      FROM card_payments c
    LEFT JOIN recurring_plans p ON p.merchant_id = c.merchant_id AND p.plan_code = c.plan_code
    WHERE c.invoice_id = ANY($1) AND c.verified_at IS NOT NULL
      AND (c.plan_code IS NULL OR p.status = 'active')`,
    [invoices],
  );
  return new Map(found.map(({ invoice, ...place }) => [invoice, place]));
}
