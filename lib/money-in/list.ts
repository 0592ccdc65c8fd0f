import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { inOne, join, sql } from '#lib/runtime/db.ts';
import type { Prisma, Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { checkIban, maskIban } from '#lib/values/iban.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { ibanMatches } from '#lib/form-fields/iban-search.ts';
import { edgeOf } from './filter.ts';
import type { TopUpFilter, TopUpQuery } from './filter.ts';

const PAGE_ROWS = 25;
/**
 * The ledger usually lags by less (`contract`: 20 minutes at peak); an announcement without a
 * ledger entry after this time needs attention.
 */
const OVERDUE_MS = 30 * 60_000;

/**
 * `announced`: a webhook reports it, and the ledger has no such entry. `unfinished`: the entry
 * exists and is not completed.
 */
export type TopUpState = 'announced' | 'overdue' | 'arrived' | 'returned' | 'unfinished';

/**
 * Incoming money, in the ledger or announced. The IBAN is masked without the permission for it;
 * amounts are decimal text, null where a webhook has none.
 */
export type TopUpRow = {
  id: string;
  state: TopUpState;
  /** The ledger's own time, or the webhook's time of arrival. */
  at: string;
  wallet: string | null;
  senderName: string | null;
  senderIban: string | null;
  senderBank: string | null;
  description: string | null;
  amount: string | null;
  currency: string | null;
};

export type TopUpPage = Paged<TopUpRow> & {
  /** The number announced and not in the ledger. */ announced: number;
  any: boolean;
  now: string;
};

/**
 * One page of incoming money, newest first: ledger entries, and announcements of webhooks that the
 * ledger does not have.
 */
export async function listTopUps(actor: Person, { filter, place }: TopUpQuery): Promise<TopUpPage> {
  assertMay(actor, 'wallet.read');
  const backwards = place?.side === 'before';
  const [order, idOrder] = backwards ? [sql`ASC`, sql`DESC`] : [sql`DESC`, sql`ASC`];
  const part = (side: Side): Prisma.Sql =>
    sql`(SELECT ${side.columns} FROM ${side.from} WHERE ${conditions(actor, filter, side)}
      AND ${beyond(place, side)} ORDER BY ${side.at} ${order}, ${side.id} ${idOrder}
      LIMIT ${PAGE_ROWS + 1})`;
  const sides =
    filter.view === 'all'
      ? [ARRIVED, ANNOUNCED]
      : [filter.view === 'arrived' ? ARRIVED : ANNOUNCED];
  const [found, [about]] = await Promise.all([
    inOne<FoundTopUp>(
      actor.merchantId,
      sql`
      SELECT t.*, to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || t.id AS edge
      FROM (${join(sides.map(part), ' UNION ALL ')}) t ORDER BY t.at ${order}, t.id ${idOrder}
        LIMIT ${PAGE_ROWS + 1}`,
    ),
    inOne<{ announced: number; any: boolean; now: Date }>(
      actor.merchantId,
      sql`
      SELECT (SELECT count(*)::int FROM ${ANNOUNCED.from} WHERE ${ANNOUNCED.own}) AS announced,
        clock_timestamp() AS now,
        EXISTS (SELECT FROM ${ARRIVED.from} WHERE ${ARRIVED.own})
          OR EXISTS (SELECT FROM announced_top_ups) AS any`,
    ),
  ]);
  const { announced, any, now } = about!;
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return {
    ...page,
    rows: page.rows.map((row) => topUpRow(row, actor, now)),
    announced,
    any,
    now: now.toISOString(),
  };
}

/** A row of the ledger, or of an announcement, which has fewer columns. */
export type FoundTopUp = Row<
  'ledger_records',
  'id' | 'sender_name' | 'sender_iban' | 'description'
> &
  Row<'announced_top_ups', 'wallet' | 'sender_bank' | 'currency'> & {
    status_id: number | null;
    at: Date;
    amount_minor: bigint | null;
    edge: string;
  };

export type Side = {
  columns: Prisma.Sql;
  from: Prisma.Sql;
  own: Prisma.Sql;
  id: Prisma.Sql;
  at: Prisma.Sql;
  wallet: Prisma.Sql;
  amount: Prisma.Sql;
  iban: Prisma.Sql;
  fold: Prisma.Sql;
};

/**
 * The top-ups in the ledger. A credit that brings back a payout of ours has the same type
 * (`published`), and is no top-up.
 */
export const ARRIVED: Side = {
  columns: sql`l.id, l.status_id, l.created_at AS at, l.to_wallet AS wallet, l.sender_name,
    l.sender_iban, l.top_up ->> 'senderBank' AS sender_bank,
    coalesce(l.top_up ->> 'description', l.description) AS description, l.amount_minor, l.currency`,
  from: sql`ledger_records l`,
  own: sql`l.type_id IN (1001, 1004) AND l.refers_to IS NULL
    AND NOT EXISTS (SELECT FROM movements m WHERE m.ext_id = l.ext_id)`,
  id: sql`l.id`,
  at: sql`l.created_at`,
  wallet: sql`l.to_wallet`,
  amount: sql`l.amount_minor`,
  iban: sql`l.sender_iban`,
  fold: sql`l.text_fold`,
};

/**
 * The announcements of webhooks without a ledger entry; where there is an entry, the ledger is
 * authoritative.
 */
export const ANNOUNCED: Side = {
  columns: sql`a.id, NULL::int AS status_id, a.announced_at AS at, a.wallet, a.sender_name,
    a.sender_iban, a.sender_bank, a.description, a.announced_minor AS amount_minor, a.currency`,
  from: sql`announced_top_ups a`,
  own: sql`NOT EXISTS (SELECT FROM ledger_records r WHERE r.id = a.id)`,
  id: sql`a.id`,
  at: sql`a.announced_at`,
  wallet: sql`a.wallet`,
  amount: sql`a.announced_minor`,
  iban: sql`a.sender_iban`,
  fold: sql`a.text_fold`,
};

/**
 * Keyset pagination. The first comparison alone uses the index; the second only breaks ties between
 * equal times.
 */
function beyond(place: Place | null, { at, id }: Side): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const edge = edgeOf(place);
  return place.side === 'after'
    ? sql`${at} <= ${edge.at}::timestamptz AND (${at} < ${edge.at}::timestamptz OR ${id} > ${edge.id})`
    : sql`${at} >= ${edge.at}::timestamptz AND (${at} > ${edge.at}::timestamptz OR ${id} < ${edge.id})`;
}

