/** Makes payouts with their evidence by SQL, over two years and in parts of every month. */
import pg from 'pg';
import { insert, NUMBERED } from './seed.ts';
import type { Stand } from './stand.ts';

const DAYS = 720;
const MONTHS = 25;
/** In parts, so that a run that is interrupted ends soon. */
const AT_ONCE = 100_000;

/**
 * Divides all evidence so far by month too: an installation of two years that had the parts from
 * its beginning.
 */
export async function prepareMonths(stand: Stand): Promise<void> {
  await asSuperuser(stand, (client) =>
    client.query(`
      BEGIN;
      ALTER TABLE evidence DETACH PARTITION evidence_first;
      DO $$
      DECLARE month TIMESTAMP;
      BEGIN
        FOR month IN SELECT generate_series(
          date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${MONTHS} months',
          (SELECT min(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM [(]''([^'']+)''')::timestamptz)
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'evidence'::regclass) AT TIME ZONE 'UTC' - interval '1 month',
          '1 month') LOOP
          EXECUTE format('CREATE TABLE %I PARTITION OF evidence FOR VALUES FROM (%L) TO (%L)',
            'evidence_' || to_char(month, 'YYYY_MM'),
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        END LOOP;
      END $$;
      INSERT INTO evidence SELECT * FROM evidence_first;
      DROP TABLE evidence_first;
      COMMIT`),
  );
}

/** Adds payouts until there are `size`, each with five rows of evidence. */
export async function fillTo(stand: Stand, size: number): Promise<void> {
  await asSuperuser(stand, async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM movements');
    // Neither the checks of states and of foreign keys nor the changes of totals, row by row.
    await client.query('SET session_replication_role = replica');
    const indexes = await dropIndexes(client);
    for (let missing = size - rows[0]!.n; missing > 0; missing -= AT_ONCE) {
      stand.signal.throwIfAborted();
      const count = Math.min(AT_ONCE, missing);
      const { from, to } = await insert(stand, client, { count, state: 'COMPLETED', days: DAYS });
      await client.query(EVIDENCE, [stand.merchantId, from, to]);
    }
    await client.query('SET session_replication_role = DEFAULT');
    await client.query("SET maintenance_work_mem = '1GB'");
    for (const index of indexes) {
      stand.signal.throwIfAborted();
      await client.query(index);
    }
    await client.query('SELECT recount_movement_totals()');
    await client.query('VACUUM ANALYZE movements, evidence');
    // What was made is on disk before anything is measured that waits for the disk.
    await client.query('CHECKPOINT');
  });
}

/**
 * Drops the indexes that keep nothing unique, and gives the statements that make them again: each is
 * made once in a fraction of the time that ten million rows need with all of them in place.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; statement: string }>(`
    SELECT i.indexrelid::regclass::text AS name,
      replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS statement
    FROM pg_index i WHERE i.indrelid IN ('movements'::regclass, 'evidence'::regclass)
      AND NOT i.indisunique`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ statement }) => statement);
}

const EVIDENCE = `
  INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, raw, state_before,
    state_after, at)
  SELECT $1, m.id, step.source, step.kind, '{}', NULL, step.before, step.after,
    m.created_at + step.n * interval '1 second'
  FROM movements m CROSS JOIN (VALUES
    (1, 'person', 'submitted', 'DRAFT', 'APPROVED'), (2, 'worker', 'claimed', 'APPROVED', 'SUBMITTING'),
    (3, 'answer', 'answer', 'SUBMITTING', 'PENDING'), (4, 'read', 'read', 'PENDING', 'COMPLETED'),
    (5, 'ledger', 'ledger', 'COMPLETED', 'COMPLETED')) step (n, source, kind, before, after)
  WHERE ${NUMBERED}`;

export async function asSuperuser<T>(
  { superuserUrl }: Stand,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
