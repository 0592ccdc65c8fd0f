/** Payouts by SQL: as many as a figure needs, each with valid numbers and an IBAN of its own. */
import type { Stand } from './stand.ts';

const WALLET = '4410270001';
let made = 0;

/** `count` payouts that are approved and not due. Returns the first and last of their numbers. */
export async function seedApproved(stand: Stand, count: number): Promise<{ from: number; to: number }> {
  const from = made + 1;
  made += count;
  await stand.owner.query(
    `INSERT INTO movements (id, merchant_id, rail, ext_id, state, wallet, iban, name, tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id)
     SELECT gen_random_uuid(), $1, 'payout', 'BENCH' || lpad(n::text, 15, '0'), 'DRAFT', $2,
       'TR' || lpad((98 - ((bban || '292700')::numeric % 97))::text, 2, '0') || bban,
       (ARRAY['Işıl', 'Çağrı', 'Deniz', 'Ömer', 'Şule', 'Ayşe', 'İpek', 'Umut'])[1 + n % 8] || ' ' || (ARRAY['Öğütçü', 'Yılmaz', 'Kaya', 'Toprak', 'Er'])[1 + n % 5] || ' ' || n,
       '10000000146', 1000 + (n * 7919) % 99000 / 100 * 100, 'TRY', '06', 'Bench ' || n, md5(n::text), $3
     FROM (SELECT n, '000620' || lpad((n * 7)::text, 16, '0') AS bban FROM generate_series($4::int, $5::int) n) numbered`,
    [stand.merchantId, WALLET, stand.makerId, from, made],
  );
  for (const state of ['AWAITING_APPROVAL', 'APPROVED']) await stand.owner.query(`UPDATE movements SET state = $1 WHERE ${NUMBERED}`, [state, from, made]);
  return { from, to: made };
}

/** Our numbers as a range of references; parameters 2 and 3. */
export const NUMBERED = `ext_id BETWEEN 'BENCH' || lpad($2::text, 15, '0') AND 'BENCH' || lpad($3::text, 15, '0')`;
