import type { Row } from './store.ts';

/** The text that stands for a movement, or for its changes, when two of them are compared. */

/**
 * The text that identifies "this payment" for a person: the payee, the amount and the source
 * wallet.
 */
export function wireKey(body: string): string {
  const request = JSON.parse(body) as Record<string, unknown>;
  return [
    request.sender_wallet_number,
    request.receiver_iban ?? request.receiver_wallet_number,
    request.receiver_account_holder_name,
    request.receiver_national_id_or_tax_no,
    request.amount,
    request.currency_code,
    request.description,
    request.payment_type,
  ].join(' ');
}

export function describe(before: Row | null, after: Row, now: number): string {
  if (before === null)
    return `${after.extId}: a new ${after.state}${after.retryOf === null ? '' : ', pays another again'}`;
  const changed = (
    [
      'state',
      'returned',
      'alert',
      'everAmbiguous',
      'duplicateSeen',
      'notFoundReads',
      'requestId',
    ] as const
  ).filter((field) => before[field] !== after[field]);
  const changes =
    changed.length === 0
      ? after.state
      : changed
          .map((field) => `${field} ${String(before[field])} → ${String(after[field])}`)
          .join(', ');
  const next =
    after.nextAt === null
      ? 'no next check'
      : `next check in ${((after.nextAt - now) / 1000).toFixed(1)} s`;
  return `${after.extId}: ${changes}; ${next}`;
}
