/** The fields of an order as the gateway names them (`contract` unless said otherwise). Pure. */
import { toDecimal } from '#lib/values/money.ts';
import { rawAmount, rawInteger } from '../json.ts';
import type { Billing, CardOrder, Order, OrderItem, Recurring, SavedCardOrder } from './types.ts';

/** `published` limits of the recurring fields. */
const RECURRING_COUNT = { min: 2, max: 121 };
const RECURRING_INTERVAL = { min: 1, max: 99 };
const CYCLES = { day: 'D', month: 'M', year: 'Y' } as const;

type Fields = Record<string, unknown>;

/** The parts of the hash key of every order, in this order, for all payment operations. */
export function orderHashParts(order: Order, merchantKey: string): string[] {
  return [
    toDecimal(order.amountMinor),
    String(order.installments),
    order.currency,
    merchantKey,
    order.invoiceId,
  ];
}

/**
 * Fields of an order for a typed card.
 * @throws RangeError for an invalid order (see `checkOrder`).
 */
export function cardOrderFields(order: CardOrder): Fields {
  return {
    name: order.buyer.name,
    surname: order.buyer.surname,
    ...commonFields(order),
    card_program: order.cardProgram,
    transaction_type: order.hold ? 'PreAuth' : undefined,
    ...(order.recurring ? recurringFields(order.recurring, (interval) => interval) : {}),
  };
}

/**
 * Fields of an order for a saved card. `recurring_payment_interval` is a text in this operation.
 */
export function savedCardOrderFields(order: SavedCardOrder): Fields {
  return {
    card_token: order.cardToken,
    customer_number: rawInteger(order.customer.number),
    customer_email: order.customer.email,
    customer_phone: order.customer.phone,
    customer_name: order.customer.name,
    ...commonFields(order),
    card_program: order.cardProgram,
    ...(order.recurring ? recurringFields(order.recurring, String) : {}),
  };
}

function commonFields(order: Order): Fields {
  checkOrder(order);
  return {
    currency_code: order.currency,
    installments_number: order.installments,
    invoice_id: order.invoiceId,
    invoice_description: order.description,
    total: rawAmount(order.amountMinor),
    items: order.items.map((item) => ({
      name: item.name,
      price: rawAmount(item.priceMinor),
      quantity: item.quantity,
      description: item.description,
    })),
    ...billFields(order.bill ?? {}),
    sale_web_hook_key: order.saleHook,
    ip: order.ip,
    commission_by: order.commissionBy,
    is_commission_from_user:
      order.commissionBy === undefined ? undefined : order.commissionBy === 'user' ? 1 : 0,
    metadata: order.metadata,
  };
}

function billFields(bill: Billing): Fields {
  const { address1, address2, city, postcode, state, country, email, phone } = bill;
  return {
    bill_address1: address1,
    bill_address2: address2,
    bill_city: city,
    bill_postcode: postcode,
    bill_state: state,
    bill_country: country,
    bill_email: email,
    bill_phone: phone,
  };
}

function recurringFields(
  recurring: Recurring,
  written: (interval: number) => number | string,
): Fields {
  return {
    order_type: 1,
    recurring_payment_number: recurring.count,
    recurring_payment_cycle: CYCLES[recurring.cycle],
    recurring_payment_interval: written(recurring.interval),
    recurring_web_hook_key: recurring.hook,
  };
}

/**
 * The last check before sending: a positive amount equal to the sum of the items (otherwise the
 * gateway answers 13), and complete recurring fields (otherwise 55).
 * @throws RangeError that names the field and no value.
 */
function checkOrder(order: Order): void {
  if (typeof order.amountMinor !== 'bigint' || order.amountMinor <= 0n)
    throw new RangeError('amountMinor is not positive');
  if (order.invoiceId === '') throw new RangeError('invoiceId is empty');
  if (!isWhole(order.installments, 1, 99)) throw new RangeError('installments is not a count');
  if (!order.items.every(isItem) || sum(order.items) !== order.amountMinor)
    throw new RangeError('items do not add up to amountMinor');
  const { recurring } = order;
  if (recurring === undefined) return;
  if (order.installments !== 1) throw new RangeError('a recurring order has no installments');
  if (!isWhole(recurring.count, RECURRING_COUNT.min, RECURRING_COUNT.max))
    throw new RangeError('recurring.count is out of range');
  if (!isWhole(recurring.interval, RECURRING_INTERVAL.min, RECURRING_INTERVAL.max))
    throw new RangeError('recurring.interval is out of range');
  if (recurring.hook === '') throw new RangeError('recurring.hook is empty');
}

function isItem(item: OrderItem): boolean {
  return item.priceMinor >= 0n && isWhole(item.quantity, 1, Number.MAX_SAFE_INTEGER);
}

function sum(items: readonly OrderItem[]): bigint {
  return items.reduce((total, item) => total + item.priceMinor * BigInt(item.quantity), 0n);
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
