import 'server-only';
import { audit } from '#lib/audit/append.ts';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { readBegin } from '#lib/movements/begin.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import { carriedOut } from '#lib/movements/carry-out.ts';
import { holdsCheckpoint } from '#lib/movements/checkpoint-held.ts';
import { publish } from '#lib/live/publish.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import { IS_HELD_CHARGE, isPlanChargeConfirmed } from '#lib/begin-check/confirmed.ts';
import { PLAN_CHARGE, planChargeEntry } from '#lib/begin-check/journal-entry.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { objection, QUEUE_LIFE_MS } from './charge.ts';
import { chargesBeforeRestored } from '#lib/send-control/recovery/restored-charges.ts';
import type { ChargeState, NotChargedReason } from './charge.ts';
import { chargeStep } from './charge-step.ts';
import type { ChargeAnswer, ChargeClaim, ChargeEffect } from './charge-step.ts';
import type { KnownCharge } from './plan.ts';
import { CHARGE } from './row.ts';
import type { StoredCharge, StoredPlan } from './row.ts';
import { keepPlan } from './verify-due.ts';

/**
 * The lease of a charge, longer than its request: at most 10 s for the token and 30 s for the
 * exchange.
 */
const LEASE_MS = 60_000;
const RAW_MAX_CHARACTERS = 64 * 1024;

export type ChargePorts = {
  card: Pick<CardClient, 'readPlan' | 'processPlan'>;
  quietMs: number;
  begin: BeginPorts;
  monotonicNow: () => number;
  rest: (ms: number) => Promise<void>;
};

/** `at`: when it was claimed. `merchantNumber`: sent with the request, known from `leave` on. */
type Task = {
  charge: StoredCharge & { restored: boolean };
  planCode: string;
  at: Date;
  merchantNumber: string | null;
};

/**
 * Carries out one charge that a person requested: reads the plan, commits that it is being sent,
 * sends it once, stores the response. A charge left by a dead worker may have been sent and becomes
 * UNKNOWN. Returns false when there was nothing to do.
 */
export async function chargeOneDuePlan(merchantId: string, ports: ChargePorts): Promise<boolean> {
  return carriedOut(
    chargeStep<Task>(() => ({ monotonic: ports.monotonicNow(), wall: Date.now() })),
    (effect) => carryOut(merchantId, ports, effect),
  );
}

async function carryOut(
  merchantId: string,
  ports: ChargePorts,
  effect: ChargeEffect<Task>,
): Promise<unknown> {
  switch (effect.kind) {
    case 'claim':
      return inTransaction(merchantId, (tx) => claim(tx, merchantId, ports));
    case 'query':
      return ports.card.readPlan({ planCode: effect.task.planCode });
    case 'leave':
      return inTransaction(merchantId, (tx) =>
        leave(tx, merchantId, ports, effect.task, effect.reply),
      );
    case 'begin':
      return begin(merchantId, ports, effect.task);
    case 'request':
      return ports.card.processPlan(
        { merchantId: effect.task.merchantNumber!, planCode: effect.task.planCode },
        { beforeWrite: effect.mayWrite },
      );
    case 'record':
      return inTransaction(merchantId, (tx) =>
        keepAnswer(tx, merchantId, effect.task.charge, effect.answer),
      );
    case 'renew':
      throw new Error('a plan charge does not renew its lease');
    case 'rest':
      return ports.rest(effect.ms);
  }
}

