import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { linkQueue } from '#lib/audit/append.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { countFailedCheckpoint } from '#lib/send-control/failed-checkpoints.ts';
import { holdsEntry, TIMELINE } from '#lib/movements/checkpoint-held.ts';
import { beginRecovery } from './begin.ts';
import { judgeDatabase, marksSince, successorsOf } from './checkpoint.ts';
import type { DatabaseName, Found, Checkpoint, Why } from './checkpoint.ts';
import { forgetCheckpoints, readCheckpoints, writeCheckpoint } from './checkpoint-file.ts';

/**
 * How long to watch for the heartbeats of other workers: longer than the time between two of them.
 */
const COMPANY_WATCH_MS = 6_000;
const NO_HASH = '0'.repeat(64);

export type CheckpointKeeper = {
  /**
   * The entry that a claim must find in the database before it sends; null until the database was
   * compared, and while no checkpoint can be written.
   */
  known(): Checkpoint | null;
  /**
   * Compares the database with the checkpoints and writes a new one. Begins a recovery when it is
   * not the database that the workers used.
   */
  look(): Promise<void>;
  /**
   * Resolves true when a checkpoint that includes everything committed so far is on disk; false
   * when it cannot be written.
   */
  written(): Promise<boolean>;
};

/**
 * `isWorker`: workers store in the database that checkpoints were written, so that a worker's
 * missing checkpoint begins a recovery. A web process may begin with an empty folder: for it only
 * the existing files count. `companyWatchMs`: how long to watch for other workers.
 */
type Options = {
  merchantId: string;
  worker: string;
  folder: string;
  quietMs: number;
  isWorker: boolean;
  companyWatchMs?: number;
};

/**
 * Keeps this worker's checkpoint. A claimed send waits until its own claim is in the checkpoint, so
 * that the restore of a backup from before the send is always noticed; concurrent sends share one
 * write.
 */
export function keepCheckpoint(options: Options): CheckpointKeeper {
  let known: Checkpoint | null = null;
  let writable = true;
  let place: Pick<Checkpoint, 'database' | 'successors'> | null = null;
  /** Writes run one after the other; `waiting` is the one that has not begun. */
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<boolean> | null = null;

  const write = async (): Promise<boolean> => {
    try {
      // Only a comparison may reset `known`: as long as a database lacks that entry, or is not on the
      // timeline that was compared, the checkpoint stays as it is.
      if (place === null) return false;
      const head = await readHead(options.merchantId, known, place.database.timeline);
      if (head === null) return false;
      const mark = { ...head, ...place };
      await writeCheckpoint(options.folder, options.worker, mark);
      known = mark;
      writable = true;
      return true;
    } catch (error) {
      writable = false;
      reportUnwritten(options.worker, error);
      return false;
    }
  };
  /**
   * A write in progress may have read the chain before the caller's commit, so the caller needs the
   * next one.
   */
  const written = (): Promise<boolean> => {
    waiting ??= last.then(() => {
      waiting = null;
      return write();
    });
    last = waiting;
    return waiting;
  };

  return {
    // A checkpoint that could not be written stops all claims, not only the current send.
    known: () => (writable ? known : null),
    async look() {
      const { marks, unreadable, wasMarked, isOlder } = await readMarks(options, () => known);
      if (isOlder) known = null;
      const isExpected = wasMarked && !isOlder;
      const hasCompany = marks.length === 0 && isExpected && (await seesOthersBeat(options));
      const compared = await compare(options, {
        wasMarked: isExpected,
        hasCompany,
        marks,
        unreadable,
      });
      place = { database: compared.database, successors: compared.successors };
      if (compared.why !== null) {
        log.error('this database is not the one that was worked with: recovery', {
          worker: options.worker,
          reason: compared.why,
        });
        known = null;
      }
      if (!(await written())) throw new Error('no checkpoint could be written');
      if (options.isWorker && !wasMarked) await noteMarked(options.merchantId);
      await forgetCheckpoints(options.folder, options.worker, compared.why !== null);
    },
    written,
  };
}

/**
 * The checkpoints to compare with, and whether the process's own one is older than the latest
 * recovery: then it is outdated, not missing.
 */
async function readMarks(
  { merchantId, folder, isWorker }: Options,
  own: () => Checkpoint | null,
): Promise<{ marks: Checkpoint[]; unreadable: boolean; wasMarked: boolean; isOlder: boolean }> {
  // Keep this order: the checkpoint is on disk before the database says that one was written.
  const before = await readBefore(merchantId);
  const { marks, unreadable } = await readCheckpoints(folder);
  const known = own();
  const all = marksSince(known === null ? marks : [known, ...marks], before.recoveredAt);
  const isOlder = known !== null && !all.includes(known);
  return { marks: all, unreadable, wasMarked: isWorker && before.wasMarked, isOlder };
}

