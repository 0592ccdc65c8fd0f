import 'server-only';
import type { Line } from './connection.ts';
import { cardOrderFields, orderHashParts, savedCardOrderFields } from './order-fields.ts';
import { fieldTexts } from './wire.ts';
import type { BrowserForm, CardOrder, FormWays, Order, SavedCardOrder } from './types.ts';

/** Typed by the cardholder (`contract`). The browser sends these to the gateway only. */
const CARD_FIELDS = ['cc_holder_name', 'cc_no', 'expiry_month', 'expiry_year', 'cvv'] as const;

/**
 * paySmart3D: the hidden fields of a form that the browser posts to the gateway; its hash key needs
 * no card. This function sends no request.
 * @throws Error where `CARD_ENTRY` is off.
 * @throws RangeError for an invalid order.
 */
export function threeDForm(line: Line, order: CardOrder, ways: FormWays): BrowserForm {
  if (line.entry === 'off') throw new Error('CARD_ENTRY is off: card entry is not allowed');
  return form(line, '/ccpayment/api/paySmart3D', order, cardOrderFields(order), ways, CARD_FIELDS);
}

/** payByCardToken: the same form for a saved card, without card fields. */
export function savedCardForm(line: Line, order: SavedCardOrder, ways: FormWays): BrowserForm {
  return form(line, '/ccpayment/api/payByCardToken', order, savedCardOrderFields(order), ways, []);
}

function form(
  line: Line,
  path: `/ccpayment/${string}`,
  order: Order,
  fields: Record<string, unknown>,
  ways: FormWays,
  cardFields: readonly string[],
): BrowserForm {
  const all = {
    ...fields,
    merchant_key: line.merchantKey,
    hash_key: line.hashKey(orderHashParts(order, line.merchantKey)),
    return_url: ways.returnUrl,
    cancel_url: ways.cancelUrl,
    response_method: ways.backBy,
    payment_completed_by: ways.completedBy,
    maturity_period: ways.agriculture?.maturityPeriod,
    payment_frequency: ways.agriculture?.paymentFrequency,
    app_lang: line.lang,
  };
  return { action: line.addressOf(path), method: 'POST', fields: fieldTexts(all), cardFields };
}
