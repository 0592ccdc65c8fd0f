import 'server-only';
import { classifyPayment } from './classify-payment.ts';
import type { Line } from './connection.ts';
import { cardOrderFields, orderHashParts, savedCardOrderFields } from './order-fields.ts';
import type { TypedCard } from './typed-card.ts';
import type { CardOrder, PaymentOutcome, SavedCardOrder } from './types.ts';

export type Sending = {
  /** Called once the connection is open, before the first byte. */
  beforeWrite: () => boolean;
};

/** `published`: the IP address and the card program are required here. */
export type SavedCardCharge = SavedCardOrder & Required<Pick<SavedCardOrder, 'ip' | 'cardProgram'>>;

/**
 * paySmart2D: charges a typed card from server to server, with at most one request. `insurance` is
 * the insured person's TCKN or the company's VKN, and leaves the security code out (`published`).
 *
 * Takes at most 10 s for a token (usually none) and 30 s for the exchange. Never throws for network
 * errors. The contracts name no idempotency key: after anything but `approved` or a first `refused`
 * the record is read, and the request is never resent automatically.
 * @throws Error where `CARD_ENTRY` is not `all`.
 * @throws RangeError for an invalid order.
 */
export async function payByCard(
  line: Line,
  order: CardOrder,
  card: TypedCard,
  sending: Sending,
  insurance?: { identityNumber: string },
): Promise<PaymentOutcome> {
  const { holder, number, expiryMonth, expiryYear, securityCode } = card.open(line.entry);
  if (insurance === undefined && securityCode === null)
    throw new RangeError('securityCode is needed');
  const exchange = await line.send({
    path: '/ccpayment/api/paySmart2D',
    fields: {
      cc_holder_name: holder,
      cc_no: number,
      expiry_month: expiryMonth,
      expiry_year: expiryYear,
      ...(insurance
        ? { vpos_type: 'insurance', identity_number: insurance.identityNumber }
        : { cvv: securityCode }),
      ...cardOrderFields(order),
      merchant_key: line.merchantKey,
      hash_key: line.hashKey(orderHashParts(order, line.merchantKey)),
    },
    secret: [number],
    beforeWrite: sending.beforeWrite,
  });
  const { invoiceId, amountMinor, currency, hold = false } = order;
  return classifyPayment(
    exchange,
    { invoiceId, amountMinor, currency, hold },
    line.codes.charge,
    line,
  );
}

/**
 * payByCardTokenNonSecure: charges a saved card from server to server (`published`: the fields of
 * payByCardToken without return addresses). Otherwise as `payByCard`, without a card number.
 */
export async function payBySavedCard(
  line: Line,
  order: SavedCardCharge,
  sending: Sending,
): Promise<PaymentOutcome> {
  const exchange = await line.send({
    path: '/ccpayment/api/payByCardTokenNonSecure',
    fields: {
      ...savedCardOrderFields(order),
      merchant_key: line.merchantKey,
      hash_key: line.hashKey(orderHashParts(order, line.merchantKey)),
    },
    beforeWrite: sending.beforeWrite,
  });
  const { invoiceId, amountMinor, currency } = order;
  return classifyPayment(
    exchange,
    { invoiceId, amountMinor, currency, hold: false },
    line.codes.charge,
    line,
  );
}
