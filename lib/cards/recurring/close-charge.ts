import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { isWrittenAnswer, WRITTEN_ANSWER } from '#lib/second-person/written-answer.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { takeStatement } from '#lib/second-person/take-statement.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { UUID } from '#lib/values/uuid.ts';
import { chargeCloseRefusal, chargeQuestion } from './charge-closing.ts';
import type { ChargeClaim, OpenCharge } from './charge-closing.ts';
import type { ChargeState } from './charge.ts';

/** How long a person waits for the worker to read the plan. */
const PATIENCE_MS = 8_000;
const POLL_MS = 200;

export type ChargeWord = {
  id: string;
  claim: ChargeClaim | null;
  reason: string;
  reference: string;
};

/** The effect of a statement, as for a movement. */
export type ChargeClosed = { kind: 'closed' | 'asked' | 'contradicted' | 'taken_back' };

/**
 * A person states the outcome of a sent charge that the plan's record does not list, or takes such
 * a statement back (`claim` null). It takes two people who did not request the charge, one of them
 * an approver or an owner; a day since the send; the gateway's written answer; and a reading of the
 * plan that is less than a minute old and lists nothing new.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed, close_reference_needed,
 * maker_has_no_word, close_not_unknown, close_not_a_day, close_too_early, close_unverified
 */
export async function closePlanCharge(
  actor: Person,
  word: ChargeWord,
  patienceMs = PATIENCE_MS,
): Promise<ChargeClosed> {
  assertMay(actor, 'card.plan');
  if (!UUID.test(word.id)) throw new Refusal('not_found');
  const statement = { ...word, reason: stopReason(word.reason), reference: word.reference.trim() };
  const begun = performance.now();
  for (let first = true; ; first = false) {
    const closed = await inTransaction(actor.merchantId, (tx) =>
      recordStatement(tx, actor, statement, first),
    );
    if (closed.kind !== 'look_first') return closed;
    if (performance.now() - begun > patienceMs) throw new Refusal('close_unverified');
    await pause(POLL_MS);
  }
}

type Found = Row<
  'plan_charges',
  'id' | 'plan_id' | 'person_id' | 'state' | 'sent_at' | 'reads',
  { state: ChargeState }
> & { verified_at: Date | null; problem: string | null; now: Date };

async function recordStatement(
  tx: Tx,
  actor: Person,
  word: ChargeWord,
  first: boolean,
): Promise<ChargeClosed | { kind: 'look_first' }> {
  // Locks the plan first, like the worker that reads the plan, so that the two wait for each other
  // without a deadlock. The lock has a statement of its own: a statement that waits for the lock
  // does not see how the worker ended the charge meanwhile.
  await tx.$queryRaw`SELECT 1 FROM recurring_plans
    WHERE id = (SELECT plan_id FROM plan_charges WHERE id = ${word.id}::uuid) FOR UPDATE`;
  const [row] = await tx.$queryRaw<Found[]>`
    SELECT c.id, c.plan_id, c.person_id, c.state, c.sent_at, c.reads, p.verified_at, p.problem,
      clock_timestamp() AS now
    FROM plan_charges c JOIN recurring_plans p ON p.id = c.plan_id WHERE c.id = ${word.id}::uuid`;
  if (!row) throw new Refusal('not_found');
  const charge: OpenCharge = {
    id: row.id,
    state: row.state,
    personId: row.person_id,
    sentAt: row.sent_at?.getTime() ?? null,
    reads: row.reads,
  };
  const { claim } = word;
  if (claim === null) return takeBack(tx, actor, charge, { ...word, planId: row.plan_id });
  const readAt = row.problem === null ? (row.verified_at?.getTime() ?? null) : null;
  const refusal = chargeCloseRefusal(charge, readAt, row.now.getTime());
  if (refusal === 'close_unverified') {
    if (first) await expeditePlan(tx, row.plan_id);
    return { kind: 'look_first' };
  }
  if (refusal !== null) throw new Refusal(refusal);
  if (!isWrittenAnswer(word.reference)) throw new Refusal('close_reference_needed', WRITTEN_ANSWER);
  const statement = { claim, reason: word.reason, reference: word.reference, evidence: { readAt } };
  const { standing, carriesOut } = await takeStatement(
    tx,
    actor,
    chargeQuestion(charge),
    statement,
  );
  await note(tx, actor, { ...word, planId: row.plan_id });
  if (!carriesOut) return { kind: standing.kind === 'contradicted' ? 'contradicted' : 'asked' };
  await carryOut(tx, actor, { id: row.id, planId: row.plan_id, claim });
  return { kind: 'closed' };
}

async function takeBack(
  tx: Tx,
  actor: Person,
  charge: OpenCharge,
  word: ChargeWord & { planId: string },
): Promise<ChargeClosed> {
  if (chargeCloseRefusal(charge, null, 0) === 'close_not_unknown')
    throw new Refusal('close_not_unknown');
  await requestSecondPerson(tx, actor, chargeQuestion(charge), {
    claim: null,
    reason: word.reason,
    reference: null,
    evidence: {},
  });
  await note(tx, actor, word);
  return { kind: 'taken_back' };
}

async function carryOut(
  tx: Tx,
  actor: Person,
  { id, planId, claim }: { id: string; planId: string; claim: ChargeClaim },
): Promise<void> {
  const state: ChargeState = claim === 'done' ? 'CHARGED' : 'NOT_CHARGED';
  await tx.$executeRaw`UPDATE plan_charges SET state = ${state}, reason = 'people_said',
    ended_at = clock_timestamp() WHERE id = ${id}::uuid`;
  await audit(tx, actor, 'card.plan_charge_ended', `plan:${planId}`, {
    charge: id,
    to: state,
    reason: 'people_said',
  });
}

async function expeditePlan(tx: Tx, planId: string): Promise<void> {
  await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
    WHERE id = ${planId}::uuid`;
  await wakeWorkers(tx);
}

async function note(
  tx: Tx,
  actor: Person,
  { id, planId, claim, reason, reference }: ChargeWord & { planId: string },
): Promise<void> {
  const action =
    claim === null ? 'card.plan_charge_word_taken_back' : 'card.plan_charge_word_given';
  await audit(
    tx,
    actor,
    action,
    `plan:${planId}`,
    { charge: id, claim },
    { reason, reference: claim === null ? null : reference },
  );
  await publish(tx, actor, { kind: 'card', id: planId });
}
