import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { addDays, dayIn } from '#lib/values/dates.ts';
import { countIn } from '#lib/runtime/count.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { maskIban } from '#lib/values/iban.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { RECORDED } from './acknowledge.ts';
import { KINDS } from './books.ts';
import type { Kind, Recorded } from './books.ts';

const DAYS_SHOWN = 31;
const DIFFERENCES_SHOWN = 500;

/**
 * `reading`: not compared yet, because the day's records are still being read, and no difference of
 * it is open; `waiting`: no difference, but something is too recent to be judged.
 */
export type DayVerdict = 'clean' | 'differences' | 'acknowledged' | 'waiting' | 'reading';

/**
 * One closed day. `open` and `acknowledged` count differences; sums are decimal text, times ISO.
 */
export type ReconciledDay = {
  day: string;
  verdict: DayVerdict;
  open: number;
  acknowledged: number;
  waiting: number;
  movements: number;
  requests: number;
  lines: number;
  sums: { currency: string; ours: string; theirs: string }[];
  comparedAt: string | null;
  digest: string | null;
};

export type DifferenceState = 'OPEN' | 'ACKNOWLEDGED' | 'CLOSED';

/**
 * A difference with both sides. Amounts are decimal text; a payee's numbers are masked without the
 * permission for them.
 */
export type ShownDifference = {
  id: string;
  kind: Kind;
  reference: string;
  state: DifferenceState;
  foundAt: string;
  closedAt: string | null;
  ours: Recorded | null;
  theirs: Recorded | null;
  /** Both sides as one short text, by which an acknowledgement names what was seen. */
  recorded: string;
  requestId: string | null;
  lineId: string | null;
  movement: {
    id: string;
    kind: string;
    name: string;
    iban: string | null;
    state: State;
    returned: Returned;
    at: string;
  } | null;
  request: { name: string | null; iban: string | null; wallet: string | null; at: string } | null;
  line: {
    description: string | null;
    fromWallet: string | null;
    toWallet: string | null;
    at: string;
  } | null;
  acknowledged: { by: string; at: string; reason: string } | null;
};

/** One closed day with its differences; `isCut`: it has more of them than are shown. */
type DayInFull = ReconciledDay & { differences: ShownDifference[]; isCut: boolean; now: string };

/**
 * Closed days, newest first, from yesterday or the day before `before`, back to the first day of
 * our records. `older` is where the next ones begin. `open`: only the days with differences that
 * are not acknowledged.
 */
export async function listDays(
  actor: Person,
  before: string | null,
  { open = false } = {},
): Promise<{ days: ReconciledDay[]; older: string | null; now: string }> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const { now, today, firstDay } = await readCalendar(tx);
    const top = before !== null && before < today ? before : today;
    const all = open
      ? await daysWithOpen(tx, top)
      : Array.from({ length: DAYS_SHOWN }, (_, back) => addDays(top, -1 - back)).filter(
          (day) => day >= firstDay,
        );
    const days = all.slice(0, DAYS_SHOWN);
    const rows = await readDays(tx, days);
    const last = days.at(-1);
    const hasOlder = open ? all.length > DAYS_SHOWN : last !== undefined && last > firstDay;
    return {
      days: days.map((day) => toDay(day, rows.get(day))),
      older: hasOlder ? last! : null,
      now: now.toISOString(),
    };
  });
}

/**
 * One closed day with its differences, the open ones first; null for a day that is not over or
 * precedes our records.
 */
export async function viewDay(actor: Person, day: string): Promise<DayInFull | null> {
  assertMay(actor, 'movement.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const { now, today, firstDay } = await readCalendar(tx);
    if (day >= today || day < firstDay) return null;
    const rows = await readDays(tx, [day]);
    const differences = await tx.$queryRaw<FoundDifference[]>`
      SELECT d.id, d.kind, d.reference, d.state, d.found_at, d.closed_at, d.ours, d.theirs,
        ${RECORDED} AS recorded,
        d.request_id, d.line_id, d.acknowledged_at, d.acknowledged_reason, p.name AS acknowledged_by,
        m.id AS movement_id, m.kind AS movement_kind, m.name, nullif(m.iban, '') AS iban,
          m.state AS movement_state, m.returned, m.created_at,
        w.name AS request_name, w.iban AS request_iban, w.wallet AS request_wallet,
          w.created_at AS request_at,
        l.description, l.from_wallet, l.to_wallet, l.created_at AS line_at
      FROM differences d
        LEFT JOIN movements m ON m.id = d.movement_id
        LEFT JOIN withdraw_records w ON w.request_id = d.request_id
        LEFT JOIN ledger_records l ON l.id = d.line_id
        LEFT JOIN people p ON p.id = d.acknowledged_by
      WHERE d.day = ${day}::date
      ORDER BY array_position(ARRAY['OPEN', 'ACKNOWLEDGED', 'CLOSED'], d.state),
        array_position(${[...KINDS]}::text[], d.kind), d.found_at, d.id
      LIMIT ${DIFFERENCES_SHOWN + 1}`;
    const whole = may(actor.role, 'payee.read');
    return {
      ...toDay(day, rows.get(day)),
      differences: differences.slice(0, DIFFERENCES_SHOWN).map((row) => toDifference(row, whole)),
      isCut: differences.length > DIFFERENCES_SHOWN,
      now: now.toISOString(),
    };
  });
}

/** The number of differences that are not acknowledged. */
export async function countOpenDifferences(actor: Person): Promise<number> {
  assertMay(actor, 'movement.read');
  return countIn(actor.merchantId, sql`SELECT count(*)::int FROM differences WHERE state = 'OPEN'`);
}

