import { dayIn } from '#lib/values/dates.ts';
import type { Found } from '#lib/search/find.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import {
  failedTopUpHit,
  group,
  hit,
  ledgerHit,
  movementHit,
  recipientHit,
  walletHit,
  webhookHit,
  withdrawalHit,
} from './shown-hits.ts';
import type { ShownGroup, Writing } from './shown-hits.ts';

/** Matches in our own records, one group for each list of the product; empty groups are left out. */
export function groupsOf(found: Found, text: string, w: Writing): ShownGroup[] {
  const q = encodeURIComponent(text);
  const more = (one: { more: boolean }, list: string): string | null => (one.more ? list : null);
  return [
    group(
      'payouts',
      found.payouts.rows.map((one) => movementHit(one, 'payouts', w)),
      more(found.payouts, `/payouts?q=${q}`),
      w,
    ),
    group(
      'transfers',
      found.transfers.rows.map((one) => movementHit(one, 'transfers', w)),
      more(found.transfers, `/transfers?q=${q}`),
      w,
    ),
    group(
      'recipients',
      found.recipients.rows.map((one) => recipientHit(one, w)),
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
      found.withdrawals.rows.map((one) =>
        withdrawalHit(one, `/reports/withdrawals/${encodeURIComponent(one.id)}`, w),
      ),
      more(found.withdrawals, `/reports/withdrawals?q=${q}&from=${since(found.withdrawals)}`),
      w,
    ),
    group(
      'ledger',
      found.ledger.rows.map((one) =>
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
      found.receipts.rows.map((one) =>
        hit(`receipts-${one.id}`, `/receipts/${one.id}`, one.name, w.t('receiptReady'), one, w),
      ),
      more(found.receipts, `/receipts?q=${q}`),
      w,
    ),
    group(
      'notices',
      found.notices.rows.map((one) => webhookHit(one, w)),
      more(found.notices, `/webhooks?q=${q}`),
      w,
    ),
  ].filter((one) => one.hits.length > 0);
}

/** Reports are filtered by day: the day of the oldest match, which stands last. */
function since({ rows }: { rows: { at: string }[] }): string {
  return dayIn(rows.at(-1)?.at ?? new Date().toISOString(), workspace().timeZone);
}
