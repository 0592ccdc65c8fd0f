import { foldForSearch } from '#lib/values/turkish.ts';
import type { Found, MovementHit } from '#lib/search/find.ts';
import { ledgerHit, receiptHit, recipientHit, webhookHit, withdrawalHit } from './shown-hits.ts';
import type { ShownHit, Writing } from './shown-hits.ts';

/**
 * One payment is recorded in several places: its receipt, the provider's request and ledger entry,
 * the webhook, the saved recipient. A search shows them under the payment, not beside it.
 */
export type Gathered = {
  /** By the id of a movement. */
  under: ReadonlyMap<string, ShownHit[]>;
  /** Hits that belong to none of the movements that were found. */
  rest: Found;
};

export function gather(found: Found, w: Writing): Gathered {
  const movements = [...found.payouts.rows, ...found.transfers.rows];
  const byReference = new Map(movements.map((one) => [one.extId, one.id]));
  const under = new Map<string, ShownHit[]>(movements.map(({ id }) => [id, []]));
  const take = (id: string | null | undefined, shown: () => ShownHit): boolean => {
    const own = under.get(id ?? '');
    own?.push({ ...shown(), under: true });
    return own !== undefined;
  };
  const mine = ({ extId }: { extId: string | null }): string | undefined =>
    extId === null ? undefined : byReference.get(extId);
  const left = <T>(rows: readonly T[], isTaken: (one: T) => boolean): T[] =>
    rows.filter((one) => !isTaken(one));
  const named = (key: 'recipient' | 'receipt' | 'withdrawal' | 'ledger' | 'notice') => ({
    title: w.t(`under.${key}`),
  });
  const rest: Found = {
    ...found,
    recipients: {
      ...found.recipients,
      rows: left(found.recipients.rows, (one) =>
        take(paymentTo(one, found, movements), () => ({
          ...recipientHit(one, w),
          ...named('recipient'),
        })),
      ),
    },
    receipts: {
      ...found.receipts,
      rows: left(found.receipts.rows, (one) =>
        take(one.movement, () => ({ ...receiptHit(one, w), ...named('receipt'), amount: '' })),
      ),
    },
    withdrawals: {
      ...found.withdrawals,
      rows: left(found.withdrawals.rows, (one) =>
        take(mine(one), () => ({
          ...withdrawalHit(one, `/reports/withdrawals/${encodeURIComponent(one.id)}`, w),
          ...named('withdrawal'),
          amount: '',
        })),
      ),
    },
    ledger: {
      ...found.ledger,
      rows: left(found.ledger.rows, (one) =>
        take(mine(one), () => ({
          ...ledgerHit(one, `/reports/transactions/${encodeURIComponent(one.id)}`, w),
          ...named('ledger'),
        })),
      ),
    },
    notices: {
      ...found.notices,
      rows: left(found.notices.rows, (one) =>
        take(mine(one), () => ({ ...webhookHit(one, w), ...named('notice') })),
      ),
    },
  };
  return { under, rest };
}

/**
 * A recipient with exactly one payment among the hits is shown under that payment; with more
 * payments the recipient is a hit of its own.
 */
function paymentTo(
  { name, number }: Found['recipients']['rows'][number],
  { payouts, transfers }: Found,
  movements: readonly MovementHit[],
): string | null {
  const paid = movements.filter((one) => one.to === number);
  const [only] = paid;
  return only !== undefined &&
    paid.length === 1 &&
    !payouts.more &&
    !transfers.more &&
    foldForSearch(only.name) === foldForSearch(name)
    ? only.id
    : null;
}
