import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { partWord, shownSums } from './profile.ts';
import type { ExportState, Frame, Profile, SourceName, Sums } from './profile.ts';

const ROWS = 50;

/**
 * One export of a person. `filter` is the query string of the list, `words` the same filter in
 * sentences; amounts are decimal text, times ISO.
 */
export type ExportRow = {
  id: string;
  source: SourceName;
  profile: Profile;
  state: ExportState;
  filter: string;
  words: string[];
  rows: number;
  expected: number | null;
  size: number | null;
  digest: string | null;
  /**
   * `part`: the word for the outcome of these rows; for rows of every outcome the list's own word for
   * its sum, as in the file.
   */
  sums: { currency: string; part: string; count: number; sum: string }[];
  createdAt: string;
  expiresAt: string;
};

/**
 * The exports that a person requested, newest first, without those of colleagues. `isCut`: there are
 * more of them than are shown.
 */
export async function listExports(
  actor: Person,
): Promise<{ rows: ExportRow[]; isCut: boolean; now: string }> {
  assertMay(actor, 'export.make');
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<Found[]>`
      SELECT id, source, profile, CASE WHEN state = 'READY'
        AND expires_at < statement_timestamp() THEN 'EXPIRED' ELSE state
        END AS state, filter, frame, rows, expected, size, digest, sums, created_at, expires_at
      FROM exports WHERE person_id = ${actor.personId}::uuid ORDER BY created_at DESC
      LIMIT ${ROWS + 1}`;
    const [clock] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
    return {
      rows: rows.slice(0, ROWS).map(toRow),
      isCut: rows.length > ROWS,
      now: clock.now.toISOString(),
    };
  });
}

type Found = Row<
  'exports',
  | 'id'
  | 'source'
  | 'profile'
  | 'filter'
  | 'frame'
  | 'rows'
  | 'expected'
  | 'size'
  | 'digest'
  | 'sums'
  | 'created_at'
  | 'expires_at',
  { source: SourceName; profile: Profile; frame: Frame; sums: Sums | null }
> & { state: ExportState };

function toRow(raw: Found): ExportRow {
  const sums = shownSums(raw.sums ?? {}).map(({ currency, part, count, minor }) => ({
    currency,
    part: part === null ? raw.frame.labels.sum : partWord(raw.frame, part),
    count,
    sum: toDecimal(BigInt(minor)),
  }));
  return {
    id: raw.id,
    source: raw.source,
    profile: raw.profile,
    state: raw.state,
    filter: raw.filter,
    words: raw.frame.filter,
    rows: raw.rows,
    expected: raw.expected,
    size: raw.size === null ? null : Number(raw.size),
    digest: raw.digest,
    sums,
    createdAt: raw.created_at.toISOString(),
    expiresAt: raw.expires_at.toISOString(),
  };
}
