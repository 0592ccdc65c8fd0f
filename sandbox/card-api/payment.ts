import type { Json } from '../exact-json.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { refuse } from './answer.ts';
import { PROGRAMS } from './card.ts';
import { amountOf, checkShape, invalid, textOf, whole } from './fields.ts';
import type { Fields, Shape } from './fields.ts';
import { openHash } from './hash.ts';
import { hookUrl } from './hook-keys.ts';
import { itemsProblem } from './items.ts';
import { magicCode } from './magic-invoice.ts';
import { CURRENCIES } from './pos.ts';

/**
 * Reads an order request and checks everything but the card. Order of the checks (assumed): fields
 * (1), merchant (14, 35), characters (85), hash (90, 68), integration mode (34), currency and items
 * (12, 33, 13), recurring (55), webhook key (56), invoice id (3, 117).
 */

export type PlanWanted = { number: number; cycle: string; every: number; hookKey: string };

export type Payment = {
  invoiceId: string;
  description: string;
  total: bigint;
  currency: string;
  installments: number;
  pre: boolean;
  hookKey: string;
  plan: PlanWanted | null;
  byMerchant: boolean;
  byUser: boolean;
  program: string;
  lang: Lang;
  email: string;
  phone: string;
  buyer: string;
};

export type Way = 'secure' | 'direct';

const MOST_INVOICE = 100;
const LEAST_CHARGES = 2;
const MOST_CHARGES = 121;
const MOST_INTERVAL = 99;

/** Returns 14 unless the merchant key is the sandbox merchant's. */
export function merchantProblem(world: World, fields: Fields): 14 | null {
  return textOf(fields, 'merchant_key') === world.credentials.card.merchant_key ? null : 14;
}

const sameAmount = (a: string, b: string): boolean => {
  const [left, right] = [amountOf({ v: a }, 'v'), amountOf({ v: b }, 'v')];
  return left === null || right === null ? a === b : left === right;
};

/**
 * Returns 90 when the hash cannot be deciphered, 68 when it disagrees with the request, null when
 * it is right. The amount is compared as a number, because clients write 10 and 10.00 (assumed);
 * everything else is compared as text.
 */
export function hashProblem(
  world: World,
  hash: string,
  expected: readonly string[],
  amountAt = -1,
): 68 | 90 | null {
  const parts = openHash(hash, world.credentials.card.app_secret);
  if (parts === null) return 90;
  const same =
    parts.length === expected.length &&
    expected.every((value, index) =>
      index === amountAt ? sameAmount(value, parts[index] ?? '') : value === parts[index],
    );
  return same ? null : 68;
}

/**
 * Reads the recurring fields of an order; 55 when one of the published rules is broken, null for an
 * order without a plan.
 */
export function planOf(world: World, fields: Fields, installments: number): PlanWanted | null | 55 {
  if (textOf(fields, 'order_type') !== '1') return null;
  const [number, every] = [
    textOf(fields, 'recurring_payment_number'),
    textOf(fields, 'recurring_payment_interval'),
  ];
  const plan = {
    number: Number(number),
    cycle: textOf(fields, 'recurring_payment_cycle'),
    every: Number(every),
    hookKey: textOf(fields, 'recurring_web_hook_key'),
  };
  const right =
    installments === 1 &&
    /^\d+$/.test(number) &&
    plan.number >= LEAST_CHARGES &&
    plan.number <= MOST_CHARGES &&
    ['D', 'M', 'Y'].includes(plan.cycle) &&
    /^\d+$/.test(every) &&
    plan.every >= 1 &&
    plan.every <= MOST_INTERVAL &&
    plan.hookKey !== '' &&
    hookUrl(world, plan.hookKey, 'recurring') !== undefined;
  return right ? plan : 55;
}

/**
 * Returns 3 while the bank has an earlier order with this invoice id, 117 when that order is in any
 * other state, null when the id is free.
 */
export function invoiceProblem(world: World, invoiceId: string): 3 | 117 | null {
  const earlier = world.store.get('SELECT state FROM card_orders WHERE invoice_id = ?', invoiceId);
  if (!earlier || (earlier.state === 'failed' && world.cardMerchant.failed_invoice === 'free'))
    return null;
  return earlier.state === 'bank_step' ||
    earlier.state === 'completion' ||
    earlier.state === 'in_process'
    ? 3
    : 117;
}

