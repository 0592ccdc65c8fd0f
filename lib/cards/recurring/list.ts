import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countIn } from '#lib/runtime/count.ts';
import { inOne, join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged, Place } from '#lib/values/keyset.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { ChargeState } from './charge.ts';
import type { PlanFilter, PlanQuery } from './filter.ts';
import type { KnownPlan, PlanProblem, PlanStatus } from './plan.ts';
import { PLAN } from './row.ts';
import type { StoredPlan } from './row.ts';

const PAGE_ROWS = 25;

/**
 * One plan as screens show it. Amounts are decimal text, times ISO; `card` the last four digits.
 */
export type PlanRow = {
  id: string;
  planCode: string;
  status: PlanStatus | null;
  problem: PlanProblem | null;
  currency: string;
  amount: string | null;
  every: number | null;
  cycle: KnownPlan['cycle'] | null;
  /** The number of charges taken. */
  taken: number;
  payments: number | null;
  card: string | null;
  nextChargeAt: string | null;
  verifiedAt: string | null;
  /** The state of the requested charge that has not ended. */
  charge: ChargeState | null;
};

export type PlanPage = Paged<PlanRow> & { known: number; attention: number; now: string };

/**
 * CHARGING: the state of the plan's open charge. UNKNOWN_CODE: whether the gateway does not know the
 * plan's code, and nobody has looked into it yet. ATTENTION: whether the plan needs a person, because
 * of that or a contradiction, an unknown status, or a charge in state APPROVED or UNKNOWN. All as SQL.
 */
const CHARGING = sql`(SELECT c.state FROM plan_charges c WHERE c.plan_id = p.id
  AND c.state IN ('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN'))`;
export const UNKNOWN_CODE = sql`(p.problem = 'not_found' AND p.problem_seen_at IS NULL)`;
const ATTENTION = sql`(${UNKNOWN_CODE} OR p.problem = 'contradiction' OR p.status = 'unknown'
  OR EXISTS (SELECT FROM plan_charges c WHERE c.plan_id = p.id AND c.state IN ('APPROVED', 'UNKNOWN')))`;

/** How many plans need a person, as the list's own tab counts them. */
export async function countPlansNeedingAttention(actor: Person): Promise<number> {
  assertMay(actor, 'card.read');
  return countIn(
    actor.merchantId,
    sql`SELECT count(*)::int FROM recurring_plans p WHERE ${ATTENTION}`,
  );
}

/** One page of the plans known here, the latest known first. */
export async function listPlans(actor: Person, { filter, place }: PlanQuery): Promise<PlanPage> {
  assertMay(actor, 'card.read');
  const newest = place?.side === 'before' ? sql`ASC` : sql`DESC`;
  const [found, [about]] = await Promise.all([
    inOne<StoredPlan & { edge: string; charge: ChargeState | null }>(
      actor.merchantId,
      sql`
      SELECT ${PLAN.of('p')}, ${CHARGING} AS charge,
        to_char(p.first_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || p.id
        AS edge FROM recurring_plans p
      WHERE ${conditionsOf(filter)} AND ${beyond(place)} ORDER BY p.first_seen_at ${newest},
        p.id ${newest} LIMIT ${PAGE_ROWS + 1}`,
    ),
    inOne<{ known: number; attention: number; now: Date }>(
      actor.merchantId,
      sql`
      SELECT count(*)::int AS known, (count(*) FILTER (WHERE ${ATTENTION}))::int AS attention,
        clock_timestamp() AS now FROM recurring_plans p`,
    ),
  ]);
  const page = pageOf(found, place, PAGE_ROWS, (row) => row.edge);
  return {
    ...page,
    rows: page.rows.map(toPlanRow),
    known: about!.known,
    attention: about!.attention,
    now: about!.now.toISOString(),
  };
}

export function toPlanRow(raw: StoredPlan & { charge: ChargeState | null }): PlanRow {
  return {
    id: raw.id,
    planCode: raw.plan_code,
    status: raw.status,
    problem: raw.problem,
    currency: raw.currency,
    amount: raw.recurring_minor === null ? null : toDecimal(raw.recurring_minor),
    every: raw.every,
    cycle: raw.cycle,
    taken: raw.charges.filter((charge) => charge.status === 'completed').length,
    payments: raw.payments,
    card: raw.card,
    nextChargeAt: raw.next_charge_at?.toISOString() ?? null,
    verifiedAt: raw.verified_at?.toISOString() ?? null,
    charge: raw.charge,
  };
}

function conditionsOf({ view, text }: PlanFilter): Prisma.Sql {
  const all: Prisma.Sql[] = [sql`TRUE`];
  if (view === 'attention') all.push(ATTENTION);
  else if (view !== 'all') all.push(sql`p.status = ${view}`);
  if (text !== '') {
    const pattern = `${text.replace(/[\\%_]/g, '\\$&')}%`;
    const card = /^[*•\s]*(\d{4})$/u.exec(text)?.[1] ?? null;
    all.push(
      sql`(p.plan_code LIKE ${pattern} OR p.first_order_id LIKE ${pattern} OR p.card = ${card})`,
    );
  }
  return join(all, ' AND ');
}

function beyond(place: Place | null): Prisma.Sql {
  if (place === null) return sql`TRUE`;
  const [at = '', id = ''] = place.edge.split('_');
  return place.side === 'after'
    ? sql`(p.first_seen_at, p.id) < (${at}::timestamptz, ${id}::uuid)`
    : sql`(p.first_seen_at, p.id) > (${at}::timestamptz, ${id}::uuid)`;
}
