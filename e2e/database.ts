import { Client } from 'pg';
import { DATABASE_URL } from './surroundings.ts';

/**
 * Queries the product's database as its owner, without tenant isolation, to see what is really
 * stored.
 */
export async function rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: DATABASE_URL });
  // A broken connection rejects the query. Without this listener its error event would also end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export type Stored = {
  id: string;
  ext_id: string;
  state: string;
  returned: string;
  sends: number;
  retry_of: string | null;
};

/** Every payout of ours to that IBAN, oldest first. */
export function intentsTo(iban: string): Promise<Stored[]> {
  return rows<Stored>(
    'SELECT id, ext_id, state, returned, sends, retry_of FROM movements WHERE iban = $1 ORDER BY created_at',
    [iban],
  );
}

export async function movementCount(): Promise<number> {
  const [row] = await rows<{ count: number }>('SELECT count(*)::int AS count FROM movements');
  return row!.count;
}

/** Devices that are not a person's first, and of which that person has not been told yet. */
export function untoldDevices(): Promise<unknown[]> {
  return rows(
    `SELECT d.id FROM known_devices d
      WHERE EXISTS (SELECT FROM known_devices e
        WHERE e.person_id = d.person_id AND e.created_at < d.created_at)
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.thing = 'device:' || d.id)`,
  );
}
