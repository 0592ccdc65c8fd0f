import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { takeStatement } from '#lib/second-person/take-statement.ts';
import { isWrittenAnswer, WRITTEN_ANSWER } from '#lib/second-person/written-answer.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { UUID } from '#lib/values/uuid.ts';
import {
  CLOSE_EVIDENCE,
  closeClaims,
  closeRefusal,
  isLookFresh,
  needsWrittenAnswer,
  peopleNeeded,
} from './closable.ts';
import type { CloseClaim, Look } from './closable.ts';
import { closeQuestion } from './close-question.ts';
import { record } from './evidence.ts';
import { publish } from '#lib/live/publish.ts';
import { lastLook } from './last-look.ts';
import { expediteCheck } from './expedite.ts';
import { kindOf } from './kinds.ts';
import { fromRaw, MOVEMENT } from './row.ts';
import type { MovementRow, RawMovement } from './row.ts';
import { nextLook } from './schedule.ts';

/** How long a person waits for the worker's fresh read. */
const PATIENCE_MS = 8_000;
const POLL_MS = 200;

/**
 * `asked`: another person has to make the same claim. `contradicted`: two people claim different
 * outcomes; the movement stays open.
 */
export type Closed =
  | { kind: 'closed' }
  | { kind: 'asked' }
  | { kind: 'contradicted' }
  | { kind: 'taken_back' };

export type CloseWord = {
  id: string;
  claim: CloseClaim | null;
  reason: string;
  reference?: string;
};

/**
 * A person claims an outcome for a movement that no worker can end, or withdraws the claim (`claim`
 * null). The movement ends when two people other than its maker make the same claim, one of them an
 * approver or an owner, on a read by the worker that is less than a minute old. One person is
 * enough to claim that an authorization is unchanged. Rules: `closable.ts`; the database's guards
 * enforce them too.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed, close_reference_needed,
 * maker_has_no_word, close_not_unknown, close_too_early, close_not_a_day, cashout_too_early,
 * close_unverified, close_record_says
 */
export async function closeMovement(
  actor: Person,
  word: CloseWord,
  patienceMs = PATIENCE_MS,
): Promise<Closed> {
  assertMay(actor, 'payout.prepare');
  if (!UUID.test(word.id)) throw new Refusal('not_found');
  const input = {
    ...word,
    reason: stopReason(word.reason),
    reference: word.reference?.trim() ?? '',
  };
  const begun = performance.now();
  for (let first = true; ; first = false) {
    const closed = await inTransaction(actor.merchantId, (tx) => addClaim(tx, actor, input, first));
    if (closed.kind !== 'look_first') return closed;
    if (performance.now() - begun > patienceMs) throw new Refusal('close_unverified');
    await pause(POLL_MS);
  }
}

type ClaimForm = CloseWord & { reference: string };

async function addClaim(
  tx: Tx,
  actor: Person,
  word: ClaimForm,
  first: boolean,
): Promise<Closed | { kind: 'look_first' }> {
  const [raw] = await tx.$queryRaw<
    RawMovement[]
  >`SELECT ${MOVEMENT} FROM movements WHERE id = ${word.id}::uuid FOR UPDATE`;
  if (!raw) throw new Refusal('not_found');
  const movement = fromRaw(raw);
  assertMay(actor, kindOf(movement.kind).permission);
  const now = (await databaseNow(tx)).getTime();
  const look = await lastLook(tx, movement);
  const { claim } = word;
  if (claim === null) return withdraw(tx, actor, movement, word);
  const refusal = closeRefusal(movement, claim, look, now, env().resendQuietSeconds * 1_000);
  const isWaiting = closeClaims(movement, look).length > 0;
  if (
    isWaiting &&
    !isTooEarly(refusal) &&
    (!isLookFresh(movement, look, now) || isLeased(movement, now))
  ) {
    if (first) await expediteCheck(tx, movement, now, 0);
    return { kind: 'look_first' };
  }
  if (refusal !== null) throw new Refusal(refusal);
  if (needsWrittenAnswer(movement, look) && !isWrittenAnswer(word.reference))
    throw new Refusal('close_reference_needed', WRITTEN_ANSWER);
  if (peopleNeeded(movement, claim, look) === 1) {
    await note(tx, actor, movement, word, look);
    await carryOut(tx, actor, movement, claim, now, { by: actor.personId, reason: word.reason });
    return { kind: 'closed' };
  }
  const statement = {
    claim,
    reason: word.reason,
    reference: word.reference === '' ? null : word.reference,
    evidence: { look: look?.says ?? null, lookAt: look?.at ?? null },
  };
  const { standing, carriesOut } = await takeStatement(
    tx,
    actor,
    closeQuestion(movement),
    statement,
  );
  await note(tx, actor, movement, word, look);
  if (!carriesOut) return { kind: standing.kind === 'contradicted' ? 'contradicted' : 'asked' };
  await carryOut(tx, actor, movement, claim, now);
  return { kind: 'closed' };
}

/** Whether the claim is refused because it is too early, which a fresh read cannot change. */
function isTooEarly(refusal: ReturnType<typeof closeRefusal>): boolean {
  return refusal === 'close_not_a_day' || refusal === 'cashout_too_early';
}

/**
 * Whether a worker is querying the provider right now, so that its response is worth waiting for.
 */
function isLeased({ leaseUntil }: MovementRow, now: number): boolean {
  return leaseUntil !== null && leaseUntil > now;
}

async function withdraw(
  tx: Tx,
  actor: Person,
  movement: MovementRow,
  word: ClaimForm,
): Promise<Closed> {
  if (closeClaims(movement, null).length === 0) throw new Refusal('close_not_unknown');
  await requestSecondPerson(tx, actor, closeQuestion(movement), {
    claim: null,
    reason: word.reason,
    reference: null,
    evidence: {},
  });
  await note(tx, actor, movement, word, null);
  return { kind: 'taken_back' };
}

/**
 * Ends the movement with the claimed outcome. `statement`: the reason of a person who ends it
 * alone; the reasons of two people are stored with their request.
 */
async function carryOut(
  tx: Tx,
  actor: Person,
  movement: MovementRow,
  claim: CloseClaim,
  now: number,
  statement: { by: string; reason: string } | null = null,
): Promise<void> {
  const policy = {
    quietMs: env().resendQuietSeconds * 1_000,
    manualAfterMs: Infinity,
    autoResend: false,
  };
  await record(
    tx,
    actor,
    movement,
    { source: 'person', kind: CLOSE_EVIDENCE[claim], ...(statement && { statement }) },
    now,
    (after) => ({ nextAt: nextLook(after, now, policy, Math.random), lease: null }),
  );
}

async function note(
  tx: Tx,
  actor: Person,
  { id, card }: MovementRow,
  { claim, reason, reference }: ClaimForm,
  look: Look | null,
): Promise<void> {
  const action = claim === null ? 'movement.word_taken_back' : 'movement.word_given';
  await audit(
    tx,
    actor,
    action,
    `movement:${id}`,
    { claim, look: look?.says ?? null },
    { reason, reference: reference === '' ? null : reference },
  );
  await publish(
    tx,
    actor,
    card === null ? { kind: 'movement', id } : { kind: 'card', id: card.paymentId },
  );
}
