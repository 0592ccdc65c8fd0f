import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { daysRange } from '#lib/values/dates.ts';
import { countIn } from '#lib/runtime/count.ts';
import { inOne, join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import { PART_STATES, partsOf, readCardSearch, SOLD, VIEW_STATES } from './filter.ts';
import type { CardFilter, CardPart, CardQuery } from './filter.ts';
import { lapsesAt } from './authorization.ts';
import type { PaymentProblem, PaymentState } from './payment.ts';
import { PAYMENT } from './row.ts';
import type { StoredPayment } from './row.ts';

const PAGE_ROWS = 25;

/**
 * What a payment link's own state does not say. `unpaid`: by its record, nobody has tried to pay
 * yet. `unused`: it has ended, and nobody tried to pay with it.
 */
export type LinkState = 'unpaid' | 'unused';

/**
 * One card payment as screens show it. Amounts are decimal text, times ISO; `card` the last four
 * digits.
 */
export type CardRow = {
  id: string;
  invoiceId: string;
  source: 'notice' | 'person' | 'made_here';
  state: PaymentState | null;
  problem: PaymentProblem | null;
  amount: string | null;
  /** What was captured, when it is less than `amount`. */
  taken: string | null;
  refunded: string | null;
  currency: string;
  card: string | null;
  link: LinkState | null;
  orderId: string | null;
  firstSeenAt: string;
  verifiedAt: string | null;
  heldSince: string | null;
  /** The end of the authorization; null when its age is unknown. */
  lapsesAt: string | null;
};

/** How many payments are known, by source. The gateway has no list, so there may be more. */
export type Coverage = {
  known: number;
  fromNotices: number;
  byHand: number;
  madeHere: number;
  unverified: number;
};

/**
 * The rows of one part in one currency. `sum`: of the known amounts, null without any; `unknown`:
 * how many amounts are not known.
 */
export type CardTotal = {
  part: CardPart;
  currency: string;
  count: number;
  unknown: number;
  sum: string | null;
};

export type CardPage = Paged<CardRow> & {
  /** The totals over the whole filter: one entry per part and currency. */
  totals: CardTotal[];
  coverage: Coverage;
  attention: number;
  now: string;
};

/** One page of the register, the latest known first. */
export async function listCardPayments(
  actor: Person,
  { filter, place }: CardQuery,
): Promise<CardPage> {
  assertMay(actor, 'card.read');
  const conditions = conditionsOf(filter);
  const newest = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  const [found, [about]] = await Promise.all([
    inOne<StoredPayment & { edge: string }>(
      actor.merchantId,
      sql`
      SELECT ${PAYMENT.of('p')}, to_char(p.first_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ||
        '_' || p.id AS edge FROM card_payments p
      WHERE ${conditions} AND ${beyond(place)} ORDER BY p.first_seen_at ${newest}, p.id ${newest}
        LIMIT ${PAGE_ROWS + 1}`,
    ),
    inOne<{
      totals: CardTotal[];
      coverage: Coverage;
      attention: number;
      now: Date;
    }>(
      actor.merchantId,
      sql`
      SELECT
        ${totalsOf(conditions)} AS totals,
        (SELECT jsonb_build_object('known', count(*), 'fromNotices',
          count(*) FILTER (WHERE source = 'notice'), 'byHand',
          count(*) FILTER (WHERE source = 'person'), 'madeHere',
          count(*) FILTER (WHERE source = 'made_here'), 'unverified',
          count(*) FILTER (WHERE state IS NULL))
          FROM card_payments) AS coverage,
        (SELECT count(*)::int FROM card_payments p WHERE ${ATTENTION}) AS attention,
          clock_timestamp() AS now`,
    ),
  ]);
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return {
    ...page,
    rows: page.rows.map(toRow),
    totals: about!.totals.map(toTotal),
    coverage: about!.coverage,
    attention: about!.attention,
    now: about!.now.toISOString(),
  };
}

/** Of an authorization captured in part only that part was taken; the record names it. */
export const TAKEN_MINOR = sql`CASE WHEN p.charged_minor < p.amount_minor
  AND p.state = ANY(${SOLD}::text[]) THEN p.charged_minor ELSE p.amount_minor END`;

/** The last digits that the record of an unused link names. */
const NO_CARD = '0000';
/**
 * Whether a payment `p` is a link with which nobody tried to pay, open or not: its record names no
 * card, or four zeros in place of one. While its record cannot be read or believed, that is unknown.
 */
const UNUSED_LINK = sql`p.kind = 'link' AND p.link IS NOT NULL AND coalesce(p.card, ${NO_CARD}) = ${NO_CARD}
  AND coalesce(p.state, 'pending') IN ('pending', 'failed', 'cancelled')
  AND coalesce(p.problem, 'not_found') = 'not_found'`;

/** The part of the register to which a payment `p` belongs. */
export const PART = sql`CASE WHEN ${UNUSED_LINK} THEN 'unused_link' ${join(
  Object.entries(PART_STATES).map(
    ([part, states]) => sql`WHEN p.state = ANY(${[...states]}::text[]) THEN ${part}`,
  ),
  ' ',
)} ELSE 'awaited' END`;

function totalsOf(conditions: Prisma.Sql): Prisma.Sql {
  return sql`(SELECT coalesce(jsonb_agg(t ORDER BY t.count DESC, t.currency), '[]') FROM (
    SELECT ${PART} AS part, p.currency, count(*)::int AS count,
      count(*) FILTER (WHERE p.amount_minor IS NULL)::int AS unknown,
      sum(${TAKEN_MINOR})::text AS sum
      FROM card_payments p WHERE ${conditions} GROUP BY 1, 2) t)`;
}

/** A total as the database adds it up, in minor units, becomes decimal text. */
function toTotal(row: CardTotal): CardTotal {
  return { ...row, sum: row.sum === null ? null : toDecimal(BigInt(row.sum)) };
}

/** The totals of the register with this filter, as the foot of the register shows them. */
export async function sumCardPayments(actor: Person, filter: CardFilter): Promise<CardTotal[]> {
  assertMay(actor, 'card.read');
  const [row] = await inOne<{ totals: CardTotal[] }>(
    actor.merchantId,
    sql`SELECT ${totalsOf(conditionsOf(filter))} AS totals`,
  );
  return row!.totals.map(toTotal);
}

/**
 * Whether a payment `p` needs a person: something is wrong, it is unknown whether the money was
 * captured, or it was sent half an hour ago and has no outcome; and nobody has looked into it yet. An
 * unused card form or link does not count.
 */
export const ATTENTION = sql`(p.problem_seen_at IS NULL AND (p.state = 'maybe_captured'
  OR (p.problem IN ('not_found', 'mismatch', 'contradiction')
    AND NOT (p.problem = 'not_found' AND p.source = 'made_here' AND p.sent_at IS NULL))
  OR (p.sent_at < clock_timestamp() - interval '30 minutes'
    AND coalesce(p.state, 'pending') = 'pending' AND coalesce(p.problem, 'no_answer') = 'no_answer')))`;

/** How many payments need a person, as the list's own tab counts them. */
export async function countCardPaymentsNeedingAttention(actor: Person): Promise<number> {
  assertMay(actor, 'card.read');
  return countIn(
    actor.merchantId,
    sql`SELECT count(*)::int FROM card_payments p WHERE ${ATTENTION}`,
  );
}

export function toRow(raw: StoredPayment): CardRow {
  const heldSince = raw.held_since?.getTime() ?? null;
  const link = raw.kind === 'link' ? linkStateOf(raw) : null;
  return {
    id: raw.id,
    invoiceId: raw.invoice_id,
    source: raw.source,
    state: raw.state,
    problem: raw.problem,
    amount: raw.amount_minor === null ? null : toDecimal(raw.amount_minor),
    taken: takenInPart(raw),
    refunded:
      raw.refunded_minor === null || raw.refunded_minor === 0n
        ? null
        : toDecimal(raw.refunded_minor),
    currency: raw.currency,
    card: raw.kind === 'link' && isUntried(raw) ? null : raw.card,
    link,
    orderId: raw.order_id,
    firstSeenAt: raw.first_seen_at.toISOString(),
    verifiedAt: raw.verified_at?.toISOString() ?? null,
    heldSince: raw.held_since?.toISOString() ?? null,
    lapsesAt: heldSince === null ? null : new Date(lapsesAt(heldSince)).toISOString(),
  };
}

function takenInPart({ state, amount_minor, charged_minor }: StoredPayment): string | null {
  const isPart = amount_minor !== null && charged_minor !== null && charged_minor < amount_minor;
  return isPart && SOLD.some((sold) => sold === state) ? toDecimal(charged_minor) : null;
}

/**
 * The state of a payment link where its record says more than the payment's own state. Null also
 * when it is unknown whether the customer has paid: then the payment's own state is shown.
 */
export function linkStateOf({
  link,
  state,
  problem,
  card,
}: Pick<StoredPayment, 'link' | 'state' | 'problem' | 'card'>): LinkState | null {
  if (link === null || !isUntried({ state, card })) return null;
  if (problem !== null && problem !== 'not_found') return null;
  return state === 'failed' || state === 'cancelled' ? 'unused' : 'unpaid';
}

/** Until the customer types a card, the record of a link names four zeros as the card. */
function isUntried({ state, card }: Pick<StoredPayment, 'state' | 'card'>): boolean {
  const isUnpaid =
    state === null || state === 'pending' || state === 'failed' || state === 'cancelled';
  return isUnpaid && (card ?? NO_CARD) === NO_CARD;
}

function beyond(place: Place | null): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const [at = '', id = ''] = place.edge.split('_');
  return place.side === 'after'
    ? sql`(p.first_seen_at, p.id) < (${at}::timestamptz, ${id}::uuid)`
    : sql`(p.first_seen_at, p.id) > (${at}::timestamptz, ${id}::uuid)`;
}

