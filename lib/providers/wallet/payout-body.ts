/**
 * The bytes of a bank payout. Pure: the content hash, the resend and the tests all depend on this
 * one function.
 */
import { rawAmount } from '../json.ts';
import type { PayoutContent } from './types.ts';

/**
 * The body of SendMoneyToBankAccount: the same content always gives the same bytes, because a
 * second send of an ext id must be identical (fields in this order, amount with two decimals, no
 * clock and no randomness).
 *
 * @throws RangeError for an amount that is not positive: in this family an empty or zero amount can
 * mean "everything".
 */
export function payoutBody(content: PayoutContent): string {
  if (typeof content.amountMinor !== 'bigint' || content.amountMinor <= 0n)
    throw new RangeError('a payout has a positive amount');
  return JSON.stringify({
    sender_wallet_number: content.wallet,
    ext_transaction_id: content.extId,
    receiver_account_holder_name: content.name,
    receiver_iban: content.iban,
    receiver_national_id_or_tax_no: content.taxNumber,
    description: content.description,
    amount: rawAmount(content.amountMinor),
    currency_code: content.currency,
    ...(content.paymentType === null ? {} : { payment_type: content.paymentType }),
  });
}
