import { Client } from 'pg';
import { rows } from '../database.ts';
import { DATABASE_URL } from '../surroundings.ts';

/** What stands in a worker's way, so that it is caught at one exact moment. */

export type Obstacle = {
  query(statement: string): Promise<unknown>;
  /** Whether a statement with these words waits for it. */
  holdsUp(words: string): Promise<boolean>;
  /** Ends the connections that wait for it, as the server does when nobody is at the other end any more. */
  cutOff(): Promise<void>;
  rollBack(): Promise<void>;
};

/** Somebody else's transaction. */
export async function transaction(statement = 'SELECT', values: string[] = []): Promise<Obstacle> {
  const client = new Client({ connectionString: DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement, values);
  const { rows: [mine] } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    query: (text) => client.query(text),
    holdsUp: async (words) => (await rows(`SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)) AND query LIKE '%' || $2 || '%'`, [mine!.pid, words])).length > 0,
    cutOff: async () => void (await rows('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [mine!.pid])),
    async rollBack() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

/** Any number; whoever commits a claim has to have it. */
const HELD = 4711;

/** From now on no claim of a send can commit: all that a worker does before its commit is done, and the commit waits. */
export async function heldCommit(): Promise<Obstacle> {
  await rows(`
    CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS 'BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON attempts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
  return transaction(`SELECT pg_advisory_xact_lock(${HELD})`);
}

/** Nobody is held up any more; without effect when nobody was. */
export async function freeCommits(): Promise<void> {
  await rows('DROP FUNCTION IF EXISTS hold_commit CASCADE');
}