const choiceWrong = (fields: Fields, name: string, choices: readonly string[]): boolean =>
  textOf(fields, name) !== '' && !choices.includes(textOf(fields, name));

function valueProblems(fields: Fields, total: bigint | null): string[] {
  const wrong: string[] = [];
  if (total === null || total <= 0n) wrong.push('total');
  if (whole(fields, 'installments_number') < 1) wrong.push('installments_number');
  if (textOf(fields, 'invoice_id').length > MOST_INVOICE) wrong.push('invoice_id');
  if (choiceWrong(fields, 'card_program', PROGRAMS)) wrong.push('card_program');
  if (choiceWrong(fields, 'transaction_type', ['PreAuth', 'Auth'])) wrong.push('transaction_type');
  if (choiceWrong(fields, 'payment_completed_by', ['app', 'merchant']))
    wrong.push('payment_completed_by');
  if (choiceWrong(fields, 'commission_by', ['merchant', 'user'])) wrong.push('commission_by');
  if (choiceWrong(fields, 'response_method', ['GET', 'POST'])) wrong.push('response_method');
  if (choiceWrong(fields, 'order_type', ['0', '1'])) wrong.push('order_type');
  return wrong;
}

function modeAllows(world: World, way: Way): boolean {
  const mode = world.cardMerchant.is_3d;
  return way === 'secure' ? mode === 1 || mode === 2 : mode === 0 || mode === 1;
}

/**
 * Reads a request as a payment, or returns the refusal. `serialized`: `items` is JSON text, as in a
 * form, and not an array.
 */
export function readPayment(
  world: World,
  fields: Fields,
  lang: Lang,
  shape: Shape,
  way: Way,
  serialized: boolean,
): Payment | Answer {
  const no = (code: number): Answer => refuse(code, lang);
  const wrong = checkShape(fields, shape, lang);
  if (wrong) return wrong;
  const total = amountOf(fields, 'total');
  const values = valueProblems(fields, total);
  if (values.length > 0 || total === null) return invalid(values, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return no(merchant);
  if (!world.cardMerchant.card_payment) return no(35);
  const invoiceId = textOf(fields, 'invoice_id');
  const currency = textOf(fields, 'currency_code');
  if (/[|<>]/.test(invoiceId)) return no(85);
  const hash = hashProblem(
    world,
    textOf(fields, 'hash_key'),
    [
      textOf(fields, 'total'),
      textOf(fields, 'installments_number'),
      currency,
      textOf(fields, 'merchant_key'),
      invoiceId,
    ],
    0,
  );
  if (hash) return no(hash);
  if (!modeAllows(world, way)) return no(34);
  const forced = magicCode(world, 'PAY', invoiceId);
  if (forced !== null) return no(forced);
  if (!Object.hasOwn(CURRENCIES, currency)) return no(12);
  const items = itemsProblem(fields.items as Json | undefined, total, serialized);
  if (items) return no(items);
  const installments = whole(fields, 'installments_number');
  const plan = planOf(world, fields, installments);
  if (plan === 55) return no(55);
  const hookKey = textOf(fields, 'sale_web_hook_key');
  if (hookKey !== '' && hookUrl(world, hookKey, 'sale') === undefined) return no(56);
  const invoice = invoiceProblem(world, invoiceId);
  if (invoice) return no(invoice);
  return {
    invoiceId,
    description: textOf(fields, 'invoice_description'),
    total,
    currency,
    installments,
    pre: textOf(fields, 'transaction_type') === 'PreAuth',
    hookKey,
    plan,
    byMerchant: textOf(fields, 'payment_completed_by') === 'merchant',
    byUser:
      textOf(fields, 'commission_by') === 'user' ||
      ['1', 'true'].includes(textOf(fields, 'is_commission_from_user')),
    program: textOf(fields, 'card_program'),
    lang,
    email: textOf(fields, 'bill_email') || textOf(fields, 'customer_email'),
    phone: textOf(fields, 'bill_phone') || textOf(fields, 'customer_phone'),
    buyer:
      textOf(fields, 'customer_name') ||
      `${textOf(fields, 'name')} ${textOf(fields, 'surname')}`.trim(),
  };
}

export const isAnswer = (value: object): value is Answer => 'body' in value;
