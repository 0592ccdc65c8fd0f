import { Client } from 'pg';
import { rows } from '../database.ts';
import { DATABASE_URL } from '../surroundings.ts';
import { until } from './trouble.ts';

/** A lock that blocks a worker, so that a test can stop it at one exact moment. */

export type Obstacle = {
  query(statement: string): Promise<unknown>;
  /** Whether this transaction blocks `count` statements that contain `words`. */
  holdsUp(words: string, count?: number): Promise<boolean>;
  /** The process ids of the connections that this transaction blocks. */
  held(): Promise<number[]>;
  /**
   * Terminates the connections that this transaction blocks, and those that wait for them, as the
   * server does when a client is gone.
   */
  cutOff(): Promise<void>;
  rollBack(): Promise<void>;
};

/** The transactions that a test has not ended yet. */
const open = new Set<Client>();

/** Begins a transaction by a client of its own. */
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
        `WITH RECURSIVE blocked(pid) AS (
           SELECT $1::int
           UNION
           SELECT waiting.pid FROM pg_stat_activity waiting
             JOIN blocked ON blocked.pid = ANY(pg_blocking_pids(waiting.pid))
         )
         SELECT pg_terminate_backend(pid, 5000)
           FROM unnest((SELECT array_agg(pid) FROM blocked WHERE pid <> $1)) AS pid`,
        [mine!.pid],
      )),
    async rollBack() {
      open.delete(client);
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

/** The statement that the connection runs, or the last one that it ran. */
export async function lastQuery(pid: number): Promise<string | undefined> {
  const [row] = await rows<{ query: string }>('SELECT query FROM pg_stat_activity WHERE pid = $1', [
    pid,
  ]);
  return row?.query;
}

/**
 * The id of an advisory lock, chosen arbitrarily. Every commit of a claim has to take this lock.
 */
const HELD = 4711;

/**
 * The write that every transaction which lets a request leave makes: an attempt, or a plan's charge
 * set to SENDING.
 */
const LEAVING = {
  attempts: 'INSERT ON attempts',
  plan_charges: 'UPDATE OF state ON plan_charges',
} as const;

/**
 * Blocks every commit of a claim of a send, from now on: the worker does everything before it, and
 * waits there.
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
 * Begins a transaction that locks the audit log from the moment at which `commit` is unblocked: a
 * worker that has committed its claim waits there, before anything leaves. It waits for as long as a
 * statement may take, and not only for the two seconds of a lock.
 */
export async function heldTrail(commit: Obstacle): Promise<Obstacle> {
  await rows('ALTER FUNCTION audit_link(uuid, integer) SET lock_timeout = 0');
  const trail = await transaction();
  const locked = trail.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  await until(
    'the trail is wanted by somebody',
    async () =>
      (
        await rows(
          `SELECT FROM pg_locks WHERE relation = 'audit_entries'::regclass
            AND mode = 'AccessExclusiveLock' AND NOT granted`,
        )
      ).length > 0,
  );
  await commit.rollBack();
  await locked;
  return trail;
}

/**
 * Whether a worker links the entry of its claim, and so knows that the claim is committed: two of
 * its statements wait, one for the audit log and one for its head. One is of the lane that links what
 * is queued, the other of its send, or of a heartbeat in the same moment.
 */
export async function linksItsClaim(): Promise<boolean> {
  const waiting = await rows(
    `SELECT FROM pg_stat_activity WHERE usename = 'dashboard_worker' AND wait_event_type = 'Lock'
      AND query LIKE '%audit_link(%'`,
  );
  return waiting.length > 1;
}

/**
 * Unblocks all commits, also after a test that failed half-way. Without a blocked commit it does
 * nothing.
 */
export async function freeCommits(): Promise<void> {
  for (const client of open) await client.end().catch(() => undefined);
  open.clear();
  await rows(`DROP FUNCTION IF EXISTS hold_commit CASCADE;
    ALTER FUNCTION audit_link(uuid, integer) RESET lock_timeout`);
}
