import { isCardOperation, capabilitiesOf } from './kinds.ts';
import type { Movement } from './state.ts';

/**
 * When people may end a movement that no machine ends, what they may say of it, and how many of
 * them it takes. Pure: times in milliseconds of the database's clock. Source: docs/money-rules.md,
 * step 14. The desk of the simulator and the verb share this file.
 */

/**
 * `taken`: the provider has accepted it. `done`: it was carried out. `not_done`: it was not, and
 * never will be.
 */
export const CLOSE_CLAIMS = ['taken', 'done', 'not_done'] as const;
export type CloseClaim = (typeof CLOSE_CLAIMS)[number];

/** What the evidence of a person's word is called in the reducer. */
export const CLOSE_EVIDENCE = {
  taken: 'resolved_accepted',
  done: 'resolved_done',
  not_done: 'resolved_not_sent',
} as const satisfies Record<CloseClaim, string>;

/**
 * The latest look of the worker. `not_found`: the record answered and does not know it, or is as it
 * was before. `cannot_say`: the record answered and does not settle it, whatever is done: it is of
 * another content, carries no amount, has no such order, or lists a refund as waiting for people of
 * the gateway.
 */
export type Look = { says: 'not_found' | 'cannot_say' | 'found' | 'no_answer'; at: number };

export type CloseFacts = Pick<
  Movement,
  | 'rail'
  | 'state'
  | 'attention'
  | 'lastSendAt'
  | 'acceptedAt'
  | 'stateSince'
  | 'notFoundReads'
  | 'unclearSince'
>;

export type CloseRefusal =
  | 'close_not_unknown'
  | 'close_too_early'
  | 'close_not_a_day'
  | 'close_unverified'
  | 'close_record_says'
  | 'cashout_too_early';

/** A look that is older says nothing of now. */
export const LOOK_FRESH_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** As often the record has to have said since the send that it knows nothing of it. */
const MIN_CLEAN_READS = 3;
/** Why a record that answered cannot say what became of one movement. */
const CANNOT_SAY: readonly string[] = ['mismatch', 'unsaid', 'order_not_found'];

/** What the worker's read said, as it is kept as evidence. */
export function lookSays(
  rail: string,
  outcome: { kind: string; why?: string | null; level?: string | null },
): Look['says'] {
  if (outcome.kind === 'found' && outcome.level === 'pending' && isCardOperation(rail))
    return 'cannot_say';
  if (outcome.kind === 'not_found' || outcome.kind === 'found') return outcome.kind;
  return outcome.why !== undefined && outcome.why !== null && CANNOT_SAY.includes(outcome.why)
    ? 'cannot_say'
    : 'no_answer';
}

/**
 * What people may come to say of it in this state; whether they may say it by now is
 * `closeRefusal`'s to answer.
 */
export function closeClaims(movement: CloseFacts, look: Look | null): CloseClaim[] {
  if (!['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(movement.state)) return [];
  const claims: CloseClaim[] = capabilitiesOf(movement.rail).answersQuestions
    ? recordClaims(look)
    : silentClaims(movement);
  // The provider has spoken of a payment: people may say that it was carried out, not that it was
  // not.
  return movement.attention === 'contradiction'
    ? claims.filter((claim) => claim !== 'not_done')
    : claims;
}

function recordClaims(look: Look | null): CloseClaim[] {
  return look?.says === 'cannot_say' ? ['done', 'not_done'] : ['not_done'];
}

function silentClaims({ state }: CloseFacts): CloseClaim[] {
  return state === 'UNKNOWN' ? ['taken', 'not_done'] : ['done', 'not_done'];
}

/**
 * The moment from which this may be said, as far as time is concerned. `quietMs`: longer than any
 * request is under way.
 */
export function closeFrom(
  movement: CloseFacts,
  claim: CloseClaim,
  look: Look | null,
  quietMs: number,
): number {
  const quiet = sentAt(movement) + quietMs;
  const isDenied = capabilitiesOf(movement.rail).answersQuestions
    ? needsWrittenAnswer(movement, look)
    : claim === 'not_done';
  return isDenied ? Math.max(quiet, unclearAt(movement) + DAY_MS) : quiet;
}

/** `quietMs`: longer than any request is under way. Null when it may be said now. */
export function closeRefusal(
  movement: CloseFacts,
  claim: CloseClaim,
  look: Look | null,
  now: number,
  quietMs: number,
): CloseRefusal | null {
  if (!closeClaims(movement, look).includes(claim))
    return look?.says === 'found' ? 'close_record_says' : 'close_not_unknown';
  const isQuiet = now - sentAt(movement) >= quietMs;
  const isTime = now >= closeFrom(movement, claim, look, quietMs);
  if (!capabilitiesOf(movement.rail).answersQuestions) {
    if (!isQuiet) return 'cashout_too_early';
    return isTime ? null : 'close_not_a_day';
  }
  if (look?.says === 'found') return 'close_record_says';
  if (look === null || look.says === 'no_answer') return 'close_unverified';
  if (!isQuiet || (look.says === 'not_found' && movement.notFoundReads < MIN_CLEAN_READS))
    return 'close_too_early';
  return isTime ? null : 'close_not_a_day';
}

/**
 * Whether the last look is fresh enough to close on: absence alone, heard some time ago, never is.
 */
export function isLookFresh(
  movement: Pick<CloseFacts, 'rail'>,
  look: Look | null,
  now: number,
): boolean {
  return (
    !capabilitiesOf(movement.rail).answersQuestions ||
    (look !== null && now - look.at < LOOK_FRESH_MS)
  );
}

/**
 * An unclear card operation whose record still is as before is proven by the record; everything
 * else rests on what the provider wrote.
 */
export function needsWrittenAnswer(
  { rail, state }: Pick<CloseFacts, 'rail' | 'state'>,
  look: Look | null,
): boolean {
  return (
    capabilitiesOf(rail).answersQuestions &&
    !(isCardOperation(rail) && state === 'UNKNOWN' && look?.says === 'not_found')
  );
}

/**
 * A hold that still is held was not captured, and a second capture of it takes nothing twice: one
 * person is enough.
 */
export function peopleNeeded(
  { rail, state }: Pick<CloseFacts, 'rail' | 'state'>,
  claim: CloseClaim,
  look: Look | null,
): 1 | 2 {
  const isHold = rail === 'card_capture' || rail === 'card_release';
  return isHold && state === 'UNKNOWN' && claim === 'not_done' && look?.says === 'not_found'
    ? 1
    : 2;
}

function sentAt({ lastSendAt, acceptedAt, stateSince }: CloseFacts): number {
  return Math.max(lastSendAt ?? 0, acceptedAt ?? 0) || stateSince;
}

/**
 * The first moment at which a request of it may have been executed; of what was accepted and then
 * fell silent, the acceptance.
 */
function unclearAt(movement: CloseFacts): number {
  return movement.unclearSince ?? sentAt(movement);
}
