import type { TestMerchant } from '#lib/testing/database.ts';

/** Stores payouts that are drafts of the clerk, with references from `prefix` and 1 on. */
export async function storeDrafts(
  merchant: TestMerchant,
  prefix: string,
  count: number,
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id, created_at)
     SELECT gen_random_uuid(), $1, 'payout', $4 || n, 'DRAFT', '4410270001',
       'TR' || lpad(n::text, 24, '0'), 'Ayşe ' || n, '1234567890', n, 'TRY', '06', '', 'h', $2,
       now() - make_interval(secs => n)
     FROM generate_series(1, $3::int) n`,
    [merchant.merchantId, merchant.person('clerk').personId, count, prefix],
  );
}
