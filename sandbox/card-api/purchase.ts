import { randomBytes } from 'node:crypto';
import { parseExact, JsonNumber } from '../exact-json.ts';
import type { Json } from '../exact-json.ts';
import type { Call } from '../routes.ts';
import { text } from '../store.ts';
import { json } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe } from './answer.ts';
import { cardOf } from './card.ts';
import { readStatus } from './checkstatus.ts';
import { amountOf, checkShape, readCall, textOf, whole } from './fields.ts';
import type { Fields, Shape } from './fields.ts';
import { hookUrl } from './hook-keys.ts';
import { itemsProblem } from './items.ts';
import { magicCode } from './magic-invoice.ts';
import { insertOrder } from './orders.ts';
import { hashProblem, invoiceProblem, merchantProblem, planOf } from './payment.ts';
import type { PlanWanted } from './payment.ts';
import { CURRENCIES } from './pos.ts';
import { isWebAddress } from './secure.ts';

/**
 * Branded payments: purchase/link makes a link to the gateway's page, where the buyer types the
 * card. The request's `invoice` is JSON text (published).
 */

export const LINK_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  invoice: ['y', 'text'],
  currency_code: ['y', 'text'],
  name: ['y', 'text'],
  surname: ['y', 'text'],
  hash_key: ['n', 'text'],
  max_installment: ['n', 'whole'],
  sale_web_hook_key: ['n', 'text'],
  app_lang: ['n', 'text'],
  order_type: ['n', 'whole'],
  recurring_payment_number: ['n', 'any'],
  recurring_payment_cycle: ['n', 'any'],
  recurring_payment_interval: ['n', 'any'],
  recurring_web_hook_key: ['n', 'any'],
};
export const INVOICE_SHAPE: Shape = {
  invoice_id: ['y', 'text'],
  invoice_description: ['y', 'text'],
  total: ['y', 'amount'],
  items: ['y', 'any'],
  return_url: ['y', 'text'],
  cancel_url: ['y', 'text'],
  discount: ['n', 'amount'],
  coupon: ['n', 'text'],
  bill_address1: ['n', 'text'],
  bill_address2: ['n', 'text'],
  bill_city: ['n', 'text'],
  bill_postcode: ['n', 'text'],
  bill_state: ['n', 'text'],
  bill_country: ['n', 'text'],
  bill_email: ['n', 'text'],
  bill_phone: ['n', 'text'],
};
/** How long a link can be paid: 24 hours (assumed). */
export const LINK_LIFETIME_MS = 24 * 3_600_000;

const failed = (code: number, lang: Lang, why?: string): Answer =>
  json(
    200,
    { status: false, status_code: code, status_description: why ?? describe(code, lang) },
    String(code),
  );

function invoiceOf(value: string): Fields | null {
  try {
    const parsed = parseExact(value);
    return parsed !== null &&
      typeof parsed === 'object' &&
      !Array.isArray(parsed) &&
      !(parsed instanceof JsonNumber)
      ? parsed
      : null;
  } catch {
    return null;
  }
}

/**
 * Checks that the items less the discount make the total (assumed: the rule for a discount is not
 * published).
 */
function sumProblem(invoice: Fields, total: bigint): 12 | 13 | 33 | null {
  const discount = textOf(invoice, 'discount') === '' ? 0n : amountOf(invoice, 'discount');
  return discount === null || discount < 0n
    ? 12
    : itemsProblem(invoice.items as Json, total + discount, false);
}

function linkHashProblem(world: World, fields: Fields, invoice: Fields): 68 | 90 | null {
  const hash = textOf(fields, 'hash_key');
  if (hash === '') return null;
  const signed = [
    textOf(invoice, 'total'),
    textOf(fields, 'currency_code'),
    textOf(fields, 'merchant_key'),
    textOf(invoice, 'invoice_id'),
  ];
  return hashProblem(world, hash, signed, 0);
}

export function purchaseLink(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, LINK_SHAPE, lang);
  const invoice = wrong ? null : invoiceOf(textOf(fields, 'invoice'));
  if (wrong || invoice === null || checkShape(invoice, INVOICE_SHAPE, lang)) return failed(1, lang);
  if (merchantProblem(world, fields)) return failed(14, lang);
  const [invoiceId, currency, total] = [
    textOf(invoice, 'invoice_id'),
    textOf(fields, 'currency_code'),
    amountOf(invoice, 'total'),
  ];
  const disagreement = linkHashProblem(world, fields, invoice);
  if (disagreement) return failed(disagreement, lang);
  if (
    total === null ||
    total <= 0n ||
    !isWebAddress(textOf(invoice, 'return_url')) ||
    !isWebAddress(textOf(invoice, 'cancel_url'))
  )
    return failed(1, lang);
  const forced = magicCode(world, 'PAY', invoiceId);
  if (forced !== null) return failed(forced, lang);
  const items = Object.hasOwn(CURRENCIES, currency) ? sumProblem(invoice, total) : 12;
  if (items) return failed(items, lang);
  const plan = planOf(world, fields, 1);
  if (plan === 55) return failed(55, lang);
  const hookKey = textOf(fields, 'sale_web_hook_key');
  if (hookKey !== '' && hookUrl(world, hookKey, 'sale') === undefined) return failed(56, lang);
  const used = invoiceProblem(world, invoiceId);
  if (used) return failed(used, lang);
  return makeLink(world, call, { fields, invoice, total, plan, lang });
}

type Ordered = {
  fields: Fields;
  invoice: Fields;
  total: bigint;
  plan: PlanWanted | null;
  lang: Lang;
};

function makeLink(
  world: World,
  call: Call,
  { fields, invoice, total, plan, lang }: Ordered,
): Answer {
  const at = world.clock.now();
  const token = randomBytes(18).toString('base64url');
  const payment = {
    invoiceId: textOf(invoice, 'invoice_id'),
    description: textOf(invoice, 'invoice_description'),
    total,
    currency: textOf(fields, 'currency_code'),
    installments: 1,
    pre: false,
    hookKey: textOf(fields, 'sale_web_hook_key'),
    plan,
    byMerchant: false,
    byUser: false,
    program: '',
    lang,
    email: textOf(invoice, 'bill_email'),
    phone: textOf(invoice, 'bill_phone'),
    buyer: `${textOf(fields, 'name')} ${textOf(fields, 'surname')}`,
  };
  const orderId = insertOrder(world, {
    kind: 'link',
    state: 'link',
    payment,
    card: cardOf('000000'),
    returnUrl: textOf(invoice, 'return_url'),
    cancelUrl: textOf(invoice, 'cancel_url'),
    at,
    due: { at: at + LINK_LIFETIME_MS, what: 'link' },
  });
  world.store.run(
    `INSERT INTO pay_links (token, kind, order_id, state, most_uses, expires_at, created_at, data)
      VALUES (?, 'purchase', ?, 'ACTIVE', 1, ?, ?, ?)`,
    token,
    orderId,
    at + LINK_LIFETIME_MS,
    at,
    JSON.stringify({
      most_installments:
        textOf(fields, 'max_installment') === '' ? 12 : whole(fields, 'max_installment'),
    }),
  );
  const link = `http://${call.headers.host ?? 'sandbox'}/card/pay?id=${token}`;
  return json(
    200,
    {
      status: true,
      status_code: 100,
      success_message: describe(100, lang),
      link,
      order_id: text(orderId),
    },
    '100',
  );
}

/** Answers purchase/status as checkstatus does (assumed). */
export function purchaseStatus(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  return read.ok ? readStatus(world, read.fields, read.lang) : read.answer;
}
