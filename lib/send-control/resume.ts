import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { publish } from '#lib/live/publish.ts';
import { expediteHeld } from '#lib/movements/expedite.ts';
import { endRecovery, recoveryMayEnd } from './recovery/ready.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { confirmSecondPerson } from '#lib/second-person/confirm.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import type { Question } from '#lib/second-person/requests.ts';
import { adoptIdentity } from './rebind-account.ts';
import { resumeQuestion } from './resume-question.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import type { Cause, StoppableKind } from './stops.ts';

/**
 * Resuming sending takes two people: one requests it with a reason, another one confirms. The
 * database enforces it too.
 */

type Which = { kind: StoppableKind; cause: Cause };

const RESUME = 'resume';

/**
 * @throws Refusal not_allowed, stop_reason_needed, not_stopped, recovery_not_read, recovery_unseen
 */
export async function requestResume(actor: Person, which: Which, reason: string): Promise<void> {
  assertMay(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    if (which.cause === 'recovery') await recoveryMayEnd(tx);
    const question = await lockStop(tx, which);
    await requestSecondPerson(tx, actor, question, {
      claim: RESUME,
      reason: why,
      reference: null,
      evidence: {},
    });
    await say(tx, actor, which, 'sending.release_asked', why);
  });
}

/**
 * The person who requested it withdraws the request.
 *
 * @throws Refusal not_allowed, stop_reason_needed, not_stopped
 */
export async function withdrawResume(actor: Person, which: Which, reason: string): Promise<void> {
  assertMay(actor, 'sending.control');
  const why = stopReason(reason);
  await inTransaction(actor.merchantId, async (tx) => {
    const question = await lockStop(tx, which);
    await requestSecondPerson(tx, actor, question, {
      claim: null,
      reason: why,
      reference: null,
      evidence: {},
    });
    await say(tx, actor, which, 'sending.release_taken_back', why);
  });
}

/**
 * @throws Refusal not_allowed, not_stopped, release_not_asked, second_person_needed, owner_needed,
 * recovery_not_read, recovery_unseen, workers_disagree
 */
export async function confirmResume(actor: Person, which: Which): Promise<void> {
  assertMay(actor, 'sending.control');
  const { kind, cause } = which;
  await inTransaction(actor.merchantId, async (tx) => {
    const question = await lockStop(tx, which);
    const statement = { claim: RESUME, reason: 'confirmed', reference: null, evidence: {} };
    const standing = await confirmSecondPerson(tx, actor, question, statement);
    if (standing.kind !== 'agreed') throw new Refusal('owner_needed');
    if (cause === 'recovery') await recoveryMayEnd(tx);
    if (cause === 'environment') await adoptIdentity(tx);
    await tx.$executeRaw`
      UPDATE send_switches SET off = false, released_by = ${actor.personId}::uuid,
        changed_at = clock_timestamp()
      WHERE kind = ${kind} AND cause = ${cause}`;
    if (cause === 'recovery') await endRecovery(tx);
    await expediteHeld(tx);
    const others = standing.people.filter((id) => id !== actor.personId);
    await audit(
      tx,
      actor,
      'sending.released',
      `sending:${kind}`,
      { cause, askedBy: others },
      { reason: await reasonOf(tx, question, others) },
    );
    await publish(tx, actor, { kind: 'sending', id: kind });
  });
}

/** @throws Refusal not_stopped */
async function lockStop(tx: Tx, { kind, cause }: Which): Promise<Question> {
  const [row] = await tx.$queryRaw<{ changed_at: Date }[]>`
    SELECT changed_at FROM send_switches WHERE kind = ${kind} AND cause = ${cause} AND off FOR UPDATE`;
  if (!row) throw new Refusal('not_stopped');
  return resumeQuestion({ kind, cause, since: row.changed_at });
}

async function reasonOf(
  tx: Tx,
  { subject }: Question,
  people: readonly string[],
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ reason: string }[]>`
    SELECT w.reason FROM second_person_words w JOIN second_person_requests r ON r.id = w.request_id
    WHERE r.subject_kind = ${subject.kind} AND r.subject_id = ${subject.id}
      AND w.person_id = ANY(${[...people]}::uuid[]) ORDER BY w.id DESC LIMIT 1`;
  return row?.reason ?? null;
}

async function say(
  tx: Tx,
  actor: Person,
  { kind, cause }: Which,
  action: string,
  reason: string,
): Promise<void> {
  await audit(tx, actor, action, `sending:${kind}`, { cause }, { reason });
  await publish(tx, actor, { kind: 'sending', id: kind });
}