/** Compares the database with these checkpoints. A recovery begins in the same transaction. */
async function compare(
  options: Options,
  {
    wasMarked,
    hasCompany,
    marks,
    unreadable,
  }: Omit<Found, 'database' | 'standbyName' | 'marks'> & { marks: readonly Checkpoint[] },
): Promise<{ why: Why | null } & Pick<Checkpoint, 'database' | 'successors'>> {
  return inTransaction(options.merchantId, async (tx) => {
    const { database, standbyName, successors } = await readDatabase(tx);
    const there = await tx.$queryRaw<{ seq: bigint; hash: Uint8Array }[]>`
      SELECT seq, hash FROM audit_entries WHERE seq = ANY(${marks.map((mark) => mark.seq)}::bigint[])`;
    const hashes = new Map(
      there.map((row) => [row.seq.toString(), Buffer.from(row.hash).toString('hex')]),
    );
    // The chain of an empty database has no entry, so none can be missing.
    const hashThere = (mark: Checkpoint): string | null =>
      mark.seq === '0' ? mark.hash : (hashes.get(mark.seq) ?? null);
    const why = judgeDatabase({
      database,
      standbyName,
      wasMarked,
      hasCompany,
      marks: marks.map((mark) => ({ mark, hashThere: hashThere(mark) })),
      unreadable,
    });
    if (why !== null)
      await beginRecovery(
        tx,
        { kind: 'worker', merchantId: options.merchantId },
        why,
        '',
        options.quietMs,
      );
    return { why, database, successors };
  });
}

/**
 * Whether another worker is at work on this database now. Only a heartbeat that grows during the
 * watch proves it: a constant one may have been restored with the rest.
 */
async function seesOthersBeat({
  merchantId,
  worker,
  companyWatchMs = COMPANY_WATCH_MS,
}: Options): Promise<boolean> {
  const before = await readBeats(merchantId, worker);
  await pause(companyWatchMs);
  const after = await readBeats(merchantId, worker);
  return [...after].some(([name, at]) => before.get(name) !== at);
}

async function readBeats(merchantId: string, worker: string): Promise<Map<string, number>> {
  const rows = await inTransaction(
    merchantId,
    (tx) =>
      tx.$queryRaw<
        { worker: string; at: Date }[]
      >`SELECT worker, at FROM worker_heartbeats WHERE worker <> ${worker}`,
  );
  return new Map(rows.map((row) => [row.worker, row.at.getTime()]));
}

/** Whether a checkpoint of this database was written before, and when its latest recovery began. */
async function readBefore(
  merchantId: string,
): Promise<{ wasMarked: boolean; recoveredAt: number | null }> {
  const [row] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<[{ was_marked: boolean; recovered_at: Date | null }]>`
    SELECT EXISTS (SELECT FROM installations WHERE marked_at IS NOT NULL) AS was_marked,
      (SELECT max(began_at) FROM recoveries) AS recovered_at`,
  );
  return { wasMarked: row.was_marked, recoveredAt: row.recovered_at?.getTime() ?? null };
}

async function noteMarked(merchantId: string): Promise<void> {
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    INSERT INTO installations (merchant_id, marked_at) VALUES (${merchantId}::uuid, clock_timestamp())
    ON CONFLICT (merchant_id) DO UPDATE SET marked_at = excluded.marked_at`,
  );
}

/**
 * The newest entry of the chain with everything that is committed so far; null when the chain lacks
 * the `known` entry, and when the server is on another timeline: a standby was promoted.
 */
async function readHead(
  merchantId: string,
  known: Checkpoint | null,
  timeline: number,
): Promise<Omit<Checkpoint, 'database' | 'successors'> | null> {
  await linkQueue(merchantId);
  const [row] = await inOne<{ seq: bigint; hash: Uint8Array | null; now: Date; holds: boolean }>(
    merchantId,
    sql`SELECT coalesce(h.seq, 0) AS seq, h.hash, clock_timestamp() AS now,
      coalesce(${TIMELINE} = ${timeline}::int, FALSE)
        AND ${known === null ? sql`TRUE` : holdsEntry(known)} AS holds
      FROM (VALUES (1)) AS one LEFT JOIN audit_heads h ON TRUE`,
  );
  if (!row!.holds) return null;
  return {
    seq: row!.seq.toString(),
    hash: row!.hash === null ? NO_HASH : Buffer.from(row!.hash).toString('hex'),
    at: row!.now.toISOString(),
  };
}

/** The database's name, that of its present server, and who may take that server's place. */
async function readDatabase(
  tx: Tx,
): Promise<Pick<Checkpoint, 'database' | 'successors'> & Pick<Found, 'standbyName'>> {
  const [{ standby, names, commit, ...database }] = await tx.$queryRaw<
    [DatabaseName & { standby: string | null; names: string; commit: string }]
  >`
    SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
      ${TIMELINE} AS timeline,
      (SELECT oid::bigint::float8 FROM pg_database WHERE datname = current_database()) AS oid,
      nullif(current_setting('dashboard.standby_name', true), '') AS standby,
      current_setting('synchronous_standby_names') AS names,
      current_setting('synchronous_commit') AS commit`;
  return { database, standbyName: standby, successors: successorsOf(names, commit) };
}

function reportUnwritten(worker: string, error: unknown): void {
  countFailedCheckpoint({ file: 'mark' });
  log.error('the mark beside the database cannot be written: nothing is sent', {
    worker,
    ...errorFields(error),
  });
}
