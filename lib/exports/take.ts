import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { onceThere } from '#lib/runtime/database-away.ts';
import { inOne, inTransaction, kept, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ASKED_AT } from './claim.ts';
import { layoutOf } from './layout.ts';
import { openingOf } from './opening.ts';
import type { ExportState, Frame, Profile, SourceName } from './profile.ts';
import { sourceOf } from './sources.ts';

const PIECES_AT_ONCE = 8;
/** The pause before the next look, which grows by this factor while no piece comes. */
const WAIT_MS = { first: 5, factor: 1.25, most: 250 };
/** A download is aborted when the export has made no progress for this long. */
const PATIENCE_MS = 60_000;

/**
 * `size` is null while the file is still being made: it is then streamed piece by piece as they are
 * stored, and what precedes the rows at once.
 */
export type ExportFile = {
  name: string;
  type: string;
  size: number | null;
  pieces: AsyncGenerator<Uint8Array>;
};
type StoredExport = Row<
  'exports',
  'source' | 'profile' | 'frame' | 'state' | 'size' | 'rows' | 'digest',
  { source: SourceName; profile: Profile; frame: Frame; state: ExportState }
> & { askedAt: string };

/**
 * The file of an export, for the person who requested it; null when there is none, not yet or no
 * longer. Audited before the first byte is sent. A person who has lost the permission for payees'
 * numbers does not get a file that shows them.
 *
 * @throws Refusal `not_allowed`, `too_many`
 */
export async function takeExport(actor: Person, id: string): Promise<ExportFile | null> {
  assertMay(actor, 'export.make');
  if (!UUID.test(id)) return null;
  await countAttempt(actor, 'export.take');
  const row = await inTransaction(actor.merchantId, async (tx) => {
    const [found] = await tx.$queryRaw<StoredExport[]>`
      SELECT source, profile, frame, state, size, rows, digest, ${ASKED_AT} FROM exports
      WHERE id = ${id}::uuid AND person_id = ${actor.personId}::uuid
        AND state IN ('MAKING', 'READY') AND expires_at > statement_timestamp()`;
    if (
      found === undefined ||
      (may(found.frame.role, 'payee.read') && !may(actor.role, 'payee.read'))
    )
      return null;
    await audit(tx, actor, 'export.downloaded', `export:${id}`, {
      profile: found.profile,
      rows: found.state === 'READY' ? found.rows : null,
      digest: found.digest,
    });
    return found;
  });
  if (row === null) return null;
  const layout = layoutOf(row.profile, sourceOf(row.source).columns, row.frame);
  return {
    name: layout.fileName,
    type: layout.type,
    size: row.size === null ? null : Number(row.size),
    pieces: piecesOf(
      actor.merchantId,
      id,
      row.state === 'READY' ? null : openingOf(layout, new Date(row.askedAt)).bytes,
    ),
  };
}

/**
 * The stored pieces in order, then those still to be stored. `opening`: what the first piece begins
 * with, sent before that piece is stored, so that a download begins at once.
 */
async function* piecesOf(
  merchantId: string,
  id: string,
  opening: Buffer | null,
): AsyncGenerator<Uint8Array> {
  if (opening !== null) yield opening;
  let [next, given, waitMs, waitedMs] = [1, 0, WAIT_MS.first, 0];
  for (;;) {
    const from = next;
    const { state, size, pieces } = await onceThere(() => read(merchantId, id, from));
    for (const { n, bytes } of pieces) {
      if (n !== next) throw new Error('a piece of an export is missing');
      yield n === 1 && opening !== null ? rowsAfter(opening, bytes) : bytes;
      next += 1;
      given += bytes.length;
    }
    if (pieces.length > 0) [waitMs, waitedMs] = [WAIT_MS.first, 0];
    else if (state === 'READY' && given === Number(size)) return;
    else if (state !== 'MAKING' || waitedMs > PATIENCE_MS)
      throw new Error(`an export ended before its file was complete: ${state}`);
    else {
      await pause(waitMs);
      waitedMs += waitMs;
      waitMs = Math.min(waitMs * WAIT_MS.factor, WAIT_MS.most);
    }
  }
}

/**
 * The first piece without the opening that was sent already. Throws when the piece begins with
 * another one, because a worker of another version wrote it: the download is aborted, and the next
 * one gets the file as it is stored.
 */
function rowsAfter(opening: Buffer, piece: Uint8Array): Uint8Array {
  if (!opening.equals(piece.subarray(0, opening.length)))
    throw new Error('the first piece of an export does not begin with the opening that was sent');
  return piece.subarray(opening.length);
}

/** The state and the next pieces at one moment: an export that is ready has all its pieces. */
async function read(
  merchantId: string,
  id: string,
  from: number,
): Promise<{
  state: ExportState | 'gone';
  size: bigint | null;
  pieces: { n: number; bytes: Uint8Array }[];
}> {
  const rows = await inOne<
    Row<'exports', 'state' | 'size', { state: ExportState }> &
      (Row<'export_pieces', 'n' | 'bytes'> | { n: null; bytes: null })
  >(
    merchantId,
    kept(sql`SELECT e.state, e.size, p.n, p.bytes FROM exports e
      LEFT JOIN LATERAL (SELECT n, bytes FROM export_pieces WHERE export_id = e.id AND n >= ${from}
        ORDER BY n LIMIT ${PIECES_AT_ONCE}) p ON TRUE
      WHERE e.id = ${id}::uuid ORDER BY p.n`),
  );
  return {
    state: rows[0]?.state ?? 'gone',
    size: rows[0]?.size ?? null,
    pieces: rows.filter((row) => row.n !== null),
  };
}
