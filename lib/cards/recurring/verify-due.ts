import 'server-only';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { takeDue } from '#lib/runtime/take-due.ts';
import { earlier } from '#lib/movements/claim-rules.ts';
import { date } from '#lib/movements/evidence.ts';
import { publish } from '#lib/live/publish.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { contradiction, isOtherAmount, LISTED_WITHIN_MS, secondCharge, verdict } from './charge.ts';
import { learnPlan, planDiffers, takenKey } from './plan.ts';
import type { KnownPlan } from './plan.ts';
import { knownPlanOf, CHARGE, PLAN } from './row.ts';
import type { StoredCharge, StoredPlan } from './row.ts';
import { nextPlanLook } from './schedule.ts';

export const PLANS = { table: sql`recurring_plans` };

/** Queries the gateway about one due plan. Moves no money. Returns false when none was due. */
export async function verifyOneDuePlan(
  merchantId: string,
  card: Pick<CardClient, 'readPlan'>,
  quietMs: number,
): Promise<boolean> {
  const due = await takeDue<
    Row<'recurring_plans', 'id' | 'plan_code'> & { asked: Date; next_at: Date }
  >(merchantId, PLANS, sql`id, plan_code, clock_timestamp() AS asked, next_at`);
  if (!due) return false;
  const { id, asked, next_at: claimedUntil } = due;
  const reply = await card.readPlan({ planCode: due.plan_code });
  await inTransaction(merchantId, (tx) =>
    keepPlan(tx, merchantId, { id, reply, asked, quietMs, claimedUntil }),
  );
  return true;
}

/** `claimedUntil`: until when the query's claim lasts; absent where a charge queried the plan. */
type Reading = {
  id: string;
  reply: Reply<Plan>;
  asked: Date;
  quietMs: number;
  claimedUntil?: Date;
};

/**
 * Stores the gateway's record, and what it decides about a charge that was sent before the query.
 * Returns the plan's known state.
 */
export async function keepPlan(
  tx: Tx,
  merchantId: string,
  { id, reply, asked, quietMs, claimedUntil }: Reading,
): Promise<KnownPlan> {
  const [raw] = await tx.$queryRaw<
    (StoredPlan & { now: Date })[]
  >`SELECT ${PLAN}, clock_timestamp() AS now FROM recurring_plans WHERE id = ${id}::uuid FOR UPDATE`;
  if (!raw) throw new Error('a plan was deleted while its record was read');
  const now = raw.now.getTime();
  const before = knownPlanOf(raw);
  const learned = learnPlan(before, reply, now);
  const answered = reply.kind === 'answered' && learned.problem === null;
  const open = await settle(tx, merchantId, {
    planId: id,
    plan: answered ? learned : null,
    asked,
    now,
    quietMs,
  });
  const after = (await isContradicted(tx, merchantId, {
    planId: id,
    plan: answered ? learned : null,
    asked,
    now,
    quietMs,
  }))
    ? { ...learned, problem: 'contradiction' as const }
    : learned;
  const tries = answered ? 0 : raw.tries;
  // `next_at` was moved to an earlier time during this query, so a check was requested meanwhile:
  // keep that time, because the query's response may be older than the request.
  const expedited =
    claimedUntil !== undefined && raw.next_at !== null && raw.next_at < claimedUntil
      ? raw.next_at.getTime()
      : null;
  const nextAt = earlier(
    nextPlanLook(after, {
      now,
      since: raw.first_seen_at.getTime(),
      tries,
      sentAt: open?.getTime() ?? null,
    }),
    expedited,
  );
  await tx.$executeRaw`
    UPDATE recurring_plans SET status = ${after.status}, problem = ${after.problem},
      currency = ${after.currency}, first_minor = ${after.firstMinor},
      recurring_minor = ${after.recurringMinor}, total_minor = ${after.totalMinor},
      payments = ${after.payments}, every = ${after.every}, cycle = ${after.cycle},
        first_order_id = ${after.firstOrderId}, card = ${after.card},
        next_charge_at = ${date(after.nextChargeAt)}, started_at = ${date(after.startedAt)},
      charges = ${JSON.stringify(after.charges)}::jsonb,
        verified_at = ${date(after.verifiedAt)}, tries = ${tries},
      next_at = ${date(nextAt)}
    WHERE id = ${id}::uuid`;
  if (planDiffers(before, after)) {
    await audit(tx, { kind: 'worker', merchantId }, 'card.plan_read', `plan:${id}`, {
      from: before.status,
      to: after.status,
      problem: after.problem,
      amount: after.recurringMinor?.toString() ?? null,
      taken: after.charges.filter((charge) => charge.status === 'completed').length,
    });
  }
  await publish(tx, { merchantId }, { kind: 'card', id });
  return after;
}

/**
 * Applies the record to the charge that is still open, or that people said was taken and no record
 * lists yet. A record that was queried before the charge was sent proves nothing about the charge.
 * Returns when the charge was sent while it still waits for its row, else null.
 */
