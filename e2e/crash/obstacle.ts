import { Client } from 'pg';
import { rows } from '../database.ts';
import { DATABASE_URL } from '../surroundings.ts';

/** Blocks a worker, so that it is caught at one exact moment. */

export type Obstacle = {
  query(statement: string): Promise<unknown>;
  /** Whether a statement that contains `words` is blocked by it, or `count` of them. */
  holdsUp(words: string, count?: number): Promise<boolean>;
  /** The process ids of the connections that it blocks. */
  held(): Promise<number[]>;
  /** Terminates the connections that it blocks, as the server does when the client is gone. */
  cutOff(): Promise<void>;
  rollBack(): Promise<void>;
};

/** Transactions that a test has not ended yet. */
const open = new Set<Client>();

/** A transaction of another client. */
export async function transaction(statement = 'SELECT', values: unknown[] = []): Promise<Obstacle> {
  const client = new Client({ connectionString: DATABASE_URL });
  client.on('error', () => undefined);
  await client.connect();
  open.add(client);
  await client.query('BEGIN');
  await client.query(statement, values);
  const {
    rows: [mine],
  } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    query: (text) => client.query(text),
    holdsUp: async (words, count = 1) =>
      (
        await rows(
          `SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)) AND query LIKE '%' || $2 || '%'`,
          [mine!.pid, words],
        )
      ).length >= count,
    held: async () =>
      (
        await rows<{ pid: number }>(
          'SELECT pid FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
          [mine!.pid],
        )
      ).map(({ pid }) => pid),
    cutOff: async () =>
      void (await rows(
        'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
        [mine!.pid],
      )),
    async rollBack() {
      open.delete(client);
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

/** The statement that the connection runs, or ran last. */
export async function lastQuery(pid: number): Promise<string | undefined> {
  const [row] = await rows<{ query: string }>('SELECT query FROM pg_stat_activity WHERE pid = $1', [
    pid,
  ]);
  return row?.query;
}

/** An arbitrary lock id; a commit of a claim has to take this lock. */
const HELD = 4711;

/**
 * The write in a transaction that lets a request leave: an attempt, or a plan's charge set to
 * sending.
 */
const LEAVING = {
  attempts: 'INSERT ON attempts',
  plan_charges: 'UPDATE OF state ON plan_charges',
} as const;

/**
 * From now on no claim of a send can commit: the worker does everything up to its commit, and is
 * blocked there.
 */
export async function heldCommit(table: keyof typeof LEAVING = 'attempts'): Promise<Obstacle> {
  await freeCommits();
  await rows(`
    CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0
      AS 'BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER hold_commit AFTER ${LEAVING[table]}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
  return transaction(`SELECT pg_advisory_xact_lock(${HELD})`);
}

/**
 * Unblocks all commits, also after a test that failed half-way; without effect when none is
 * blocked.
 */
export async function freeCommits(): Promise<void> {
  for (const client of open) await client.end().catch(() => undefined);
  open.clear();
  await rows('DROP FUNCTION IF EXISTS hold_commit CASCADE');
}
