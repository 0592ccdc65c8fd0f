import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { awaitedUntil, OPEN_STATES } from './charge.ts';
import type { ChargeState, NotChargedReason } from './charge.ts';
import { secondPersonViews } from '#lib/second-person/view.ts';
import type { SecondPersonView } from '#lib/second-person/view-model.ts';
import { CHARGE_CLAIMS, chargeQuestion, closeFrom, mayBeClosed } from './charge-closing.ts';
import type { ChargeClaim } from './charge-closing.ts';
import { toPlanRow } from './list.ts';
import type { PlanRow } from './list.ts';
import { nextCharge } from './plan.ts';
import type { KnownCharge } from './plan.ts';
import { UUID } from '#lib/values/uuid.ts';
import { knownPlanOf, CHARGE, PLAN } from './row.ts';
import type { StoredCharge, StoredPlan } from './row.ts';

const CHARGES_MAX = 50;

/** A charge of the plan's record, with the payment's page when its order is in the register. */
export type PlanChargeRow = Omit<KnownCharge, 'amountMinor'> & {
  amount: string;
  paymentId: string | null;
};

/** A charge that a person requested. Times ISO, amounts decimal text. */
export type AskedCharge = {
  id: string;
  state: ChargeState;
  reason: NotChargedReason | null;
  code: string | null;
  message: string | null;
  number: number | null;
  amount: string;
  currency: string;
  by: string;
  reads: number;
  taken: { amount: string; number: number | null } | null;
  askedAt: string;
  sentAt: string | null;
  endedAt: string | null;
  /**
   * How two people may close it; null while it cannot be closed, and for people without the
   * permission.
   */
  closing: {
    claims: ChargeClaim[];
    from: string;
    needsReference: true;
    people: 2;
    isMaker: boolean;
  } | null;
  /** People's statements about its outcome; null when there are none. */
  statements: SecondPersonView | null;
  /**
   * A record lists another amount than requested, or a later record lists a charge that no request
   * explains; and no person has acknowledged this contradiction.
   */
  contradicted: boolean;
};

export type PlanView = PlanRow & {
  /** Who has looked into the code that the gateway does not know. */
  problemSeen: { by: string; at: string; reason: string } | null;
  first: string | null;
  total: string | null;
  firstOrderId: string | null;
  startedAt: string | null;
  source: StoredPlan['source'];
  addedBy: string | null;
  firstSeenAt: string;
  nextLookAt: string | null;
  charges: PlanChargeRow[];
  asked: AskedCharge[];
  open: AskedCharge | null;
  /**
   * The charge that people said was taken and that no record lists yet; until then it stops the
   * next charge.
   */
  awaited: { number: number | null; amount: string; until: string } | null;
  /** The charge that "charge now" would take; null while none is due or may be requested. */
  next: { number: number | null; amount: string } | null;
  now: string;
};

/** `seer`: who has looked into the plan's problem. */
type Beside = Row<'recurring_plans', 'problem_seen_at' | 'problem_seen_reason'> & {
  adder: string | null;
  seer: string | null;
  now: Date;
};

/**
 * One plan with its history and every charge that was requested here; null when this merchant has
 * no plan with that id.
 */
