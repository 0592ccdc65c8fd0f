import 'server-only';
import { inflateRaw, constants } from 'node:zlib';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Frame, Profile, SourceName, Sums } from './profile.ts';

/**
 * The claim of an export by a worker, and its progress. A claim expires; the next worker continues
 * after the last stored piece.
 */

const LEASE_SECONDS = 15;
/**
 * An export that crashes its worker this many times in a row fails. Each stored piece resets the
 * count.
 */
const TRIES_MAX = 5;

/**
 * The state after the last stored piece. `crc`, `size` and `packed` are those of the ZIP entry with
 * the rows.
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

/** `askedAt`: an instant in UTC in full precision. */
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

/** The instant of the request as a column of a statement, in the form that `Job` describes. */
export const ASKED_AT = sql`to_char(created_at AT TIME ZONE 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "askedAt"`;

/** When an export is due to be made, or to be continued, as SQL. */
export const EXPORTS_DUE = sql`SELECT min(lease_until) FROM exports WHERE state = 'MAKING'`;

/** Claims the oldest unclaimed export; null when there is none. */
export async function claimExport(merchantId: string): Promise<Job | null> {
  const [row] = await inOne<Omit<Job, 'merchantId'> & { state: string }>(
    merchantId,
    sql`
    UPDATE exports SET tries = tries + 1, state = CASE WHEN tries < ${TRIES_MAX} THEN 'MAKING'
      ELSE 'FAILED' END,
      lease_token = gen_random_uuid(),
        lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = (SELECT id FROM exports WHERE merchant_id = ${merchantId}::uuid AND state = 'MAKING'
      AND lease_until <= statement_timestamp() ORDER BY lease_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, state, lease_token AS token, source, profile, filter, frame, progress,
      ${ASKED_AT}`,
  );
  if (row === undefined || row.state === 'FAILED') return null;
  return { ...row, merchantId };
}

/**
 * Stores a piece together with the progress after it. The first piece includes what precedes the
 * rows. Throws when the claim has expired and another worker has it, or when the export was
 * deleted.
 */
export async function keepPiece(
  job: Job,
  progress: Progress,
  parts: readonly Buffer[],
): Promise<void> {
  const rowsAt = parts.length === 2 ? parts[0]!.length : 0;
  // Its commit does not wait for the disk: a crash loses the piece and its progress together, and the
  // next worker makes the piece again.
  const kept = await inOne<{ n: number }>(
    job.merchantId,
    sql`
      WITH held AS (
        UPDATE exports SET progress = ${JSON.stringify(progress)}::jsonb, rows = ${progress.rows},
          tries = 0, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
        WHERE ${claimedBy(job)} RETURNING id, set_config('synchronous_commit', 'off', true))
      INSERT INTO export_pieces (merchant_id, export_id, n, rows_at, bytes)
      SELECT ${job.merchantId}::uuid, id, ${progress.pieces}, ${rowsAt}, ${Buffer.concat(parts)}
        FROM held RETURNING n`,
  );
  if (kept.length !== 1) throw new Error('the export was claimed by another worker or deleted');
}

/** Stores the end of the file: from now on it can be downloaded with a known size. */
export async function keepLast(
  job: Job,
  last: { bytes: Buffer; rows: number; sums: Sums; digest: string; size: number },
): Promise<void> {
  await inTransaction(job.merchantId, async (tx) => {
    const kept = await tx.$executeRaw`
      WITH held AS (
        UPDATE exports SET state = 'READY', rows = ${last.rows},
          sums = ${JSON.stringify(last.sums)}::jsonb, digest = ${last.digest}, size = ${last.size},
          progress = NULL, lease_token = NULL, finished_at = clock_timestamp() WHERE ${claimedBy(job)}
            RETURNING id)
      INSERT INTO export_pieces (merchant_id, export_id, n, rows_at, bytes)
      SELECT ${job.merchantId}::uuid, id,
        (SELECT max(n) + 1 FROM export_pieces WHERE export_id = id), 0, ${last.bytes} FROM held`;
    if (kept !== 1) throw new Error('the export was claimed by another worker or deleted');
  });
}

/** Releases the claim for another worker. */
export async function giveBack(job: Job): Promise<void> {
  await inTransaction(
    job.merchantId,
    (tx) =>
      tx.$executeRaw`UPDATE exports SET lease_until = clock_timestamp(), lease_token = NULL,
        tries = 0 WHERE ${claimedBy(job)}`,
  );
}

/** The uncompressed rows of a stored piece. */
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
    (Row<'export_pieces', 'rows_at'> & { bytes: Buffer })[]
  >`SELECT rows_at, bytes FROM export_pieces WHERE export_id = ${id}::uuid AND n = ${n}`;
  if (piece === undefined) throw new Error('a piece of an export is missing');
  return piece.bytes.subarray(piece.rows_at);
}

function claimedBy(job: Job): ReturnType<typeof sql> {
  return sql`id = ${job.id}::uuid AND state = 'MAKING' AND lease_token = ${job.token}::uuid`;
}
