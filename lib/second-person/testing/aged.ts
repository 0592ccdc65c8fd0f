import type { TestMerchant } from '#lib/testing/database.ts';

/**
 * Makes every statement of this merchant's people older, as the database owner without the guard.
 */
export async function aged({ owner, merchantId }: TestMerchant, hours: number): Promise<void> {
  await unguarded(
    owner,
    'second_person_words',
    'second_person_words_guard',
    'UPDATE second_person_words SET at = at - make_interval(hours => $2) WHERE merchant_id = $1',
    [merchantId, hours],
  );
}

/**
 * Makes a movement older: its send, its first unclear moment, its acceptance. The worker's reads of
 * it keep their age.
 */
export async function agedMovement(
  { owner }: TestMerchant,
  id: string,
  hours: number,
): Promise<void> {
  const times = ['last_send_at', 'unclear_since', 'accepted_at', 'watch_since', 'state_since']
    .map((column) => `${column} = ${column} - make_interval(hours => $2)`)
    .join(', ');
  await unguarded(
    owner,
    'movements',
    'movements_unclear_once',
    `UPDATE movements SET ${times} WHERE id = $1`,
    [id, hours],
  );
}

/** Makes all evidence of a movement older by so many minutes. */
export async function agedLooks(
  { owner }: TestMerchant,
  id: string,
  minutes: number,
): Promise<void> {
  await unguarded(
    owner,
    'evidence',
    'evidence_append_only',
    'UPDATE evidence SET at = at - make_interval(mins => $2) WHERE movement_id = $1',
    [id, minutes],
  );
}

async function unguarded(
  owner: TestMerchant['owner'],
  table: string,
  trigger: string,
  statement: string,
  values: unknown[],
): Promise<void> {
  const connection = await owner.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`ALTER TABLE ${table} DISABLE TRIGGER ${trigger}`);
    await connection.query(statement, values);
    await connection.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}
