import { dayIn } from '#lib/values/dates.ts';
import type { Found } from '#lib/search/find.ts';
import type { Reading } from '#lib/readings/understand.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { cardGroups } from './card-hits.ts';
import { gather } from './companions.ts';
import {
  failedTopUpHit,
  group,
  ledgerHit,
  movementHit,
  receiptHit,
  recipientHit,
  walletHit,
  webhookHit,
  withdrawalHit,
} from './shown-hits.ts';
import type { ShownGroup, ShownHit, Writing } from './shown-hits.ts';

/**
 * Matches in our own records, one group for each kind of thing; empty groups are left out. What
 * belongs to a payment that was found stands under it.
 */
export async function groupsOf(
  found: Found,
  readings: readonly Reading[],
  text: string,
  w: Writing,
): Promise<ShownGroup[]> {
  const q = encodeURIComponent(text);
  const { under, rest } = gather(found, w);
  const withCompanions = (list: 'payouts' | 'transfers'): ShownHit[] =>
    found[list].rows.flatMap((one) => [movementHit(one, list, w), ...(under.get(one.id) ?? [])]);
  // The card lists can be searched by number and by amount, but not by name.
  const listed = readings.some(({ kind }) => kind !== 'name');
  const cards = {
    payments: listed ? `/cards/payments?q=${q}` : '/cards/payments',
    plans: listed ? `/cards/recurring?q=${q}` : '/cards/recurring',
  };
  const more = (one: { more: boolean }, list: string): string | null => (one.more ? list : null);
  return [
    group('payouts', withCompanions('payouts'), more(found.payouts, `/payouts?q=${q}`), w),
    group('transfers', withCompanions('transfers'), more(found.transfers, `/transfers?q=${q}`), w),
    ...(await cardGroups(found, cards, w)),
    group(
      'recipients',
      rest.recipients.rows.map((one) => recipientHit(one, w)),
      more(found.recipients, `/recipients?q=${q}`),
      w,
    ),
    group(
      'wallets',
      found.wallets.rows.map((one) => walletHit(one, w)),
      more(found.wallets, '/wallets'),
      w,
    ),
    group(
      'withdrawals',
      rest.withdrawals.rows.map((one) =>
        withdrawalHit(one, `/reports/withdrawals/${encodeURIComponent(one.id)}`, w),
      ),
      more(found.withdrawals, `/reports/withdrawals?q=${q}&from=${since(found.withdrawals)}`),
      w,
    ),
    group(
      'ledger',
      rest.ledger.rows.map((one) =>
        ledgerHit(one, `/reports/transactions/${encodeURIComponent(one.id)}`, w),
      ),
      more(found.ledger, `/reports/transactions?q=${q}&from=${since(found.ledger)}`),
      w,
    ),
    group(
      'failedTopUps',
      found.failedTopUps.rows.map((one) => failedTopUpHit(one, w)),
      more(found.failedTopUps, '/money-in/failed'),
      w,
    ),
    group(
      'receipts',
      rest.receipts.rows.map((one) => receiptHit(one, w)),
      more(found.receipts, `/receipts?q=${q}`),
      w,
    ),
    group(
      'notices',
      rest.notices.rows.map((one) => webhookHit(one, w)),
      more(found.notices, `/webhooks?q=${q}`),
      w,
    ),
  ].filter((one) => one.hits.length > 0);
}

/** Reports are filtered by day: the day of the oldest match, which the search does not show. */
function since({ oldest }: { oldest: string | null }): string {
  return dayIn(oldest ?? new Date().toISOString(), workspace().timeZone);
}
