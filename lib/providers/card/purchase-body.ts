/** The fields of a branded payment link (`published`: purchase/link). Pure. */
import { toDecimal } from '#lib/values/money.ts';
import { rawAmount } from '../json.ts';
import { cardOrderFields } from './order-fields.ts';
import type { CardOrder, FormWays } from './types.ts';

/**
 * What the buyer pays on the gateway's own page: the items less the discount (`published` fields;
 * that the total is this difference is `assumed`). `coupon` is a name shown on the page.
 */
export type LinkContent = Pick<
  CardOrder,
  | 'invoiceId'
  | 'description'
  | 'amountMinor'
  | 'currency'
  | 'items'
  | 'buyer'
  | 'bill'
  | 'recurring'
  | 'saleHook'
> &
  Pick<FormWays, 'returnUrl' | 'cancelUrl'> & {
    installmentsMax?: number;
    discountMinor?: bigint;
    coupon?: string;
  };

/**
 * Fields inside `invoice`, a JSON text inside the JSON body (`published`); the others are beside
 * it.
 */
const IN_INVOICE = /^(?:invoice_id|invoice_description|total|items|bill_\w+)$/;
/** Left out of the link, because the buyer chooses the installments on the page. */
const NOT_SENT = 'installments_number';

/** @throws RangeError for an invalid amount, items or recurring fields. */
export function purchaseFields(content: LinkContent): Record<string, unknown> {
  const { amountMinor, discountMinor = 0n } = content;
  if (amountMinor <= 0n || discountMinor < 0n)
    throw new RangeError('a link has a positive amount, and no discount or a positive one');
  const fields = cardOrderFields({
    ...content,
    amountMinor: amountMinor + discountMinor,
    installments: 1,
  });
  const order = Object.entries({ ...fields, total: rawAmount(amountMinor) }).filter(
    ([name]) => name !== NOT_SENT,
  );
  const invoice = Object.fromEntries(order.filter(([name]) => IN_INVOICE.test(name)));
  return {
    ...Object.fromEntries(order.filter(([name]) => !IN_INVOICE.test(name))),
    invoice: JSON.stringify({
      ...invoice,
      ...(discountMinor === 0n
        ? {}
        : { discount: rawAmount(discountMinor), coupon: content.coupon }),
      return_url: content.returnUrl,
      cancel_url: content.cancelUrl,
    }),
    max_installment: content.installmentsMax,
  };
}

/** `published-weak`: seen in one client; most clients send no hash, and the field is optional. */
export function purchaseHashParts(content: LinkContent, merchantKey: string): string[] {
  return [toDecimal(content.amountMinor), content.currency, merchantKey, content.invoiceId];
}
