import { rows } from './database.ts';

/** Every page of the menu, and every page that a link on them opens without a row. */
export const PAGES = [
  '/',
  '/wallets',
  '/wallets/account',
  '/wallets/new',
  '/wallets/4410270001',
  '/search?q=1.234',
  '/payouts',
  '/payouts/new',
  '/transfers',
  '/transfers/new',
  '/payouts/export?q=şafak&view=completed',
  '/approvals',
  '/policy',
  '/system',
  '/waiting',
  '/recipients',
  '/recipients?view=archived&q=şafak',
  '/recipients/bring',
  '/batches',
  '/batches/new',
  '/money-in',
  '/money-in/failed',
  '/reports/day-close',
  '/receipts',
  '/receipts/archives',
  '/receipts/archives/new',
  '/reports/withdrawals',
  '/reports/withdrawals/export',
  '/reports/reconciliation',
  '/cards/payments',
  '/cards/authorizations',
  '/cards/tools',
  '/cards/tools/pos?bin=450803&amount=1000',
  '/cards/tools/links',
  '/cards/tools/connection',
  '/cards/tools/hash-keys',
  '/cards/recurring',
  '/cards/saved',
  '/cards/saved?customer=900719',
  '/cards/payments/new',
  '/cards/links',
  '/reports/transactions?type=payout',
  '/reports/transactions/export',
  '/reports/exports',
  '/developers',
  '/developers/webhooks',
  '/developers/requests',
  '/developers/requests?show=failed',
  '/developers/reference',
  '/webhooks',
  '/audit',
  '/people',
  '/people/rights',
  '/notifications',
  '/notifications?view=unread',
  '/settings',
  '/settings/passkeys',
  '/help',
  '/nowhere',
] as const;

/** The pages of existing rows: one for each state in which a row is. */
export async function pagesOfRows(): Promise<string[]> {
  // Other stories make rows of another merchant.
  const ours = `merchant_id = (SELECT merchant_id FROM people WHERE email = 'can@demo.test')`;
  const paths = await rows<{ path: string }>(`
    (SELECT DISTINCT ON (state, returned) '/payouts/' || id AS path FROM movements
      WHERE card_payment_id IS NULL AND ${ours} ORDER BY state, returned, created_at DESC)
    UNION ALL (SELECT '/approvals/' || id FROM movements WHERE state = 'AWAITING_APPROVAL'
      AND ${ours} ORDER BY created_at DESC LIMIT 1)
    UNION ALL (SELECT '/cards/recurring/' || id FROM recurring_plans WHERE ${ours} ORDER BY id LIMIT 1)
    UNION ALL (SELECT DISTINCT ON (state, format) '/receipts/' || id FROM receipts
      WHERE ${ours} ORDER BY state, format, created_at DESC)
    UNION ALL (SELECT '/recipients/' || id FROM recipients WHERE ${ours}
      ORDER BY used_at DESC LIMIT 2)
    UNION ALL (SELECT '/batches/' || id FROM batches WHERE ${ours}
      ORDER BY created_at DESC LIMIT 1)
    UNION ALL (SELECT '/money-in/' || id FROM ledger_records WHERE type_id = 1004 AND ${ours}
      LIMIT 1)
    UNION ALL (SELECT DISTINCT ON (kind, state) '/money-in/failed/' || id FROM failed_top_ups
      WHERE ${ours})
    UNION ALL (SELECT DISTINCT ON (kind, state) '/cards/payments/' || id || CASE WHEN state IS NULL
      AND sent_at IS NULL AND kind <> 'link' THEN '/take' ELSE '' END FROM card_payments
      WHERE source = 'made_here' AND ${ours} ORDER BY kind, state)
    UNION ALL (SELECT '/people/' || id FROM people WHERE email = 'can@demo.test')
    UNION ALL (SELECT '/webhooks?notice=' || id FROM notices WHERE ${ours}
      ORDER BY id DESC LIMIT 1)`);
  return paths.map(({ path }) => path);
}