async function begin(
  merchantId: string,
  ports: ChargePorts,
  { charge, planCode }: Task,
): Promise<Begun> {
  return readBegin(merchantId, ports.begin, {
    kind: PLAN_CHARGE,
    ofGateway: true,
    entry: () =>
      planChargeEntry({
        id: charge.id,
        amountMinor: charge.amount_minor,
        currency: charge.currency,
        planCode,
      }),
    readRow: async (tx) => {
      // A charge is sent once: while its row is SENDING, the lease belongs to the process that
      // sends the charge. A change of the plan that may be in flight would change the amount.
      const rows = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM plan_charges WHERE id = ${charge.id}::uuid AND state = 'SENDING'
          AND lease_until > clock_timestamp()
          AND NOT EXISTS (SELECT FROM recurring_plans p WHERE p.id = plan_id
            AND p.change_until > clock_timestamp())`;
      return { isOwn: rows.length === 1, isConfirmed: await isPlanChargeConfirmed(tx, charge.id) };
    },
  });
}

/** When a charge is due to be sent, or the lease of one has ended, as SQL. */
export const CHARGES_DUE = sql`SELECT min(coalesce(c.lease_until, c.asked_at)) FROM plan_charges c
  WHERE c.state IN ('QUEUED', 'SENDING') AND NOT ${IS_HELD_CHARGE}`;

async function claim(tx: Tx, merchantId: string, ports: ChargePorts): Promise<ChargeClaim<Task>> {
  // In a database that may have lost sends, a queued charge is not touched: not even its age proves
  // that it was not sent.
  const [charge] = await tx.$queryRaw<
    (StoredCharge &
      Pick<StoredPlan, 'plan_code' | 'charges'> & {
        restored: boolean;
        now: Date;
        confirmed_at: Date | null;
      })[]
  >`
    SELECT ${CHARGE.of('c')}, p.plan_code, p.charges,
      EXISTS (SELECT FROM recoveries r WHERE r.began_at > c.asked_at) AS restored,
      clock_timestamp() AS now,
      (SELECT max(s.at) FROM send_confirmations s WHERE s.plan_charge_id = c.id) AS confirmed_at
    FROM plan_charges c JOIN recurring_plans p ON p.id = c.plan_id
    WHERE c.merchant_id = ${merchantId}::uuid AND c.state IN ('QUEUED', 'SENDING')
      AND (c.lease_until IS NULL OR c.lease_until < statement_timestamp())
      AND (c.state = 'SENDING' OR (${holdsCheckpoint(ports.begin.mark())} AND NOT ${IS_HELD_CHARGE}))
    ORDER BY c.asked_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
  if (!charge) return { kind: 'nothing_due' };
  if (charge.state === 'SENDING') {
    await end(tx, merchantId, charge, { state: 'UNKNOWN', reason: null });
    return { kind: 'settled' };
  }
  if (charge.now.getTime() - (charge.confirmed_at ?? charge.asked_at).getTime() > QUEUE_LIFE_MS) {
    await endUnsent(tx, merchantId, charge, charge.charges, 'waited_too_long');
    return { kind: 'settled' };
  }
  await tx.$executeRaw`UPDATE plan_charges
    SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    WHERE id = ${charge.id}::uuid`;
  return {
    kind: 'charge',
    task: { charge, planCode: charge.plan_code, at: charge.now, merchantNumber: null },
  };
}

/**
 * A charge that is not sent ends as not charged. After a restore it may have been sent before: then
 * it counts as sent when it was requested.
 */
async function endUnsent(
  tx: Tx,
  merchantId: string,
  charge: StoredCharge & { restored: boolean },
  charges: KnownCharge[],
  reason: NotChargedReason,
): Promise<void> {
  if (!charge.restored) return end(tx, merchantId, charge, { state: 'NOT_CHARGED', reason });
  await tx.$executeRaw`
    UPDATE plan_charges SET state = 'SENDING', sent_at = asked_at,
      charges_before = ${JSON.stringify(chargesBeforeRestored(charge.number, charges))}::jsonb
      WHERE id = ${charge.id}::uuid`;
  await end(tx, merchantId, charge, { state: 'UNKNOWN', reason: null });
}

/** The last check before the send. Once committed, the row says that a request may be in flight. */
async function leave(
  tx: Tx,
  merchantId: string,
  ports: ChargePorts,
  task: Task,
  reply: Reply<Plan>,
): Promise<Task | null> {
  const { charge, at } = task;
  const [row] = await tx.$queryRaw<
    (Pick<StoredCharge, 'state'> & { ours: boolean; sending: boolean; now: Date })[]
  >`
    SELECT state, lease_until > clock_timestamp() AS ours, clock_timestamp() AS now,
      ${holdsCheckpoint(ports.begin.mark())}
        AND NOT EXISTS (SELECT FROM send_switches s WHERE s.off
        AND s.kind IN (${PLAN_CHARGE}, 'all')) AS sending
    FROM plan_charges WHERE id = ${charge.id}::uuid FOR UPDATE`;
  if (row?.state !== 'QUEUED' || !row.ours) return null;
  const plan = await keepPlan(tx, merchantId, {
    id: charge.plan_id,
    reply,
    asked: at,
    quietMs: ports.quietMs,
  });
  const against =
    againstIt(row, reply) ??
    (plan.problem !== null
      ? 'plan_unread'
      : objection(
          { number: charge.number, amountMinor: charge.amount_minor, currency: charge.currency },
          plan,
          row.now.getTime(),
        ));
  const number = reply.kind === 'answered' ? reply.value.merchantId : null;
  if (against !== null || number === null) {
    await endUnsent(tx, merchantId, charge, plan.charges, against ?? 'no_merchant');
    return null;
  }
  await tx.$executeRaw`
    UPDATE plan_charges SET state = 'SENDING', sent_at = clock_timestamp(),
      charges_before = ${JSON.stringify(plan.charges)}::jsonb,
      lease_until = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    WHERE id = ${charge.id}::uuid`;
  await audit(
    tx,
    { kind: 'worker', merchantId },
    'card.plan_charge_sent',
    `plan:${charge.plan_id}`,
    {
      charge: charge.id,
      number: charge.number,
      amount: charge.amount_minor.toString(),
      currency: charge.currency,
    },
  );
  return { ...task, merchantNumber: number };
}

function againstIt(row: { sending: boolean }, reply: Reply<Plan>): NotChargedReason | null {
  if (!row.sending) return 'stopped';
  return reply.kind === 'answered' ? null : 'plan_unread';
}

/**
 * Stores what the response proves: that nothing was sent, or a refusal. Everything else is decided
 * by the plan's record.
 */
async function keepAnswer(
  tx: Tx,
  merchantId: string,
  charge: Task['charge'],
  answer: ChargeAnswer,
): Promise<void> {
  const [row] = await tx.$queryRaw<
    Pick<StoredCharge, 'state'>[]
  >`SELECT state FROM plan_charges WHERE id = ${charge.id}::uuid FOR UPDATE`;
  const stored = {
    code: answer.code,
    message: storable(answer.message),
    raw: storable(answer.raw?.slice(0, RAW_MAX_CHARACTERS) ?? null),
  };
  const outcome = charge.restored ? outcomeAfterRestore(answer) : outcomeOf(answer);
  // After its lease expired, a worker finds its charge UNKNOWN already. Only this worker could have
  // sent it, so its proof that nothing was sent is still valid.
  const isProven = row?.state === 'UNKNOWN' && outcome.state === 'NOT_CHARGED';
  // Any other late response is stored, and the record decides.
  if (row?.state !== 'SENDING' && !isProven) {
    await tx.$executeRaw`UPDATE plan_charges SET code = ${stored.code}, message = ${stored.message},
      raw = ${stored.raw}, answered_at = clock_timestamp() WHERE id = ${charge.id}::uuid`;
    return;
  }
  await end(tx, merchantId, charge, { ...outcome, ...stored, answered: true });
}

function outcomeOf(answer: ChargeAnswer): { state: ChargeState; reason: NotChargedReason | null } {
  switch (answer.kind) {
    case 'approved':
      return { state: 'APPROVED', reason: null };
    case 'refused':
      return { state: 'NOT_CHARGED', reason: 'refused' };
    case 'not_sent':
      return {
        state: 'NOT_CHARGED',
        reason:
          'refusal' in answer && answer.refusal === 'not_journaled' ? 'not_journaled' : 'not_sent',
      };
    case 'unauthorized':
      return { state: 'NOT_CHARGED', reason: 'not_sent' };
    case 'pending':
    case 'look':
    case 'unclear':
      return { state: 'UNKNOWN', reason: null };
  }
}

/**
 * The outcome of a charge that is older than a recovery. A response which proves that this request
 * charged nothing proves nothing about an earlier request that the database may have lost.
 */
function outcomeAfterRestore(answer: ChargeAnswer): ReturnType<typeof outcomeOf> {
  const outcome = outcomeOf(answer);
  return outcome.state === 'NOT_CHARGED' ? { state: 'UNKNOWN', reason: null } : outcome;
}

type End = {
  state: ChargeState;
  reason: NotChargedReason | null;
  code?: string | null;
  message?: string | null;
  raw?: string | null;
  answered?: boolean;
};

async function end(
  tx: Tx,
  merchantId: string,
  charge: StoredCharge,
  { state, reason, code = null, message = null, raw = null, answered = false }: End,
): Promise<void> {
  const over = state === 'NOT_CHARGED';
  await tx.$executeRaw`
    UPDATE plan_charges SET state = ${state}, reason = ${reason}, code = ${code},
      message = ${message}, raw = ${raw}, lease_until = NULL,
      answered_at = CASE WHEN ${answered} THEN clock_timestamp() END,
        ended_at = CASE WHEN ${over} THEN clock_timestamp() END WHERE id = ${charge.id}::uuid`;
  // The plan is polled at once: its record shows the charge, or its state after a refusal.
  await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
    WHERE id = ${charge.plan_id}::uuid`;
  await audit(
    tx,
    { kind: 'worker', merchantId },
    over ? 'card.plan_charge_ended' : 'card.plan_charge_answered',
    `plan:${charge.plan_id}`,
    { charge: charge.id, to: state, reason, code },
  );
  await publish(tx, { merchantId }, { kind: 'card', id: charge.plan_id });
}
