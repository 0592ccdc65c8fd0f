import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import type { OwnLimit } from './limits.ts';

const LIMIT = columns('person_limits', ['currency', 'single_minor', 'day_minor']);

/** The limits of a person that are in force, one a currency; a currency without one is unlimited. */
export async function ownLimits(tx: Tx, personId: string): Promise<OwnLimit[]> {
  const rows = await tx.$queryRaw<RowOf<typeof LIMIT>[]>`
    SELECT DISTINCT ON (currency) ${LIMIT} FROM person_limits
    WHERE person_id = ${personId}::uuid ORDER BY currency, id DESC`;
  return rows
    .map(({ currency, single_minor: singleMinor, day_minor: dayMinor }) => ({
      currency,
      singleMinor,
      dayMinor,
    }))
    .filter(({ singleMinor, dayMinor }) => singleMinor !== null || dayMinor !== null);
}
