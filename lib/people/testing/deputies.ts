import type { Person } from '#lib/access/actor.ts';
import type { TestMerchant } from '#lib/testing/database.ts';

/** `fromDays`, `toDays`: the period from now, in days; it need not begin or end at midnight. */
type Span = { fromDays?: number; toDays?: number };

/**
 * A confirmed deputyship of any instants, as the database's owner without the guard; returns its id.
 * For what no verb makes: periods of the past, pairs that no rule allows.
 */
export async function storedDeputyship(
  { owner, merchantId }: TestMerchant,
  deputy: Pick<Person, 'personId'>,
  person: Pick<Person, 'personId'>,
  { fromDays = -1, toDays = 1 }: Span = {},
): Promise<string> {
  return unguarded(
    owner,
    `INSERT INTO deputyships (merchant_id, person_id, deputy_id, first_day, last_day, starts_at,
        ends_at, asked_by, reason, confirmed_at)
      VALUES ($1, $2, $3, current_date, current_date, now() + make_interval(secs => $4),
        now() + make_interval(secs => $5), $2, 'test', now() - interval '1 hour') RETURNING id`,
    [merchantId, person.personId, deputy.personId, fromDays * 86_400, toDays * 86_400],
  );
}

/** Moves the instants of a deputyship into the past, so that it has run out. */
export async function runOut({ owner }: TestMerchant, id: string): Promise<void> {
  await unguarded(
    owner,
    `UPDATE deputyships SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 ms'
      WHERE id = $1 RETURNING id`,
    [id],
  );
}

async function unguarded(
  owner: TestMerchant['owner'],
  statement: string,
  values: unknown[],
): Promise<string> {
  const connection = await owner.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('ALTER TABLE deputyships DISABLE TRIGGER deputyships_guard');
    const { rows } = await connection.query<{ id: string }>(statement, values);
    await connection.query('ALTER TABLE deputyships ENABLE TRIGGER deputyships_guard');
    await connection.query('COMMIT');
    return rows[0]!.id;
  } finally {
    connection.release();
  }
}