async function settle(
  tx: Tx,
  merchantId: string,
  {
    planId,
    plan,
    asked,
    now,
    quietMs,
  }: { planId: string; plan: KnownPlan | null; asked: Date; now: number; quietMs: number },
): Promise<Date | null> {
  const [charge] = await tx.$queryRaw<
    StoredCharge[]
  >`SELECT ${CHARGE} FROM plan_charges WHERE plan_id = ${planId}::uuid
      AND (state IN ('APPROVED', 'UNKNOWN') OR state = 'CHARGED' AND taken_minor IS NULL
        AND sent_at > ${date(now - LISTED_WITHIN_MS)})
    ORDER BY asked_at DESC LIMIT 1 FOR UPDATE`;
  if (!charge || charge.sent_at === null) return null;
  if (plan === null || asked < charge.sent_at) return charge.sent_at;
  const reads = charge.reads + 1;
  const ended = verdict(
    {
      state: charge.state,
      sentAt: charge.sent_at.getTime(),
      before: charge.charges_before ?? [],
      reads,
      unlisted: await unlistedCharges(tx, charge, now),
    },
    plan.charges,
    now,
    quietMs,
  );
  if (ended === null) {
    await tx.$executeRaw`UPDATE plan_charges SET reads = ${reads} WHERE id = ${charge.id}::uuid`;
    return charge.sent_at;
  }
  const taken = ended.state === 'CHARGED' ? ended.taken : null;
  const reason = ended.state === 'CHARGED' ? charge.reason : ended.reason;
  const isContradicted = taken !== null && isOtherAmount(charge.amount_minor, taken);
  await tx.$executeRaw`
    UPDATE plan_charges SET state = ${ended.state}, reason = ${reason}, reads = ${reads},
      ended_at = coalesce(ended_at, ${date(now)}),
      contradicted_at = ${isContradicted ? date(now) : null},
      taken_minor = ${taken === null ? null : BigInt(taken.amountMinor)},
        taken_number = ${taken?.number ?? null}, taken_order_id = ${storable(taken?.orderId ?? taken?.id ?? null)}
    WHERE id = ${charge.id}::uuid`;
  // A charge that two people ended as taken has its audit entry already; `keepPlan` audits the
  // reading that found its row.
  if (ended.state !== charge.state)
    await audit(tx, { kind: 'worker', merchantId }, 'card.plan_charge_ended', `plan:${planId}`, {
      charge: charge.id,
      from: charge.state,
      to: ended.state,
      reason,
      amount: taken?.amountMinor ?? null,
    });
  if (isContradicted)
    await audit(
      tx,
      { kind: 'worker', merchantId },
      'card.plan_charge_contradicted',
      `plan:${planId}`,
      { charge: charge.id, number: taken.number, amount: taken.amountMinor },
    );
  return null;
}

/**
 * The number of earlier charges of this plan that were sent and ended as not charged, and whose
 * declined row may still be listed; not those that ended by their declined row.
 */
async function unlistedCharges(
  tx: Tx,
  { id, plan_id: planId }: StoredCharge,
  now: number,
): Promise<number> {
  const [found] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM plan_charges WHERE plan_id = ${planId}::uuid
      AND id <> ${id}::uuid AND state = 'NOT_CHARGED'
      AND reason IN ('refused', 'people_said', 'called_off_unproven')
      AND sent_at > ${date(now - LISTED_WITHIN_MS)}`;
  return found.count;
}

/** A charge that was sent and has ended. */
type Ended = Pick<StoredCharge, 'id' | 'state' | 'charges_before' | 'contradicted_at'> & {
  sent_at: Date;
};

/**
 * Compares the record with the charges that ended as not charged after they were sent, and with the
 * recent charges that the record lists as taken. True while a contradiction of any of them is not
 * acknowledged.
 */
async function isContradicted(
  tx: Tx,
  merchantId: string,
  {
    planId,
    plan,
    asked,
    now,
    quietMs,
  }: { planId: string; plan: KnownPlan | null; asked: Date; now: number; quietMs: number },
): Promise<boolean> {
  const ended = await tx.$queryRaw<Ended[]>`
    SELECT id, state, charges_before, contradicted_at, sent_at FROM plan_charges
    WHERE plan_id = ${planId}::uuid AND sent_at < ${asked} AND seen_at IS NULL
      AND (state = 'NOT_CHARGED' OR contradicted_at IS NOT NULL OR state = 'CHARGED'
        AND taken_minor IS NOT NULL AND sent_at > ${date(now - LISTED_WITHIN_MS)}) FOR UPDATE`;
  const taken =
    plan === null || ended.length === 0
      ? []
      : await tx.$queryRaw<Row<'plan_charges', 'taken_number' | 'taken_order_id'>[]>`
    SELECT taken_number, taken_order_id FROM plan_charges WHERE plan_id = ${planId}::uuid
      AND state = 'CHARGED'`;
  const explained = new Set(taken.map((one) => takenKey(one.taken_number, one.taken_order_id)));
  for (const charge of ended) {
    if (plan === null || charge.contradicted_at !== null) continue;
    const before = charge.charges_before ?? [];
    const found =
      charge.state === 'CHARGED'
        ? secondCharge({ sentAt: charge.sent_at.getTime(), before }, explained, plan.charges, {
            now,
            quietMs,
          })
        : contradiction(before, explained, plan.charges, now);
    if (found === null) continue;
    charge.contradicted_at = new Date(now);
    await tx.$executeRaw`UPDATE plan_charges SET contradicted_at = ${charge.contradicted_at}
      WHERE id = ${charge.id}::uuid`;
    await audit(
      tx,
      { kind: 'worker', merchantId },
      'card.plan_charge_contradicted',
      `plan:${planId}`,
      { charge: charge.id, number: found.number, amount: found.amountMinor },
    );
  }
  return ended.some((charge) => charge.contradicted_at !== null);
}
