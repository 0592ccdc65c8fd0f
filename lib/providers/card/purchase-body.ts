/** The fields of a branded payment link (`published`: purchase/link). Pure. */
import { toDecimal } from '#lib/money.ts';
import { rawAmount } from '../json.ts';

export type LinkItem = { name: string; priceMinor: bigint; quantity: number; description: string };

export type LinkPlan = { payments: number; cycle: 'day' | 'month' | 'year'; interval: number; webhookKey: string };

/** What the buyer is asked to pay on the gateway's own page. The total is what the items come to (`contract`). */
export type LinkContent = {
  invoiceId: string;
  description: string;
  currency: string;
  items: readonly LinkItem[];
  firstName: string;
  lastName: string;
  returnUrl: string;
  cancelUrl: string;
  installmentsMax: number | null;
  /** A registered name of the merchant's panel. */
  saleKey: string | null;
  /** Charged again by itself. */
  plan: LinkPlan | null;
  billing: Partial<Record<'address1' | 'address2' | 'city' | 'postcode' | 'state' | 'country' | 'email' | 'phone', string>>;
};

export type PurchaseBody = { fields: Record<string, unknown>; totalMinor: bigint; hashParts: (merchantKey: string) => string[] };

const CYCLES = { day: 'D', month: 'M', year: 'Y' } as const;
/** Bounds of a plan (`published`; outside them 55). */
const PAYMENTS = { min: 2, max: 121 };
const INTERVAL = { min: 1, max: 99 };

/** Throws RangeError for no items, an item that costs nothing, a quantity that is not whole and a plan out of bounds. */
export function purchaseBody(content: LinkContent): PurchaseBody {
  const { items, plan, currency, invoiceId } = content;
  if (items.length === 0 || items.some((item) => typeof item.priceMinor !== 'bigint' || item.priceMinor <= 0n)) throw new RangeError('a link has items with positive prices');
  if (items.some((item) => !Number.isSafeInteger(item.quantity) || item.quantity < 1)) throw new RangeError('a quantity is a whole number from 1');
  if (plan !== null && !(isWithin(plan.payments, PAYMENTS) && isWithin(plan.interval, INTERVAL) && plan.webhookKey !== '')) throw new RangeError('a plan has 2 to 121 payments, 1 to 99 apart, and a web hook key');
  const totalMinor = items.reduce((sum, item) => sum + item.priceMinor * BigInt(item.quantity), 0n);
  // A JSON text inside the JSON body (`published`).
  const invoice = JSON.stringify({
    invoice_id: invoiceId,
    invoice_description: content.description,
    total: rawAmount(totalMinor),
    items: items.map((item) => ({ name: item.name, price: rawAmount(item.priceMinor), quantity: item.quantity, description: item.description })),
    return_url: content.returnUrl,
    cancel_url: content.cancelUrl,
    ...Object.fromEntries(Object.entries(content.billing).map(([name, value]) => [`bill_${name}`, value])),
  });
  const fields = {
    invoice,
    currency_code: currency,
    name: content.firstName,
    surname: content.lastName,
    ...(content.installmentsMax === null ? {} : { max_installment: content.installmentsMax }),
    ...(content.saleKey === null ? {} : { sale_web_hook_key: content.saleKey }),
    ...(plan === null ? {} : planFields(plan)),
  };
  // `published-weak`: one client; most send no hash, and the field is optional.
  return { fields, totalMinor, hashParts: (merchantKey) => [toDecimal(totalMinor), currency, merchantKey, invoiceId] };
}

/** `contract`: fields of a recurring payment. */
function planFields(plan: LinkPlan): Record<string, unknown> {
  return {
    order_type: 1,
    recurring_payment_number: plan.payments,
    recurring_payment_cycle: CYCLES[plan.cycle],
    recurring_payment_interval: plan.interval,
    recurring_web_hook_key: plan.webhookKey,
  };
}

function isWithin(value: number, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
