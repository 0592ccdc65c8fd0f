import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countIn } from '#lib/runtime/count.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { orOutOfTime } from '#lib/runtime/out-of-time.ts';
import { maskIban } from '#lib/values/iban.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { minor, toDecimal } from '#lib/values/money.ts';
import { maskWallet } from '#lib/values/mask-wallet.ts';
import { IS_TO_BANK } from '#lib/movements/kind-sql.ts';
import type { Alert, Returned, State } from '#lib/movements/state.ts';
import { matchMovements } from '#lib/readings/match-movements.ts';
import { LISTED, payoutConditions, payoutTotals } from './conditions.ts';
import type { Listed } from './conditions.ts';
import type { PayoutFilter, PayoutQuery, PayoutSort } from './filter.ts';
import type { PayoutTotal } from './totals.ts';

const PAGE_ROWS = 25;

/**
 * One movement of the list. `iban` is the receiving number, a wallet's for a transfer, masked for
 * people who may not see it whole. Amounts are decimal text, times ISO.
 */
export type PayoutRow = {
  id: string;
  kind: string;
  extId: string;
  name: string;
  iban: string;
  wallet: string;
  amount: string;
  currency: string;
  description: string;
  state: State;
  returned: Returned;
  alert: Alert | null;
  createdAt: string;
  maker: string;
  /**
   * The id of the downloadable receipt, for people who may read receipts; null when there is none.
   */
  receipt: string | null;
  /** An owner released it without the approvals that were missing. */
  isReleased: boolean;
  /** An approver sent it back, which cancelled it. */
  isSentBack: boolean;
};

/** `newer` and `older` mean before and after in the list's own order. */
export type PayoutPage = Paged<PayoutRow> & {
  /**
   * The totals of the whole filter, not of the page: one entry per part and currency. Null when not
   * requested, and when the text of the filter matches too many rows to add them up.
   */
  totals: PayoutTotal[] | null;
  /** The text of the filter matches more rows than are added up for a list (`FEW_MATCHES`). */
  isUncounted: boolean;
  /**
   * So many rows match that the database could not order them, or add them up, in its time. `rows`
   * is then empty, or `totals` is null.
   */
  isOutOfTime: boolean;
  /** The number of movements of the whole list that need a person, whatever the filter. */
  needAttention: number;
  /** False when this merchant never made a movement of this list. */
  any: boolean;
  now: string;
};

/**
 * One page of the payouts, or of the transfers, that a person may see. Keyset pagination: the cost
 * does not grow with the depth of the page, nor the cost of the totals with the number of rows. Other
 * pages and orders of one filter have the same totals, so they need not request them.
 */
export async function listPayouts(
  actor: Person,
  { filter, place }: PayoutQuery,
  asked = { totals: true },
  of: Listed = 'payouts',
): Promise<PayoutPage> {
  assertMay(actor, 'movement.read');
  const matches = await orOutOfTime(matchMovements(actor, filter.text));
  const isUncounted = filter.text !== '' && matches === null;
  const conditions = payoutConditions(actor, filter, of, matches);
  const totals = asked.totals && !isUncounted ? payoutTotals(filter, conditions, of) : null;
  const [found, counted] = await Promise.all([
    orOutOfTime(readRows(actor.merchantId, filter, place, conditions)),
    orOutOfTime(readAbout(actor.merchantId, totals, of)),
  ]);
  const about = counted ?? (await readAbout(actor.merchantId, null, of));
  const page = pageOf(found ?? [], place, PAGE_ROWS, (row) => `${row.id}_${row.edge}`);
  return {
    ...page,
    rows: page.rows.map((row) => toRow(row, actor)),
    totals: about.totals && about.totals.map(toTotal),
    isUncounted,
    isOutOfTime: found === null || counted === null,
    needAttention: about.attention,
    any: about.any,
    now: about.now.toISOString(),
  };
}

/** What a list says beside its rows. `totals`: the statement for its totals; null for none. */
async function readAbout(
  merchantId: string,
  totals: Prisma.Sql | null,
  of: Listed,
): Promise<About> {
  const [about] = await inOne<About>(
    merchantId,
    sql`
    SELECT ${totals ?? sql`NULL::jsonb`} AS totals,
      (SELECT count(*)::int FROM movements m WHERE ${LISTED[of]} AND bucket = 'attention') AS attention,
      EXISTS (SELECT FROM movements m WHERE ${of === 'payouts' ? IS_TO_BANK : LISTED[of]}) AS any,
        clock_timestamp() AS now`,
  );
  return about!;
}

/** The totals of a list with this filter, as the list shows them below its rows. */
export async function sumPayouts(
  actor: Person,
  filter: PayoutFilter,
  of: Listed = 'payouts',
): Promise<PayoutTotal[]> {
  assertMay(actor, 'movement.read');
  const matches = await matchMovements(actor, filter.text);
  const conditions = payoutConditions(actor, filter, of, matches);
  const [row] = await inOne<{ totals: PayoutTotal[] }>(
    actor.merchantId,
    sql`SELECT ${payoutTotals(filter, conditions, of)} AS totals`,
  );
  return row!.totals.map(toTotal);
}

/** A total as the database adds it up, in minor units, becomes decimal text. */
function toTotal(row: PayoutTotal): PayoutTotal {
  return { ...row, sum: toDecimal(minor(BigInt(row.sum))) };
}

/** The number of a list's movements that need a person, as the list's own tab shows it. */
export async function countNeedingAttention(actor: Person, of: Listed): Promise<number> {
  assertMay(actor, 'movement.read');
  return countIn(
    actor.merchantId,
    sql`SELECT count(*)::int FROM movements m WHERE ${LISTED[of]} AND bucket = 'attention'`,
  );
}

