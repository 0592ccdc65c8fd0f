/** The bytes of a transfer between wallets. Pure, for the reasons of `payout-body.ts`. */
import { rawAmount } from '../json.ts';
import type { TransferContent, TransferKind } from './types.ts';

/**
 * The body of the three transfers: the same content always gives the same bytes. A transfer between
 * own wallets has an empty `hash_key` and no `payment_type` (`contract`).
 *
 * @throws RangeError for an amount that is not positive.
 */
export function transferBody(kind: TransferKind, content: TransferContent): string {
  if (typeof content.amountMinor !== 'bigint' || content.amountMinor <= 0n)
    throw new RangeError('a transfer has a positive amount');
  return JSON.stringify({
    ext_transaction_id: content.extId,
    sender_wallet_number: content.wallet,
    receiver_wallet_number: content.to,
    amount: rawAmount(content.amountMinor),
    currency_code: content.currency,
    description: content.description,
    ...(kind === 'own'
      ? { hash_key: '' }
      : content.paymentType === null
        ? {}
        : { payment_type: content.paymentType }),
  });
}
