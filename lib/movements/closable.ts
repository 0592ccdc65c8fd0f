import { isYounger } from '#lib/values/younger.ts';
import { capabilitiesOf, kindOf } from './kinds.ts';
import type { Movement } from './state.ts';

/**
 * When people may end a movement that no worker can end, which outcomes they may state, and how
 * many people it takes. Pure: times in milliseconds of the database's clock. Source:
 * docs/money-rules.md, step 14. Shared by `close.ts` and the simulator.
 */

/**
 * The outcomes that people may claim. `taken`: the provider has accepted the movement. `done`: the
 * movement was carried out. `not_done`: it was not carried out and never will be.
 */
export const CLOSE_CLAIMS = ['taken', 'done', 'not_done'] as const;
export type CloseClaim = (typeof CLOSE_CLAIMS)[number];

/** The evidence kind under which the reducer takes a person's claim. */
export const CLOSE_EVIDENCE = {
  taken: 'resolved_accepted',
  done: 'resolved_done',
  not_done: 'resolved_not_sent',
} as const satisfies Record<CloseClaim, string>;

/**
 * The worker's latest read. `not_found`: the record does not contain the movement, or is unchanged.
 * `cannot_say`: the record answered but decides nothing: it has other content, no amount, no such
 * order or a state without a known meaning, or lists a refund as pending at the gateway.
 */
export type Look = { says: 'not_found' | 'cannot_say' | 'found' | 'no_answer'; at: number };

export type CloseFacts = Pick<
  Movement,
  | 'kind'
  | 'state'
  | 'alert'
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

/**
 * The maximum age of a read on which people may close: an older read does not describe the present.
 */
export const LOOK_FRESH_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** How many reads since the send must have found nothing. */
const MIN_CLEAN_READS = 3;
/**
 * Read errors after which a record that answered still cannot decide a movement's outcome. One of
 * them is a state that our tables do not list: further reads would give the same answer.
 */
const CANNOT_SAY: readonly string[] = [
  'mismatch',
  'unsaid',
  'order_not_found',
  'unknown_level',
  'unknown_state',
];

/**
 * Maps a stored read to what it says about the movement. `other`: the record has another number
 * than our request, so it never ends the movement. A card payment's record always has the payment's
 * number, so `other` does not count there.
 */
export function lookSays(
  kind: string,
  outcome: { kind: string; why?: string | null; level?: string | null; other?: boolean },
): Look['says'] {
  if (outcome.kind === 'found' && outcome.other === true && !isOnPayment(kind)) return 'cannot_say';
  if (outcome.kind === 'found' && outcome.level === 'pending' && isOnPayment(kind))
    return 'cannot_say';
  if (outcome.kind === 'not_found' || outcome.kind === 'found') return outcome.kind;
  return outcome.why !== undefined && outcome.why !== null && CANNOT_SAY.includes(outcome.why)
    ? 'cannot_say'
    : 'no_answer';
}

/**
 * The claims that people may make in this state at some time; `closeRefusal` decides whether they
 * may make them now.
 */
export function closeClaims(movement: CloseFacts, look: Look | null): CloseClaim[] {
  if (!['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(movement.state)) return [];
  const claims: CloseClaim[] = capabilitiesOf(movement.kind).answersQuestions
    ? recordClaims(look)
    : silentClaims(movement);
  // The provider has a record of a payment: people may claim that it was carried out, not that it
  // was not.
  return movement.alert === 'contradiction'
    ? claims.filter((claim) => claim !== 'not_done')
    : claims;
}

function recordClaims(look: Look | null): CloseClaim[] {
  return look?.says === 'cannot_say' ? ['done', 'not_done'] : ['not_done'];
}

function silentClaims({ state }: CloseFacts): CloseClaim[] {
  return state === 'UNKNOWN' ? ['taken', 'not_done'] : ['done', 'not_done'];
}

/** The earliest time for this claim. `quietMs`: longer than any request can be in flight. */
export function closeFrom(
  movement: CloseFacts,
  claim: CloseClaim,
  look: Look | null,
  quietMs: number,
): number {
  const quiet = sentAt(movement) + quietMs;
  const isDenied = capabilitiesOf(movement.kind).answersQuestions
    ? needsWrittenAnswer(movement, look)
    : claim === 'not_done';
  return isDenied ? Math.max(quiet, unclearAt(movement) + DAY_MS) : quiet;
}

/** Null when the claim may be made now. `quietMs`: longer than any request can be in flight. */
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
  if (!capabilitiesOf(movement.kind).answersQuestions) {
    if (!isQuiet) return 'cashout_too_early';
    return isTime ? null : 'close_not_a_day';
  }
  if (look?.says === 'found') return 'close_record_says';
  if (look === null || look.says === 'no_answer') return 'close_unverified';
  if (!isQuiet || (look.says === 'not_found' && movement.notFoundReads < MIN_CLEAN_READS))
    return 'close_too_early';
  return isTime ? null : 'close_not_a_day';
}

/** Whether the last read is fresh enough to close on: an old "not found" proves nothing. */
export function isLookFresh(
  movement: Pick<CloseFacts, 'kind'>,
  look: Look | null,
  now: number,
): boolean {
  return (
    !capabilitiesOf(movement.kind).answersQuestions ||
    (look !== null && isYounger(look.at, LOOK_FRESH_MS, now))
  );
}

/**
 * Whether closing needs a written answer of the provider. A kind that cannot be queried needs none
 * here, and neither does an unclear card operation whose payment's record is unchanged, which is
 * the proof.
 */
export function needsWrittenAnswer(
  { kind, state }: Pick<CloseFacts, 'kind' | 'state'>,
  look: Look | null,
): boolean {
  return (
    capabilitiesOf(kind).answersQuestions &&
    !(isOnPayment(kind) && state === 'UNKNOWN' && look?.says === 'not_found')
  );
}

/**
 * How many people a claim needs. One is enough to claim that a capture was not carried out while
 * the authorization is unchanged: if the claim is wrong, a second capture of it takes no money
 * twice.
 */
export function peopleNeeded(
  { kind, state }: Pick<CloseFacts, 'kind' | 'state'>,
  claim: CloseClaim,
  look: Look | null,
): 1 | 2 {
  const { isHarmlessTwice } = kindOf(kind);
  return isHarmlessTwice &&
    state === 'UNKNOWN' &&
    claim === 'not_done' &&
    look?.says === 'not_found'
    ? 1
    : 2;
}

/**
 * Whether the outcome is read from the card payment's record, which proves by being unchanged that
 * nothing was done.
 */
function isOnPayment(kind: string): boolean {
  return capabilitiesOf(kind).record === 'payment';
}

function sentAt({ lastSendAt, acceptedAt, stateSince }: CloseFacts): number {
  return Math.max(lastSendAt ?? 0, acceptedAt ?? 0) || stateSince;
}

/**
 * The first time at which a request may have been executed; for a movement that was accepted and
 * then got no further response, the acceptance.
 */
function unclearAt(movement: CloseFacts): number {
  return movement.unclearSince ?? sentAt(movement);
}
