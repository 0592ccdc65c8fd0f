import 'server-only';
import type { KindName } from '#lib/movements/kinds.ts';
import { IS_PAID, payeeColumns, payeeKnown } from '#lib/movements/payee-known.ts';
import type { PayeeColumns } from '#lib/movements/payee-known.ts';
import { readReasons } from '#lib/policy/stored-rules.ts';
import type { Prisma, Row, Tx } from '#lib/runtime/db.ts';
import { flagsOf, isAmountUnusual } from './flags.ts';
import type { Flag } from './flags.ts';

type Found = Row<
  'movements',
  'id' | 'kind' | 'amount_minor' | 'overrides',
  { kind: KindName; overrides: string[] }
> &
  PayeeColumns & { reasons: unknown; paid: number; largest: bigint | null };

/**
 * What is unusual about each movement `m` that waits for approval and meets the condition, in the
 * order in which they began to wait.
 */
export async function readFlags(tx: Tx, condition: Prisma.Sql): Promise<Map<string, Flag[]>> {
  const rows = await tx.$queryRaw<Found[]>`
    SELECT m.id, m.kind, m.amount_minor, m.overrides, past.paid, past.largest::bigint AS largest,
      (SELECT r.reasons FROM approval_requirements r WHERE r.movement_id = m.id
        ORDER BY r.id DESC LIMIT 1) AS reasons, ${payeeColumns()}
    FROM movements m CROSS JOIN LATERAL (
      SELECT count(*)::int AS paid, max(p.amount_minor) AS largest FROM movements p
      WHERE ${IS_PAID} AND p.iban = m.iban AND m.iban <> '' AND p.currency = m.currency
        AND p.created_at > clock_timestamp() - interval '12 months') past
    WHERE m.state = 'AWAITING_APPROVAL' AND ${condition}
    ORDER BY m.state_since`;
  return new Map(rows.map((row) => [row.id, flagsOfRow(row)]));
}

function flagsOfRow(row: Found): Flag[] {
  return flagsOf({
    reasons: readReasons(row.reasons ?? []),
    known: {
      ...payeeKnown(row.kind, row),
      isAmountUnusual: isAmountUnusual(row.amount_minor, {
        count: row.paid,
        largestMinor: row.largest ?? 0n,
      }),
    },
    overrides: row.overrides,
  });
}