export async function viewPlan(actor: Person, id: string): Promise<PlanView | null> {
  assertMay(actor, 'card.read');
  if (!UUID.test(id)) return null;
  const statements = await statementsOfCharges(actor, id);
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<(StoredPlan & Beside)[]>`
      SELECT ${PLAN.of('r')}, p.name AS adder, seer.name AS seer, r.problem_seen_at,
        r.problem_seen_reason, clock_timestamp() AS now
      FROM recurring_plans r LEFT JOIN people p ON p.id = r.added_by
        LEFT JOIN people seer ON seer.id = r.problem_seen_by WHERE r.id = ${id}::uuid`;
    if (!raw) return null;
    const rows = await tx.$queryRaw<(StoredCharge & { by: string })[]>`
      SELECT ${CHARGE.of('c')}, p.name AS by FROM plan_charges c JOIN people p ON p.id = c.person_id
        WHERE c.plan_id = ${id}::uuid ORDER BY c.asked_at DESC LIMIT ${CHARGES_MAX}`;
    const orders = raw.charges.flatMap((charge) => charge.orderId ?? []);
    const payments = await tx.$queryRaw<
      Row<'card_payments', 'id' | 'order_id'>[]
    >`SELECT id, order_id FROM card_payments WHERE order_id = ANY(${orders}::text[])`;
    const requested = rows.map((row) => ({
      ...toAsked(row),
      closing: closing(actor, row, raw.now.getTime()),
      statements: statements.get(row.id) ?? null,
    }));
    const open = requested.find((charge) => OPEN_STATES.includes(charge.state)) ?? null;
    const awaited = awaitedCharge(rows, raw.now.getTime());
    const next = nextCharge(knownPlanOf(raw));
    return {
      ...toPlanRow({ ...raw, charge: open?.state ?? null }),
      problemSeen: raw.problem_seen_at && {
        by: raw.seer ?? '',
        at: raw.problem_seen_at.toISOString(),
        reason: raw.problem_seen_reason ?? '',
      },
      first: raw.first_minor === null ? null : toDecimal(raw.first_minor),
      total: raw.total_minor === null ? null : toDecimal(raw.total_minor),
      firstOrderId: raw.first_order_id,
      startedAt: raw.started_at?.toISOString() ?? null,
      source: raw.source,
      addedBy: raw.adder,
      firstSeenAt: raw.first_seen_at.toISOString(),
      nextLookAt: raw.next_at?.toISOString() ?? null,
      charges: raw.charges.map(({ amountMinor, ...charge }) => ({
        ...charge,
        amount: toDecimal(BigInt(amountMinor)),
        paymentId: payments.find((payment) => payment.order_id === charge.orderId)?.id ?? null,
      })),
      asked: requested,
      open,
      awaited,
      next:
        next === null || open !== null || awaited !== null
          ? null
          : { number: next.number, amount: toDecimal(next.amountMinor) },
      now: raw.now.toISOString(),
    };
  });
}

/** People's statements about this plan's charges. */
async function statementsOfCharges(
  actor: Person,
  planId: string,
): Promise<Map<string, SecondPersonView>> {
  const charges = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<Pick<StoredCharge, 'id' | 'state' | 'person_id'>[]>`
    SELECT id, state, person_id FROM plan_charges WHERE plan_id = ${planId}::uuid
      AND sent_at IS NOT NULL ORDER BY asked_at DESC LIMIT ${CHARGES_MAX}`,
  );
  return secondPersonViews(
    actor,
    'plan_charge',
    new Map(
      charges.map(({ id, state, person_id: personId }) => [
        id,
        chargeQuestion({ id, state, personId }).boundTo,
      ]),
    ),
  );
}

function closing(actor: Person, raw: StoredCharge, now: number): AskedCharge['closing'] {
  const charge = { state: raw.state, sentAt: raw.sent_at?.getTime() ?? null };
  if (!may(actor.role, 'card.plan') || !mayBeClosed(charge)) return null;
  const from = closeFrom(charge);
  return {
    claims: now >= from ? [...CHARGE_CLAIMS] : [],
    from: new Date(from).toISOString(),
    needsReference: true,
    people: 2,
    isMaker: raw.person_id === actor.personId,
  };
}

function awaitedCharge(rows: StoredCharge[], now: number): PlanView['awaited'] {
  for (const row of rows) {
    const { state, number, amount_minor: amountMinor } = row;
    const isListed = row.taken_minor !== null;
    const until = awaitedUntil({ state, isListed, sentAt: row.sent_at?.getTime() ?? null }, now);
    if (until !== null)
      return { number, amount: toDecimal(amountMinor), until: new Date(until).toISOString() };
  }
  return null;
}

function toAsked(raw: StoredCharge & { by: string }): Omit<AskedCharge, 'closing' | 'statements'> {
  return {
    id: raw.id,
    state: raw.state,
    reason: raw.reason,
    code: raw.code,
    message: raw.message,
    number: raw.number,
    amount: toDecimal(raw.amount_minor),
    currency: raw.currency,
    by: raw.by,
    reads: raw.reads,
    taken:
      raw.taken_minor === null
        ? null
        : { amount: toDecimal(raw.taken_minor), number: raw.taken_number },
    askedAt: raw.asked_at.toISOString(),
    sentAt: raw.sent_at?.toISOString() ?? null,
    endedAt: raw.ended_at?.toISOString() ?? null,
    contradicted: raw.contradicted_at !== null && raw.seen_at === null,
  };
}
