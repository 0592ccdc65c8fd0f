import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { inOne, join, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { maskIban } from '#lib/values/iban.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { reportOrder } from '#lib/reports/order.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { ibanMatches } from '#lib/form-fields/iban-search.ts';
import { besideOurs } from './match-status.ts';
import type { Beside } from './match-status.ts';
import type { Level, WithdrawalFilter, WithdrawalQuery } from './filter.ts';

const PAGE_ROWS = 25;

/**
 * One withdraw request as the provider lists it, beside our own payout if we made it. Amounts are
 * decimal text, times ISO.
 */
export type WithdrawalRow = {
  requestId: string;
  extId: string | null;
  level: Level;
  name: string | null;
  /** The payee's IBAN, masked without the permission for payees' numbers. */
  iban: string | null;
  wallet: string | null;
  amount: string;
  currency: string;
  createdAt: string;
  payout: { id: string; kind: string; state: State; returned: Returned } | null;
  beside: Beside;
};

export type WithdrawalTotal = Row<'withdraw_records', 'currency' | 'level', { level: Level }> & {
  count: number;
  sum: string;
};
export type WithdrawalPage = Paged<WithdrawalRow> & { now: string };

/**
 * One page of the provider's withdraw requests read so far. Keyset pagination: the cost does not
 * grow with the depth of the page.
 */
export async function listWithdrawals(
  actor: Person,
  { filter, place }: Pick<WithdrawalQuery, 'filter' | 'place'>,
): Promise<WithdrawalPage> {
  assertMay(actor, 'movement.read');
  const { edge, beyond, order } = withdrawalOrder(filter, place);
  const [found, [clock]] = await Promise.all([
    inOne<Found>(
      actor.merchantId,
      sql`
      SELECT w.request_id, w.ext_id, w.level, w.name, w.iban, w.wallet, w.amount_minor, w.currency,
        w.created_at, ${edge} AS edge,
        m.id AS movement_id, m.kind, m.state, m.returned, m.amount_minor AS our_amount,
          m.currency AS our_currency, nullif(m.iban, '') AS our_iban
      FROM withdraw_records w LEFT JOIN movements m ON m.ext_id = w.ext_id
      WHERE ${withdrawalConditions(actor, filter)} AND ${beyond} ORDER BY ${order} LIMIT ${PAGE_ROWS + 1}`,
    ),
    inOne<{ now: Date }>(actor.merchantId, sql`SELECT clock_timestamp() AS now`),
  ]);
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  const whole = may(actor.role, 'payee.read');
  return {
    ...page,
    rows: page.rows.map((row) => toRow(row, whole)),
    now: clock!.now.toISOString(),
  };
}

/**
 * Count and sum over the whole filter, an entry for each currency and level. They scan every
 * request of the filter, so the rows do not wait for them.
 */
export async function sumWithdrawals(
  actor: Person,
  filter: WithdrawalFilter,
): Promise<WithdrawalTotal[]> {
  assertMay(actor, 'movement.read');
  const totals = await inOne<WithdrawalTotal>(
    actor.merchantId,
    sql`
    SELECT w.currency, w.level, count(*)::int AS count, sum(w.amount_minor)::text AS sum
      FROM withdraw_records w WHERE ${withdrawalConditions(actor, filter)}
      GROUP BY w.currency, w.level ORDER BY 1, 3 DESC, 2`,
  );
  return totals.map((row) => ({ ...row, sum: toDecimal(BigInt(row.sum)) }));
}

type Found = Row<
  'withdraw_records',
  | 'request_id'
  | 'ext_id'
  | 'level'
  | 'name'
  | 'iban'
  | 'wallet'
  | 'amount_minor'
  | 'currency'
  | 'created_at',
  { level: Level }
> &
  Row<'movements', 'kind'> & {
    edge: string;
    movement_id: string | null;
    state: State;
    returned: Returned;
    our_amount: bigint;
    our_currency: string;
    our_iban: string | null;
  };

function toRow(row: Found, whole: boolean): WithdrawalRow {
  const payout =
    row.movement_id === null
      ? null
      : { id: row.movement_id, kind: row.kind, state: row.state, returned: row.returned };
  return {
    requestId: row.request_id,
    extId: row.ext_id,
    level: row.level,
    name: row.name,
    iban: row.iban === null || whole ? row.iban : maskIban(row.iban),
    wallet: row.wallet,
    amount: toDecimal(row.amount_minor),
    currency: row.currency,
    createdAt: row.created_at.toISOString(),
    payout,
    beside: besideOurs(
      {
        level: row.level,
        amountMinor: row.amount_minor,
        currency: row.currency,
        iban: row.iban,
      },
      payout && {
        ...payout,
        amountMinor: row.our_amount,
        currency: row.our_currency,
        iban: row.our_iban,
      },
    ),
  };
}

const SORTED_BY = {
  createdAt: sql`w.created_at`,
  amountMinor: sql`w.amount_minor`,
  id: sql`w.request_id`,
};

/** The SQL for keyset pagination of a request `w` from a place. */
export function withdrawalOrder(
  filter: Pick<WithdrawalFilter, 'sort' | 'order'>,
  place: Place | null,
): ReturnType<typeof reportOrder> {
  return reportOrder(SORTED_BY, filter, place);
}

/** The conditions of a filter on a request `w`; the role limits what may be searched for. */
export function withdrawalConditions(
  actor: Pick<Person, 'role'>,
  filter: WithdrawalFilter,
): Prisma.Sql {
  const range = daysRange({ from: filter.from, to: filter.to }, env().timeZone);
  const all: Prisma.Sql[] = [
    sql`w.created_at >= ${range.from}::timestamptz AND w.created_at < ${range.to}::timestamptz`,
  ];
  if (filter.wallet !== null) all.push(sql`w.wallet = ${filter.wallet}`);
  if (filter.level !== null) all.push(sql`w.level = ${filter.level}`);
  if (filter.completed !== null)
    all.push(filter.completed ? sql`w.level = 'completed'` : sql`w.level <> 'completed'`);
  if (filter.min !== null) all.push(sql`w.amount_minor >= ${filter.min}`);
  if (filter.max !== null) all.push(sql`w.amount_minor <= ${filter.max}`);
  const search = readSearch(filter.text);
  if (search !== null) {
    const any: Prisma.Sql[] =
      search.name === '' ? [sql`FALSE`] : [sql`w.name_fold LIKE ${containing(search.name)}`];
    if (search.iban !== null) any.push(ibanMatches(actor, search.iban, sql`w.iban`));
    if (search.reference !== null)
      any.push(
        sql`w.ext_id LIKE ${`${search.reference}%`}`,
        sql`w.request_id = ${search.reference}`,
        sql`w.correlation_id = ${search.reference}`,
      );
    if (search.taxNumber !== null) any.push(sql`w.tax_number = ${search.taxNumber}`);
    if (search.amounts.length > 0) any.push(sql`w.amount_minor IN (${join(search.amounts)})`);
    // References of other channels have no fixed format.
    any.push(sql`w.ext_id = ${filter.text}`);
    all.push(sql`(${join(any, ' OR ')})`);
  }
  return join(all, ' AND ');
}

/** A LIKE pattern that takes the text literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
