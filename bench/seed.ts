/**
 * Inserts payouts by SQL: as many as a figure needs, each with valid numbers and an IBAN of its
 * own.
 */
import type pg from 'pg';
import type { Stand } from './stand.ts';

const WALLET = '4410270001';
let made = 0;

/**
 * Inserts `count` payouts that are approved and not due. Returns the first and the last of their
 * numbers.
 */
export async function seedApproved(
  stand: Stand,
  count: number,
): Promise<{ from: number; to: number }> {
  const range = await insert(stand, stand.owner, { count, state: 'DRAFT' });
  for (const state of ['AWAITING_APPROVAL', 'APPROVED'])
    await stand.owner.query(`UPDATE movements SET state = $1 WHERE ${NUMBERED}`, [
      state,
      range.from,
      range.to,
    ]);
  return range;
}

/**
 * Inserts `count` payouts that were completed in the past, one a minute: the rows in which a list
 * finds a page.
 */
export async function seedCompleted(stand: Stand, count: number): Promise<void> {
  // These rows have no earlier states, which the triggers would check.
  await stand.owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
  await insert(stand, stand.owner, { count, state: 'COMPLETED' });
  await stand.owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
  await stand.owner.query('SELECT recount_movement_totals()');
  await stand.owner.query('VACUUM ANALYZE movements');
}

/**
 * Removes all work that an earlier part left due for the workers, so that it does not disturb the
 * next part.
 */
export async function forgetWork(stand: Stand): Promise<void> {
  await stand.owner.query('UPDATE movements SET next_at = NULL WHERE next_at IS NOT NULL');
  await stand.owner.query('UPDATE receipts SET next_at = NULL WHERE next_at IS NOT NULL');
}

/** Inserts payouts one a minute, or over so many `days`, the last one an hour ago. */
export async function insert(
  stand: Stand,
  through: Pick<pg.Client, 'query'>,
  { count, state, days }: { count: number; state: 'DRAFT' | 'COMPLETED'; days?: number },
): Promise<{ from: number; to: number }> {
  const from = made + 1;
  made += count;
  const apartSeconds = days === undefined ? 60 : (days * 86_400) / count;
  await through.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
      amount_minor, currency, payment_type, description, content_hash, maker_id,
       created_at, sends, accepted_at, ended_at, request_id, transaction_id, ledger_seen_at)
     SELECT gen_random_uuid(), $1, 'payout', 'BENCH' || lpad(n::text, 15, '0'), $6, $2,
       'TR' || lpad((98 - ((bban || '292700')::numeric % 97))::text, 2, '0') || bban,
       (ARRAY['Işıl', 'Çağrı', 'Deniz', 'Ömer', 'Şule', 'Ayşe', 'İpek', 'Umut'])[1 + n % 8] || ' '
         || (ARRAY['Öğütçü', 'Yılmaz', 'Kaya', 'Toprak', 'Er'])[1 + n % 5] || ' ' || n,
       '10000000146', 1000 + (n * 7919::bigint) % 99000 / 100 * 100, 'TRY', '06', 'Bench ' || n,
         md5(n::text), $3,
       at, done::int, CASE WHEN done THEN at END, CASE WHEN done THEN at END,
         CASE WHEN done THEN n::text END, CASE WHEN done THEN n::text END, CASE WHEN done THEN at END
     FROM (SELECT n, '000620' || lpad((n * 7)::text, 16, '0') AS bban,
       clock_timestamp() - make_interval(mins => 60, secs => ($5::int - n) * $7::float8) AS at,
       $6 = 'COMPLETED' AS done
       FROM generate_series($4::int, $5::int) n) numbered`,
    [stand.merchantId, WALLET, stand.makerId, from, made, state, apartSeconds],
  );
  return { from, to: made };
}

/** The condition for the payouts of a range of numbers; its bounds are the parameters 2 and 3. */
export const NUMBERED = `ext_id BETWEEN 'BENCH' || lpad($2::text, 15, '0') AND 'BENCH' || lpad($3::text, 15, '0')`;
