import 'server-only';
import { inflateRaw, constants } from 'node:zlib';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Frame, Profile, SourceName, Sums } from './profile.ts';

/**
 * Who makes an export, and how far it is. A claim runs out; whoever comes next goes on behind the
 * last stored piece.
 */

const LEASE_SECONDS = 15;
/**
 * An export that ends its maker each time is given up. What has been stored since counts as a new
 * beginning.
 */
const TRIES_MAX = 5;

/**
 * Behind the last stored piece. `crc`, `size` and `packed` are those of the entry with the rows.
 */
export type Progress = {
  pieces: number;
  rows: number;
  place: string | null;
  ended: boolean;
  crc: number;
  size: number;
  packed: number;
  sums: Sums;
};

/** `askedAt` as an instant in UTC with all its digits. */
export type Job = {
  merchantId: string;
  id: string;
  token: string;
  source: SourceName;
  profile: Profile;
  filter: string;
  frame: Frame;
  askedAt: string;
  progress: Progress | null;
};

/** Takes the oldest export that nobody makes; null when there is none. */
export async function claimExport(merchantId: string): Promise<Job | null> {
  const [row] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<(Omit<Job, 'merchantId'> & { state: string })[]>`
    UPDATE exports SET tries = tries + 1, state = CASE WHEN tries < ${TRIES_MAX} THEN 'MAKING'
      ELSE 'FAILED' END,
      lease_token = gen_random_uuid(),
        lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = (SELECT id FROM exports WHERE merchant_id = ${merchantId}::uuid AND state = 'MAKING'
      AND lease_until <= statement_timestamp() ORDER BY lease_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, state, lease_token AS token, source, profile, filter, frame, progress,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "askedAt"`,
  );
  if (row === undefined || row.state === 'FAILED') return null;
  return { ...row, merchantId };
}

/**
 * Stores a piece together with the place behind it. The first comes with what stands before the
 * rows. Refused when the claim has run out and another has taken it, or it was deleted.
 */
export async function keepPiece(
  job: Job,
  progress: Progress,
  parts: readonly Buffer[],
): Promise<void> {
  const rowsAt = parts.length === 2 ? parts[0]!.length : 0;
  await inTransaction(job.merchantId, async (tx) => {
    // Pieces and progress are lost together, if at all, and are then made again: no piece waits for
    // the disk.
    await tx.$executeRaw`SELECT set_config('synchronous_commit', 'off', true)`;
    const kept = await tx.$executeRaw`
      WITH held AS (
        UPDATE exports SET progress = ${JSON.stringify(progress)}::jsonb, rows = ${progress.rows},
          tries = 0, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
        WHERE ${heldBy(job)} RETURNING id)
      INSERT INTO export_pieces (merchant_id, export_id, n, rows_at, bytes)
      SELECT ${job.merchantId}::uuid, id, ${progress.pieces}, ${rowsAt}, ${Buffer.concat(parts)}
        FROM held`;
    if (kept !== 1) throw new Error('an export is made by somebody else, or is no longer wanted');
  });
}

/** The end of the file: from now on it can be taken whole. */
export async function keepLast(
  job: Job,
  last: { bytes: Buffer; rows: number; sums: Sums; digest: string; size: number },
): Promise<void> {
  await inTransaction(job.merchantId, async (tx) => {
    const kept = await tx.$executeRaw`
      WITH held AS (
        UPDATE exports SET state = 'READY', rows = ${last.rows},
          sums = ${JSON.stringify(last.sums)}::jsonb, digest = ${last.digest}, size = ${last.size},
          progress = NULL, lease_token = NULL, finished_at = clock_timestamp() WHERE ${heldBy(job)}
            RETURNING id)
      INSERT INTO export_pieces (merchant_id, export_id, n, rows_at, bytes)
      SELECT ${job.merchantId}::uuid, id,
        (SELECT max(n) + 1 FROM export_pieces WHERE export_id = id), 0, ${last.bytes} FROM held`;
    if (kept !== 1) throw new Error('an export is made by somebody else, or is no longer wanted');
  });
}

/** Somebody else may go on now. */
export async function giveBack(job: Job): Promise<void> {
  await inTransaction(
    job.merchantId,
    (tx) =>
      tx.$executeRaw`UPDATE exports SET lease_until = clock_timestamp(), lease_token = NULL,
        tries = 0 WHERE ${heldBy(job)}`,
  );
}

/** The rows of a stored piece as they were before they were packed. */
export async function storedRows(job: Job, n: number): Promise<Buffer> {
  const packed = await inTransaction(job.merchantId, (tx) => readPiece(tx, job.id, n));
  return new Promise((resolve, reject) => {
    inflateRaw(packed, { finishFlush: constants.Z_SYNC_FLUSH }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
}

async function readPiece(tx: Tx, id: string, n: number): Promise<Buffer> {
  const [piece] = await tx.$queryRaw<
    { rows_at: number; bytes: Buffer }[]
  >`SELECT rows_at, bytes FROM export_pieces WHERE export_id = ${id}::uuid AND n = ${n}`;
  if (piece === undefined) throw new Error('a piece of an export is missing');
  return piece.bytes.subarray(piece.rows_at);
}

function heldBy(job: Job): ReturnType<typeof sql> {
  return sql`id = ${job.id}::uuid AND state = 'MAKING' AND lease_token = ${job.token}::uuid`;
}
