import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { toDecimal } from '#lib/values/money.ts';
import { listOddLines } from './breaks.ts';
import type { LineBreak } from './breaks.ts';
import type { EffectsOf } from '#lib/provider-records/effects.ts';
import { foundLate, lastClosedDay } from './figures.ts';
import type { Days } from './figures.ts';
import { lateRange } from './late.ts';

const LINES_SHOWN = 50;

export type LateLine = {
  id: string;
  bookedDay: string;
  net: string;
  state: 'new' | 'changed' | 'gone' | 'carried';
  carriedOn: string | null;
  description: string | null;
};
export type DayDetail = {
  lines: {
    kind: LineBreak;
    id: string;
    at: string;
    amount: string;
    currency: string;
    description: string | null;
  }[];
  late: LateLine[];
};

/**
 * The breaks of a day and its corrections after the close: the first fifty entries of each kind of
 * break, and the first fifty corrections.
 */
export async function viewDay(actor: Person, of: EffectsOf, day: string): Promise<DayDetail> {
  assertMay(actor, 'wallet.read');
  const zone = env().timeZone;
  const days: Days = { from: day, to: day, zone };
  const last = await lastClosedDay(actor.merchantId, of.wallet);
  const isClosed = last !== null && day >= last.first && day <= last.last;
  const [lines, late] = await Promise.all([
    listOddLines(actor.merchantId, of, days, LINES_SHOWN),
    isClosed ? lateLines(actor.merchantId, of, day, lateRange(days, last)) : [],
  ]);
  return {
    lines: lines.map((line) => ({
      kind: line.kind,
      id: line.id,
      at: line.at.toISOString(),
      amount: toDecimal(line.amount_minor),
      currency: line.currency,
      description: line.description,
    })),
    late,
  };
}

async function lateLines(
  merchantId: string,
  of: EffectsOf,
  day: string,
  days: Days,
): Promise<LateLine[]> {
  const rows = await inOne<{
    record_id: string;
    net: string;
    gone: boolean;
    new: boolean;
    carried_on: string | null;
    description: string | null;
  }>(
    merchantId,
    sql`
    SELECT f.record_id, f.net::text, f.gone, f.new, f.carried_on::text,
      coalesce(l.to_description, l.description) AS description FROM (
      SELECT record_id, in_minor - out_minor - fee_minor AS net, gone, new, NULL::date AS carried_on
        FROM (${foundLate(of, days)}) f WHERE booked_day = ${day}::date
      UNION ALL
      SELECT record_id, in_minor - out_minor - fee_minor, false, false, day FROM closed_day_lines
        WHERE wallet = ${of.wallet} AND booked_day = ${day}::date AND day > booked_day) f
    LEFT JOIN ledger_records l ON l.id = f.record_id ORDER BY f.carried_on NULLS FIRST, f.record_id
      LIMIT ${LINES_SHOWN}`,
  );
  return rows.map((row) => ({
    id: row.record_id,
    bookedDay: day,
    net: toDecimal(BigInt(row.net)),
    state: row.carried_on !== null ? 'carried' : row.new ? 'new' : row.gone ? 'gone' : 'changed',
    carriedOn: row.carried_on,
    description: row.description,
  }));
}