export function conditionsOf(filter: CardFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (filter.view === 'attention') all.push(ATTENTION);
  else if (filter.view !== 'all')
    all.push(sql`p.state = ANY(${[...VIEW_STATES[filter.view]]}::text[])`);
  if (filter.part !== null) all.push(sql`${PART} = ANY(${[...partsOf(filter.part)]}::text[])`);
  const zone = env().timeZone;
  if (filter.source !== null) all.push(sql`p.source = ${filter.source}`);
  if (filter.from !== null)
    all.push(
      sql`p.first_seen_at >= ${daysRange({ from: filter.from, to: filter.from }, zone).from}::timestamptz`,
    );
  if (filter.to !== null)
    all.push(
      sql`p.first_seen_at < ${daysRange({ from: filter.to, to: filter.to }, zone).to}::timestamptz`,
    );
  const search = readCardSearch(filter.text);
  if (search !== null) {
    const pattern = `${search.number.replace(/[\\%_]/g, '\\$&')}%`;
    const any = [sql`p.invoice_id LIKE ${pattern}`, sql`p.order_id LIKE ${pattern}`];
    if (search.card !== null) any.push(sql`p.card = ${search.card}`);
    if (search.amounts.length > 0) any.push(sql`p.amount_minor IN (${join(search.amounts)})`);
    all.push(sql`(${join(any, ' OR ')})`);
  }
  return join(all, ' AND ');
}
