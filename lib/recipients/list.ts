import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { Returned, State } from '#lib/movements/state.ts';
import { accountOf } from './account.ts';
import type { Account } from './account.ts';
import { LAST_PAID } from './movements.ts';
import type { RecipientFilter, RecipientQuery, RecipientSort } from './filter.ts';
import { recipientMatches } from './search.ts';

const PAGE_ROWS = 25;

/** The latest movement in any state. Amounts are decimal text, times ISO. */
export type LastPaid = {
  amount: string;
  currency: string;
  at: string;
  state: State;
  returned: Returned;
};
/**
 * One recipient of the list; its active accounts, the latest first, masked for people who may not
 * see them whole.
 */
export type RecipientRow = {
  id: string;
  name: string;
  nickname: string | null;
  accounts: Account[];
  last: LastPaid | null;
};
export type RecipientPage = Paged<RecipientRow> & {
  /** Counts of all recipients, whatever the filter. */
  counts: { active: number; archived: number };
  now: string;
};

/**
 * One page of the recipients. Keyset pagination: the cost depends neither on the depth of the page
 * nor on payments to recipients of other pages.
 */
export async function listRecipients(
  actor: Person,
  { filter, place }: RecipientQuery,
): Promise<RecipientPage> {
  assertMay(actor, 'movement.read');
  const [found, [about]] = await Promise.all([
    inOne<Row>(actor.merchantId, rowsOf(actor, filter, place)),
    inOne<{ active: number; archived: number; now: Date }>(
      actor.merchantId,
      sql`
      SELECT count(*) FILTER (WHERE archived_at IS NULL)::int AS active,
        count(*) FILTER (WHERE archived_at IS NOT NULL)::int AS archived, clock_timestamp() AS now
        FROM recipients`,
    ),
  ]);
  const page = pageOf(found, place, PAGE_ROWS, (row) => `${row.id}_${row.edge}`);
  const whole = may(actor.role, 'payee.read');
  return {
    ...page,
    rows: page.rows.map((row) => toRow(row, whole)),
    counts: { active: about!.active, archived: about!.archived },
    now: about!.now.toISOString(),
  };
}

type Row = {
  id: string;
  name: string;
  nickname: string | null;
  edge: string;
  numbers: string[] | null;
} & (
  | { at: Date; amount_minor: bigint; currency: string; state: State; returned: Returned }
  | { at: null }
);

/** Per sort column: the column, the text of its edge, and how that text becomes a value again. */
const SORTS: Record<
  RecipientSort,
  { column: Prisma.Sql; edge: Prisma.Sql; value: (text: string) => Prisma.Sql }
> = {
  used: {
    column: sql`r.used_at`,
    edge: sql`to_char(r.used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: (text) => sql`${text}::timestamptz`,
  },
  name: { column: sql`r.name_sort`, edge: sql`r.name_sort`, value: (text) => sql`${text}::text` },
};

function rowsOf(actor: Person, filter: RecipientFilter, place: Place | null): Prisma.Sql {
  const { column, edge, value } = SORTS[filter.sort];
  // A page before a place is read backwards.
  const up = (filter.order === 'ascending') !== (place?.side === 'before');
  const direction = up ? sql`ASC` : sql`DESC`;
  const at = place?.edge.indexOf('_') ?? 0;
  const there =
    place && sql`(${value(place.edge.slice(at + 1))}, ${place.edge.slice(0, at)}::uuid)`;
  const beyond =
    there === null
      ? sql`TRUE`
      : up
        ? sql`(${column}, r.id) > ${there}`
        : sql`(${column}, r.id) < ${there}`;
  return sql`
    WITH page AS (
      SELECT r.id, r.name, r.nickname, ${edge} AS edge FROM recipients r
      WHERE
        ${filter.view === 'active' ? sql`r.archived_at IS NULL` : sql`r.archived_at IS NOT NULL`}
        AND ${recipientMatches(actor, filter.text)} AND ${beyond}
      ORDER BY ${column} ${direction}, r.id ${direction} LIMIT ${PAGE_ROWS + 1})
    SELECT page.id, page.name, page.nickname, page.edge, last.*,
      (SELECT jsonb_agg(p.number ORDER BY p.created_at DESC) FROM recipient_payees p
        WHERE p.recipient_id = page.id AND p.archived_at IS NULL) AS numbers
    FROM page LEFT JOIN LATERAL (
      SELECT paid.* FROM recipient_payees p CROSS JOIN LATERAL (${LAST_PAID}) paid
        WHERE p.recipient_id = page.id ORDER BY paid.at DESC LIMIT 1) last ON TRUE
    ORDER BY page.edge COLLATE "C" ${direction}, page.id ${direction}`;
}

function toRow(row: Row, whole: boolean): RecipientRow {
  const last =
    row.at === null
      ? null
      : {
          amount: toDecimal(row.amount_minor),
          currency: row.currency,
          at: row.at.toISOString(),
          state: row.state,
          returned: row.returned,
        };
  return {
    id: row.id,
    name: row.name,
    nickname: row.nickname,
    accounts: (row.numbers ?? []).map((number) => accountOf(number, whole)),
    last,
  };
}