async function readCalendar(tx: Tx): Promise<{ now: Date; today: string; firstDay: string }> {
  const zone = env().timeZone;
  const now = await databaseNow(tx);
  const [{ began }] = await tx.$queryRaw<
    [{ began: Date }]
  >`SELECT min(created_at) AS began FROM merchants`;
  return {
    now,
    today: dayIn(now.toISOString(), zone),
    firstDay: dayIn(began.toISOString(), zone),
  };
}

/** The days before `top` with differences that are not acknowledged, one more than are shown. */
async function daysWithOpen(tx: Tx, top: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ day: string }[]>`
    SELECT DISTINCT day::text AS day FROM differences WHERE state = 'OPEN' AND day < ${top}::date
    ORDER BY 1 DESC LIMIT ${DAYS_SHOWN + 1}`;
  return rows.map(({ day }) => day);
}

type FoundDay = Row<
  'reconciliations',
  'compared_at' | 'waiting' | 'movements' | 'requests' | 'lines' | 'sums' | 'digest',
  { sums: Record<string, { ours: string; theirs: string }> }
> & { day: string; open: number; acknowledged: number };

/**
 * The comparisons of these days, and their differences also where a day is not compared: the
 * comparison of a later day finds them by a record that names a payment of the earlier one.
 */
async function readDays(tx: Tx, days: readonly string[]): Promise<Map<string, FoundDay>> {
  const rows = await tx.$queryRaw<FoundDay[]>`
    SELECT coalesce(r.day, d.day)::text AS day, r.compared_at, r.waiting, r.movements, r.requests,
      r.lines, r.sums, r.digest, coalesce(d.open, 0) AS open,
      coalesce(d.acknowledged, 0) AS acknowledged
    FROM (SELECT day, compared_at, waiting, movements, requests, lines, sums, digest
      FROM reconciliations WHERE day = ANY(${[...days]}::date[])) r FULL JOIN (
      SELECT day, count(*) FILTER (WHERE state = 'OPEN')::int AS open,
        count(*) FILTER (WHERE state = 'ACKNOWLEDGED')::int AS acknowledged
      FROM differences WHERE day = ANY(${[...days]}::date[]) AND state <> 'CLOSED'
        GROUP BY day) d ON d.day = r.day`;
  return new Map(rows.map((row) => [row.day, row]));
}

function toDay(day: string, row: FoundDay | undefined): ReconciledDay {
  if (row === undefined || row.compared_at === null) {
    const { open, acknowledged } = row ?? { open: 0, acknowledged: 0 };
    return {
      day,
      verdict: open > 0 ? 'differences' : 'reading',
      open,
      acknowledged,
      waiting: 0,
      movements: 0,
      requests: 0,
      lines: 0,
      sums: [],
      comparedAt: null,
      digest: null,
    };
  }
  const { open, acknowledged, waiting, movements, requests, lines, digest } = row;
  const verdict =
    open > 0
      ? 'differences'
      : waiting > 0
        ? 'waiting'
        : acknowledged > 0
          ? 'acknowledged'
          : 'clean';
  const sums = Object.entries(row.sums).map(([currency, sum]) => ({
    currency,
    ours: toDecimal(BigInt(sum.ours)),
    theirs: toDecimal(BigInt(sum.theirs)),
  }));
  return {
    day,
    verdict,
    open,
    acknowledged,
    waiting,
    movements,
    requests,
    lines,
    sums,
    comparedAt: row.compared_at.toISOString(),
    digest,
  };
}

type FoundDifference = Row<
  'differences',
  | 'id'
  | 'kind'
  | 'reference'
  | 'state'
  | 'found_at'
  | 'closed_at'
  | 'ours'
  | 'theirs'
  | 'request_id'
  | 'line_id'
  | 'acknowledged_at'
  | 'acknowledged_reason',
  { kind: Kind; state: DifferenceState; ours: Recorded | null; theirs: Recorded | null }
> &
  Row<'movements', 'name' | 'created_at'> &
  Row<'ledger_records', 'description' | 'from_wallet' | 'to_wallet'> & {
    acknowledged_by: string | null;
    recorded: string;
    movement_id: string | null;
    movement_kind: string;
    iban: string | null;
    movement_state: State;
    returned: Returned;
    request_name: string | null;
    request_iban: string | null;
    request_wallet: string | null;
    request_at: Date | null;
    line_at: Date | null;
  };

function toDifference(row: FoundDifference, whole: boolean): ShownDifference {
  const iban = (text: string | null): string | null =>
    text === null || whole ? text : maskIban(text);
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    state: row.state,
    foundAt: row.found_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    ours: inDecimals(row.ours),
    theirs: inDecimals(row.theirs),
    recorded: row.recorded,
    requestId: row.request_id,
    lineId: row.line_id,
    movement:
      row.movement_id === null
        ? null
        : {
            id: row.movement_id,
            kind: row.movement_kind,
            name: row.name,
            iban: iban(row.iban),
            state: row.movement_state,
            returned: row.returned,
            at: row.created_at.toISOString(),
          },
    request:
      row.request_at === null
        ? null
        : {
            name: row.request_name,
            iban: iban(row.request_iban),
            wallet: row.request_wallet,
            at: row.request_at.toISOString(),
          },
    line:
      row.line_at === null
        ? null
        : {
            description: row.description,
            fromWallet: row.from_wallet,
            toWallet: row.to_wallet,
            at: row.line_at.toISOString(),
          },
    acknowledged:
      row.acknowledged_at === null
        ? null
        : {
            by: row.acknowledged_by ?? '',
            at: row.acknowledged_at.toISOString(),
            reason: row.acknowledged_reason ?? '',
          },
  };
}

function inDecimals(recorded: Recorded | null): Recorded | null {
  return recorded === null || recorded.amount === undefined
    ? recorded
    : { ...recorded, amount: toDecimal(BigInt(recorded.amount)) };
}
