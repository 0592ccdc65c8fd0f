import 'server-only';
import { audit } from '#lib/audit.ts';
import { inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { holdsMark } from '#lib/movements/claim.ts';
import type { KnownEntry } from '#lib/movements/claim.ts';
import { announce } from '#lib/movements/evidence.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { PlanChargeOutcome } from '#lib/providers/card/recurring.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import { storable } from '#lib/stored-text.ts';
import { objection, QUEUE_LIFE_MS } from './charge.ts';
import type { ChargeState, NotChargedReason } from './charge.ts';
import type { RawCharge } from './row.ts';
import { keepPlan } from './verify-due.ts';

/** The token takes 10 s at most and the exchange 30 s; the lease outlives both. */
const LEASE_MS = 60_000;
const RAW_MAX_CHARACTERS = 64 * 1024;

export type ChargePorts = {
  card: Pick<CardClient, 'readPlan' | 'processPlan'>;
  quietMs: number;
  /** The newest audit entry that this machine knows of: a database without it is an older one, and nothing is sent. */
  mark: () => KnownEntry | null;
  /** Whether what was committed so far is remembered beside the database. */
  beforeSend: () => Promise<boolean>;
  monotonicNow: () => number;
};

type Claimed = { charge: RawCharge; planCode: string; at: Date; startedAt: number };

/**
 * Carries out one charge that a person asked for: reads the plan, commits that it leaves, sends it once, writes down what was heard. What a dead
 * worker left behind may have been on the wire and is unknown from then on. Returns false when there was nothing to do.
 */
export async function chargeOneDuePlan(merchantId: string, ports: ChargePorts): Promise<boolean> {
  const startedAt = ports.monotonicNow();
  const claimed = await inTransaction(merchantId, (tx) => claim(tx, merchantId, startedAt));
  if (claimed === null || claimed === 'settled') return claimed !== null;
  const heard = await ports.card.readPlan({ planCode: claimed.planCode });
  const leaving = await inTransaction(merchantId, (tx) => leave(tx, merchantId, ports, claimed, heard));
  if (leaving === null) return true;
  const remembered = await ports.beforeSend();
  const beforeWrite = (): boolean => remembered && ports.monotonicNow() - claimed.startedAt < LEASE_MS;
  const answer = await ports.card.processPlan({ merchantId: leaving, planCode: claimed.planCode }, { beforeWrite });
  await inTransaction(merchantId, (tx) => keepAnswer(tx, merchantId, claimed.charge, answer));
  return true;
}

async function claim(tx: Tx, merchantId: string, startedAt: number): Promise<Claimed | 'settled' | null> {
  const [charge] = await tx.$queryRaw<(RawCharge & { plan_code: string; now: Date })[]>`
    SELECT c.*, p.plan_code, clock_timestamp() AS now FROM plan_charges c JOIN recurring_plans p ON p.id = c.plan_id
    WHERE c.merchant_id = ${merchantId}::uuid AND c.state IN ('QUEUED', 'SENDING') AND (c.lease_until IS NULL OR c.lease_until < statement_timestamp())
    ORDER BY c.asked_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
  if (!charge) return null;
  if (charge.state === 'SENDING') {
    await end(tx, merchantId, charge, { state: 'UNKNOWN', reason: null });
    return 'settled';
  }
  if (charge.now.getTime() - charge.asked_at.getTime() > QUEUE_LIFE_MS) {
    await end(tx, merchantId, charge, { state: 'NOT_CHARGED', reason: 'waited_too_long' });
    return 'settled';
  }
  await tx.$executeRaw`UPDATE plan_charges SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000}) WHERE id = ${charge.id}::uuid`;
  return { charge, planCode: charge.plan_code, at: charge.now, startedAt };
}

/** The last look before it leaves. Committed, the row says that a request may be on the wire. Returns the merchant's number that goes with it. */
async function leave(tx: Tx, merchantId: string, ports: ChargePorts, { charge, at }: Claimed, heard: Reply<Plan>): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ state: ChargeState; ours: boolean; sending: boolean; now: Date }[]>`
    SELECT state, lease_until > clock_timestamp() AS ours, clock_timestamp() AS now,
      ${holdsMark(ports.mark())} AND NOT EXISTS (SELECT FROM send_switches s WHERE s.off AND s.rail = 'all') AS sending
    FROM plan_charges WHERE id = ${charge.id}::uuid FOR UPDATE`;
  if (row?.state !== 'QUEUED' || !row.ours) return null;
  const plan = await keepPlan(tx, merchantId, { id: charge.plan_id, heard, asked: at, quietMs: ports.quietMs });
  const against = againstIt(row, heard) ?? (plan.problem !== null ? 'plan_unread' : objection({ number: charge.number, amountMinor: charge.amount_minor, currency: charge.currency }, plan, row.now.getTime()));
  const number = heard.kind === 'answered' ? heard.value.merchantId : null;
  if (against !== null || number === null) {
    await end(tx, merchantId, charge, { state: 'NOT_CHARGED', reason: against ?? 'no_merchant' });
    return null;
  }
  await tx.$executeRaw`
    UPDATE plan_charges SET state = 'SENDING', sent_at = clock_timestamp(), charges_before = ${JSON.stringify(plan.charges)}::jsonb, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})
    WHERE id = ${charge.id}::uuid`;
  await audit(tx, { kind: 'worker', merchantId }, 'card.plan_charge_sent', `plan:${charge.plan_id}`, { charge: charge.id, number: charge.number, amount: charge.amount_minor.toString(), currency: charge.currency });
  return number;
}

function againstIt(row: { sending: boolean }, heard: Reply<Plan>): NotChargedReason | null {
  if (!row.sending) return 'stopped';
  return heard.kind === 'answered' ? null : 'plan_unread';
}

/** What the answer proves: that it left not, or was refused. Everything else is for the plan's record to say. */
async function keepAnswer(tx: Tx, merchantId: string, charge: RawCharge, answer: PlanChargeOutcome): Promise<void> {
  const [row] = await tx.$queryRaw<{ state: ChargeState }[]>`SELECT state FROM plan_charges WHERE id = ${charge.id}::uuid FOR UPDATE`;
  const said = { code: answer.code, message: storable(answer.message), raw: storable(answer.raw?.slice(0, RAW_MAX_CHARACTERS) ?? null) };
  // A worker whose lease ran out finds it unknown already: its answer is kept, the record decides.
  if (row?.state !== 'SENDING') {
    await tx.$executeRaw`UPDATE plan_charges SET code = ${said.code}, message = ${said.message}, raw = ${said.raw}, answered_at = clock_timestamp() WHERE id = ${charge.id}::uuid`;
    return;
  }
  await end(tx, merchantId, charge, { ...outcomeOf(answer), ...said, answered: true });
}

function outcomeOf(answer: PlanChargeOutcome): { state: ChargeState; reason: NotChargedReason | null } {
  switch (answer.kind) {
    case 'approved': return { state: 'APPROVED', reason: null };
    case 'refused': return { state: 'NOT_CHARGED', reason: 'refused' };
    case 'not_sent':
    case 'unauthorized': return { state: 'NOT_CHARGED', reason: 'not_sent' };
    case 'pending':
    case 'look':
    case 'unclear': return { state: 'UNKNOWN', reason: null };
  }
}

type End = { state: ChargeState; reason: NotChargedReason | null; code?: string | null; message?: string | null; raw?: string | null; answered?: boolean };

async function end(tx: Tx, merchantId: string, charge: RawCharge, { state, reason, code = null, message = null, raw = null, answered = false }: End): Promise<void> {
  const over = state === 'NOT_CHARGED';
  await tx.$executeRaw`
    UPDATE plan_charges SET state = ${state}, reason = ${reason}, code = ${code}, message = ${message}, raw = ${raw}, lease_until = NULL,
      answered_at = CASE WHEN ${answered} THEN clock_timestamp() END, ended_at = CASE WHEN ${over} THEN clock_timestamp() END WHERE id = ${charge.id}::uuid`;
  // The plan is read at once: it says what was taken, or how it looks after a refusal.
  await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0 WHERE id = ${charge.plan_id}::uuid`;
  await audit(tx, { kind: 'worker', merchantId }, over ? 'card.plan_charge_ended' : 'card.plan_charge_answered', `plan:${charge.plan_id}`, { charge: charge.id, to: state, reason, code });
  await announce(tx, merchantId, { kind: 'card', id: charge.plan_id });
}