type About = {
  totals: PayoutTotal[] | null;
  attention: number;
  any: boolean;
  now: Date;
};

type StoredPayout = Row<
  'movements',
  | 'id'
  | 'kind'
  | 'ext_id'
  | 'name'
  | 'iban'
  | 'to_wallet'
  | 'wallet'
  | 'amount_minor'
  | 'currency'
  | 'description'
  | 'state'
  | 'returned'
  | 'alert'
  | 'created_at',
  { state: State; returned: Returned; alert: Alert | null }
> & { maker: string; edge: string; receipt: string | null; released: boolean; sent_back: boolean };

/** Per sort column: the column, the text of its edge, and how that text becomes a value again. */
const SORTS: Record<
  PayoutSort,
  {
    column: Prisma.Sql;
    edge: Prisma.Sql;
    value: (text: string) => Prisma.Sql;
    idsRun: 'with' | 'against';
  }
> = {
  // The index on the time has its ids in the opposite order.
  date: {
    column: sql`m.created_at`,
    edge: sql`to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: (text) => sql`${text}::timestamptz`,
    idsRun: 'against',
  },
  amount: {
    column: sql`m.amount_minor`,
    edge: sql`m.amount_minor::text`,
    value: (text) => sql`${BigInt(text)}::bigint`,
    idsRun: 'with',
  },
  name: {
    column: sql`m.name_sort`,
    edge: sql`m.name_sort`,
    value: (text) => sql`${text}::text`,
    idsRun: 'with',
  },
};

async function readRows(
  merchantId: string,
  filter: PayoutFilter,
  place: Place | null,
  conditions: Prisma.Sql,
): Promise<StoredPayout[]> {
  const { edge, beyond, order } = payoutOrder(filter, place);
  // The page first, in the order of an index; what belongs to its rows is read for them alone.
  return inOne<StoredPayout>(
    merchantId,
    sql`
    SELECT m.id, m.kind, m.ext_id, m.name, m.iban, m.to_wallet, m.wallet, m.amount_minor,
      m.currency, m.description, m.state, m.returned, m.alert, m.created_at, m.edge,
      p.name AS maker, (SELECT r.id FROM receipts r
        WHERE r.movement_id = m.id AND r.state = 'READY') AS receipt,
      EXISTS (SELECT FROM approvals a
        WHERE a.movement_id = m.id AND a.override_reason IS NOT NULL) AS released,
      m.state = 'CANCELLED' AND EXISTS (SELECT FROM evidence e
        WHERE e.movement_id = m.id AND e.kind = 'sent_back') AS sent_back
    FROM (SELECT m.id, m.kind, m.ext_id, m.name, m.iban, m.to_wallet, m.wallet, m.amount_minor,
        m.currency, m.description, m.state, m.returned, m.alert, m.created_at, m.name_sort,
        m.maker_id, ${edge} AS edge
      FROM movements m WHERE ${conditions} AND ${beyond} ORDER BY ${order}
      LIMIT ${PAGE_ROWS + 1}) m
    JOIN people p ON p.id = m.maker_id ORDER BY ${order}`,
  );
}

/** How the list is read from a place: the condition, the order, and the edge of a row `m`. */
export function payoutOrder(
  filter: PayoutFilter,
  place: Place | null,
): { edge: Prisma.Sql; beyond: Prisma.Sql; order: Prisma.Sql } {
  const { column, edge, value, idsRun } = SORTS[filter.sort];
  // The rows before a place are selected in the opposite order, from the place on.
  const up = (filter.order === 'ascending') !== (place?.side === 'before');
  const idsUp = idsRun === 'with' ? up : !up;
  const [direction, idDirection] = [up ? sql`ASC` : sql`DESC`, idsUp ? sql`ASC` : sql`DESC`];
  const at = place?.edge.indexOf('_') ?? 0;
  const beyond =
    place === null
      ? sql`TRUE`
      : beyondPlace(column, value(place.edge.slice(at + 1)), place.edge.slice(0, at), up, idsUp);
  return { edge, beyond, order: sql`${column} ${direction}, m.id ${idDirection}` };
}

/** The first comparison alone can use the index; the second only decides equal values. */
function beyondPlace(
  column: Prisma.Sql,
  value: Prisma.Sql,
  id: string,
  up: boolean,
  idsUp: boolean,
): Prisma.Sql {
  const idBeyond = idsUp ? sql`m.id > ${id}::uuid` : sql`m.id < ${id}::uuid`;
  return up
    ? sql`(${column} >= ${value} AND (${column} > ${value} OR ${idBeyond}))`
    : sql`(${column} <= ${value} AND (${column} < ${value} OR ${idBeyond}))`;
}

function toRow(row: StoredPayout, { role }: Person): PayoutRow {
  return {
    id: row.id,
    kind: row.kind,
    extId: row.ext_id,
    name: row.name,
    iban: numberOf(row, may(role, 'payee.read')),
    wallet: row.wallet,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    description: row.description,
    state: row.state,
    returned: row.returned,
    alert: row.alert,
    createdAt: row.created_at.toISOString(),
    maker: row.maker,
    receipt: may(role, 'receipt.read') ? row.receipt : null,
    isReleased: row.released,
    isSentBack: row.sent_back,
  };
}

function numberOf(row: StoredPayout, whole: boolean): string {
  if (row.to_wallet !== null) return whole ? row.to_wallet : maskWallet(row.to_wallet);
  return whole ? row.iban : maskIban(row.iban);
}