function conditions(actor: Person, filter: TopUpFilter, side: Side): Prisma.Sql {
  const all: Prisma.Sql[] = [side.own];
  const zone = env().timeZone;
  if (filter.wallet !== null) all.push(sql`${side.wallet} = ${filter.wallet}`);
  if (filter.from !== null)
    all.push(
      sql`${side.at} >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(
      sql`${side.at} < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`,
    );
  const search = readSearch(filter.text);
  if (search !== null) {
    const any: Prisma.Sql[] =
      search.name === ''
        ? [sql`FALSE`]
        : [sql`${side.fold} LIKE ${`%${search.name.replace(/[\\%_]/g, '\\$&')}%`}`];
    if (search.iban !== null) any.push(ibanMatches(actor, search.iban, side.iban));
    if (search.reference !== null) any.push(sql`${side.id} = ${search.reference}`);
    if (search.amounts.length > 0) any.push(sql`${side.amount} IN (${join(search.amounts)})`);
    all.push(sql`(${join(any, ' OR ')})`);
  }
  return join(all, ' AND ');
}

export function topUpRow(row: FoundTopUp, actor: Person, now: Date): TopUpRow {
  const iban = row.sender_iban;
  return {
    id: row.id,
    state: stateOf(row, now),
    at: row.at.toISOString(),
    wallet: row.wallet,
    senderName: row.sender_name,
    senderIban: iban === null || may(actor.role, 'payee.read') ? iban : maskIban(iban),
    senderBank: bankOf(row.sender_bank, iban),
    description: row.description,
    amount: row.amount_minor === null ? null : toDecimal(row.amount_minor),
    currency: row.currency,
  };
}

/** The sender's bank by name; when the bank sent only a code or nothing, the bank of the IBAN. */
function bankOf(named: string | null, iban: string | null): string | null {
  if (named !== null && !/^\d+$/.test(named)) return named;
  const checked = iban === null ? null : checkIban(iban);
  return (checked?.kind === 'ok' ? checked.bankName : null) ?? named;
}

/**
 * The state of a top-up by its entry's status: 20 is completed (`contract`), 60 refunded
 * (`published`).
 */
function stateOf({ status_id: status, at }: FoundTopUp, now: Date): TopUpState {
  if (status === null) return now.getTime() - at.getTime() > OVERDUE_MS ? 'overdue' : 'announced';
  return status === 20 ? 'arrived' : status === 60 ? 'returned' : 'unfinished';
}
