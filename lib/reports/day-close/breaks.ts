import 'server-only';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { dayOf, startOf } from '#lib/provider-records/effects.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import type { Days } from './figures.ts';

/**
 * What makes a day's figures uncertain. `not_read`, `balance` and `negative` are about the day; the
 * others about ledger entries.
 */
export const BREAKS = [
  'not_read',
  'balance',
  'negative',
  'not_completed',
  'other_currency',
  'one_sided',
  'refunded',
  'no_wallet',
] as const;
export type Break = (typeof BREAKS)[number];
export type LineBreak = Exclude<Break, 'not_read' | 'balance' | 'negative'>;

export function isAboutLines(kind: Break): kind is LineBreak {
  return kind !== 'not_read' && kind !== 'balance' && kind !== 'negative';
}

/** A ledger entry with a problem. */
export type OddLine = {
  kind: LineBreak;
  id: string;
  at: Date;
  amount_minor: bigint;
  currency: string;
  description: string | null;
};

/** Types of transfers between own wallets (`assumed`: 3006). */
const VIREMENT = 3006;

const LINE = columns('ledger_records', [
  'id',
  'type_id',
  'status_id',
  'from_wallet',
  'to_wallet',
  'amount_minor',
  'currency',
  'group_id',
  'description',
  'to_description',
  'booked_at',
  'created_at',
]);

/**
 * Rows `(day, kind, id, at, amount_minor, currency, description)` of the ledger entries with a
 * problem.
 */
function oddLines({ wallet, currency }: EffectsOf, { from, to, zone }: Days): Prisma.Sql {
  const [begin, end] = [
    startOf(from, zone),
    sql`((${to}::date + 1)::timestamp AT TIME ZONE ${zone})`,
  ];
  const within = sql`l.booked_at >= ${begin} AND l.booked_at < ${end}`;
  return sql`
    SELECT ${dayOf(sql`l.booked_at`, zone)} AS day, k.kind, l.id, l.booked_at AS at, l.amount_minor,
      l.currency, coalesce(l.to_description, l.description) AS description
    FROM (SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.from_wallet = ${wallet} AND ${within} UNION ALL
      SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.to_wallet = ${wallet}
      AND l.from_wallet IS DISTINCT FROM ${wallet} AND ${within}
      UNION ALL SELECT ${LINE.of('l')} FROM ledger_records l WHERE l.from_wallet IS NULL AND l.to_wallet IS NULL
        AND ${within}) l
    CROSS JOIN LATERAL (VALUES
      ('no_wallet', l.from_wallet IS NULL AND l.to_wallet IS NULL),
      ('not_completed', l.status_id NOT IN (20, 40, 60)),
      ('other_currency', l.status_id IN (20, 60) AND l.currency <> ${currency}
        AND coalesce(l.from_wallet, l.to_wallet) IS NOT NULL),
      ('one_sided', l.type_id = ${VIREMENT} AND (l.from_wallet IS NULL) <> (l.to_wallet IS NULL)
        AND NOT EXISTS (
        SELECT FROM ledger_records o WHERE o.group_id = l.group_id AND o.id <> l.id
          AND o.type_id = l.type_id AND (o.from_wallet IS NULL) <> (l.from_wallet IS NULL)
          AND o.created_at BETWEEN l.created_at - interval '1 day' AND l.created_at + interval '1 day')),
      ('refunded', l.status_id = 60)) k (kind, applies) WHERE k.applies`;
}

/** The number of ledger entries with a problem in each day, by kind. */
export async function countOddLines(
  on: string | Tx,
  of: EffectsOf,
  days: Days,
): Promise<Map<string, Map<LineBreak, number>>> {
  const rows = await inOne<{ day: string; kind: LineBreak; count: number }>(
    on,
    sql`SELECT day::text, kind, count(*)::int AS count FROM (${oddLines(of, days)}) o GROUP BY 1, 2`,
  );
  const found = new Map<string, Map<LineBreak, number>>();
  for (const { day, kind, count } of rows)
    found.set(day, (found.get(day) ?? new Map<LineBreak, number>()).set(kind, count));
  return found;
}

/** The ledger entries of a day with a problem, the first `max` of each kind. */
export async function listOddLines(
  merchantId: string,
  of: EffectsOf,
  days: Days,
  max: number,
): Promise<OddLine[]> {
  return inOne<OddLine>(
    merchantId,
    sql`SELECT kind, id, at, amount_minor, currency, description FROM (
      SELECT o.*, row_number() OVER (PARTITION BY kind ORDER BY at, id) AS n
        FROM (${oddLines(of, days)}) o) o
      WHERE n <= ${max} ORDER BY at, id, kind`,
  );
}
