/**
 * A payment link as the login host writes it (`published` names; `assumed`: numbers may come as
 * text and texts as numbers). Pure.
 */
import * as z from 'zod';
import { amountOrNone, digits, digitsOrNull, flagOrNull, textOrNull } from './wire.ts';
import type { LinkStatus, LinkUse, PaymentLink, PaymentLinkContent } from './types.ts';

/** Ids of the currencies (`published`; the same as in the currency list). */
export const CURRENCY_IDS: Readonly<Record<PaymentLinkContent['currency'], string>> = {
  TRY: '1',
  USD: '2',
  EUR: '3',
};
const CURRENCY_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(CURRENCY_IDS).map(([code, id]) => [id, code]),
);
/** `payment_link_type`, in records `type` (`published`). */
export const USE_IDS: Readonly<Record<LinkUse, string>> = { single: '1', multi: '2' };

export const dplRecord = z
  .object({
    id: digits.refine((value) => value !== '0'),
    token: z.string().regex(/^[\x21-\x7e]{1,512}$/),
    amount: amountOrNone,
    currency: z.union([digits, z.string().regex(/^[A-Z]{3}$/)]),
    is_amount_set_by_user: flagOrNull,
    type: digitsOrNull,
    status: textOrNull,
    name_of_product: textOrNull,
    description: textOrNull,
    max_number_of_uses: digitsOrNull,
    number_of_uses: digitsOrNull,
    expire_date: textOrNull,
    expire_time: textOrNull,
    photo: textOrNull,
    merchant_id: digitsOrNull,
    created_by_name: textOrNull,
  })
  .transform((record): PaymentLink => ({
    id: record.id,
    token: record.token,
    // The record has an amount of zero when the payer names the amount.
    amountMinor:
      record.is_amount_set_by_user === true && record.amount === 0n ? null : record.amount,
    currency: CURRENCY_CODES.get(record.currency) ?? record.currency,
    payerSetsAmount: record.is_amount_set_by_user,
    use:
      record.type === USE_IDS.single
        ? 'single'
        : record.type === USE_IDS.multi
          ? 'multi'
          : 'unknown',
    status: linkStatus(record.status),
    product: record.name_of_product,
    description: record.description,
    usesMax: record.max_number_of_uses,
    uses: record.number_of_uses,
    expiresOn: record.expire_date,
    expiresAt: record.expire_time,
    photo: record.photo,
    merchantId: record.merchant_id,
    createdBy: record.created_by_name,
  }));

/** `status` of a link (`published` words). */
function linkStatus(text: string | null): LinkStatus {
  switch (text?.toUpperCase()) {
    case 'ACTIVE':
      return 'active';
    case 'EXPIRED':
      return 'expired';
    case 'FAILED':
      return 'failed';
    default:
      return 'unknown';
  }
}
