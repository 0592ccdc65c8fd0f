import { withAlert } from './alert.ts';
import { approvalsCover } from './approvals-cover.ts';
import type { Approval, Requirement } from './approvals-cover.ts';
import { capabilitiesOf, LISTING_LAG_MS } from './kinds.ts';
import type { Alert } from './alert.ts';
import type { Evidence, Movement } from './state.ts';
import { isRefusalCompared } from './refusal-compared.ts';
import { mayStillArrive, nextAction, nextLook } from './schedule.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';
import type { Policy } from './schedule.ts';
import type { MovementRow } from './row.ts';

/**
 * What a worker may do with a due row, and what it leaves in the queue columns. Pure: `claim.ts`
 * runs it in SQL and the simulator in memory, so that both obey the same rules. Times are
 * milliseconds of the database's clock.
 */

/**
 * A webhook expedites the next read of one movement at most this often, so that forged webhooks
 * cannot make us flood the provider.
 */
export const HINT_GUARD_MS = 10_000;
/** Two queries of a person about one movement are at least this far apart. */
export const ASK_GUARD_MS = 5_000;

/** How long a movement is deferred that is ready to be sent but may not be sent yet. */
export const PUT_OFF_MS = 30_000;

/** A send that left by now is listed by then: the listing lag, and the request's tail. */
const FORGOTTEN_LISTED_MS = LISTING_LAG_MS + 5 * 60_000;
/** The last check of such a movement, for a provider that lists it later than it should. */
const FORGOTTEN_LAST_MS = 24 * 60 * 60_000;

const UNANSWERED_REST_MS = 15 * 60_000;
const UNANSWERED_END_MS = 7 * 24 * 60 * 60_000;

/** The facts beside the movement itself that decide about sending it. */
export type Due = {
  movement: MovementRow;
  now: number;
  /** A stop switch is on for this kind or for all kinds. */
  switchedOff: boolean;
  /** A payment in whose place it was made may have been paid: a record contradicts its end. */
  earlierMayBePaid: boolean;
  /** False: the row is older than a recovery, and no person has confirmed its send since. */
  confirmed: boolean;
  /** The row is older than a recovery. */
  restored: boolean;
  approvals: readonly Approval[];
  /** What policies asked of it; empty where the merchant had none. */
  requirements: readonly Requirement[];
  /** False: the fields no longer give the stored content hash, which approvals sign. */
  intact: boolean;
  /** Hashes of the bodies of earlier sends. */
  bodies: readonly string[];
};

/** The queue columns of a row. */
export type Queue = { nextAt: number | null; lease: { token: string; until: number } | null };

export type Decision =
  /**
   * The movement may be sent if the IBAN gate passes too, which is decided with the gate's row
   * locked.
   */
  | { kind: 'send' }
  | { kind: 'read' | 'ledger' }
  | { kind: 'put_off'; until: number | null }
  | { kind: 'note'; evidence: Extract<Evidence, { source: 'worker' }> };

/** The provider's response, or its absence, to what a claim queried or sent. */
export type ProviderResponse = Extract<Evidence, { outcome: unknown }>;

/**
 * A row is free for a worker when it is due and no lease is alive. Must match the conditions of the
 * claim query.
 */
export function mayTake(
  { nextAt, leaseUntil }: Pick<MovementRow, 'nextAt' | 'leaseUntil'>,
  now: number,
): boolean {
  return nextAt !== null && nextAt <= now && (leaseUntil === null || leaseUntil <= now);
}

/** Whether a worker holds the row: before a send its record is read under a lease, too. */
export function isHeld({ leaseUntil }: Pick<MovementRow, 'leaseUntil'>, now: number): boolean {
  return leaseUntil !== null && leaseUntil > now;
}

export function decide(
  due: Due,
  requestHash: (movement: MovementRow) => string,
  policy: Policy,
  random: () => number,
): Decision {
  const { movement, now } = due;
  const action = nextAction(movement, now, policy);
  switch (action) {
    case 'send':
      if (due.earlierMayBePaid) return keptBack(due);
      if (
        !due.switchedOff &&
        due.confirmed &&
        isApproved(due) &&
        sameBytes(due, requestHash) &&
        remembersAll(due)
      )
        return { kind: 'send' };
      // A movement that may have been paid is still read; only the sending waits.
      if (movement.state === 'UNKNOWN') return { kind: 'read' };
      return unapproved(due) ?? { kind: 'put_off', until: now + PUT_OFF_MS };
    case 'read':
    case 'ledger':
      return { kind: action };
    case 'rest':
      return { kind: 'put_off', until: nextLook(movement, now, policy, random) };
    case 'approval_expired': {
      const forgotten = due.restored ? ({ forgotten: true } as const) : {};
      return { kind: 'note', evidence: { source: 'worker', kind: action, ...forgotten } };
    }
    case 'lease_expired':
    case 'pending_too_long':
    case 'return_unconfirmed':
      return { kind: 'note', evidence: { source: 'worker', kind: action } };
  }
}

/**
 * A movement that may have been paid already waits until a person cancels it; an alert says so. One
 * that may have been sent is read on.
 */
function keptBack({ movement, now }: Due): Decision {
  if (movement.state === 'UNKNOWN') return { kind: 'read' };
  return isNews(movement, 'earlier_may_be_paid')
    ? { kind: 'note', evidence: { source: 'worker', kind: 'earlier_may_be_paid' } }
    : { kind: 'put_off', until: now + PUT_OFF_MS };
}

/**
 * What is noted of a movement that is ready and lacks approvals. Where only people who are disabled
 * by now are missing, it waits for others; an alert says so of everything else. Null: nothing is new.
 */
function unapproved(due: Due): Decision | null {
  if (isApproved(due)) return null;
  if (hasLapsed(due))
    return { kind: 'note', evidence: { source: 'worker', kind: 'approvals_lapsed' } };
  return isNews(due.movement, 'approvals_missing')
    ? { kind: 'note', evidence: { source: 'worker', kind: 'approvals_missing' } }
    : null;
}

/**
 * Whether nothing but disabled people keeps it from being approved. A movement that the one-minute
 * rule refused is left to people: the record is read before it goes on, or is sent again.
 */
function hasLapsed(due: Due): boolean {
  const approvals = due.approvals.map((one) => ({ ...one, lapsed: false }));
  return due.movement.ibanWaits === 0 && isApproved({ ...due, approvals });
}

/** Whether the alert would be shown; a graver one stays, and the row must not be noted for ever. */
function isNews({ alert }: MovementRow, next: Alert): boolean {
  return withAlert(alert, next) !== alert;
}

/**
 * Whether what stands in the row now is what the policy judged and people approved. A movement of a
 * merchant without a policy has neither, and its content is frozen by the database alone.
 */
function isApproved(due: Due): boolean {
  const isJudged = due.movement.approvalsNeeded > 0 || due.requirements.length > 0;
  return (!isJudged || due.intact) && approvalsCover(due);
}

/**
 * Whether the request has the same bytes as the earlier sends. A newer version of this program may
 * serialize the same content differently; under an id that may have been executed, only the same
 * bytes are sent (docs/money-rules.md, I4).
 */
function sameBytes(
  { movement, bodies }: Due,
  requestHash: (movement: MovementRow) => string,
): boolean {
  if (!movement.everAmbiguous) return true;
  const hash = requestHash(movement);
  return bodies.every((body) => body === hash);
}

/**
 * Whether the database remembers all earlier sends of the movement. A restored database may have
 * lost a send, its bytes and a Duplicate answer, and a second send depends on all three
 * (docs/money-rules.md, step 13). A person's "send it" covers the first send only.
 */
function remembersAll({ movement, restored }: Due): boolean {
  return movement.state !== 'UNKNOWN' || !restored;
}

/** The gate passes when the previous send to the IBAN was claimed at this time or earlier. */
export function gatePassesSince(now: number, cooldownMs: number): number {
  return now - cooldownMs;
}

export function gateOpensAt(lastSendAt: number, cooldownMs: number): number {
  return lastSendAt + cooldownMs + 1;
}

/** The lease of a worker during its request. A row found after its end belongs to a dead worker. */
export function leased(token: string, now: number): Queue & { lease: object } {
  return { nextAt: now + LEASE_MS + 1, lease: { token, until: now + LEASE_MS } };
}

export type Clocks = { monotonic: number; wall: number };

/**
 * Marks evidence as late when another worker has taken the lease since. The second write of one
 * answer (the commit was done, its confirmation was lost) is late as well. A read is late as soon
 * as its lease has ended, even if the row is still ours: it describes the moment of the query, and
 * a worker that was suspended after a "not found" would store it with the time of its waking.
 */
export function underLease(
  movement: Pick<MovementRow, 'leaseToken' | 'leaseUntil'>,
  leaseToken: string,
  evidence: ProviderResponse,
  now: number,
): ProviderResponse {
  const isHeld = movement.leaseToken === leaseToken;
  const isStale = evidence.kind !== 'answer' && (movement.leaseUntil ?? 0) <= now;
  return isHeld && !isStale ? evidence : { ...evidence, late: true };
}

/**
 * A read proves nothing about the last request while that request may still arrive. `restored`: the
 * database may have lost earlier requests, whose record this may be.
 */
export function besideRequest(
  movement: Pick<MovementRow, 'lastSendAt'> & { restored: boolean },
  evidence: ProviderResponse,
  now: number,
  policy: Policy,
): ProviderResponse {
  return evidence.kind === 'read' && mayStillArrive(movement, now, policy)
    ? { ...evidence, mayArrive: true, ...(movement.restored ? { restored: true } : {}) }
    : evidence;
}

/** A send that provably never left does not block the IBAN. */
export function opensGate(evidence: ProviderResponse): boolean {
  return (
    evidence.kind === 'answer' &&
    !evidence.late &&
    (evidence.outcome.kind === 'not_sent' || evidence.outcome.kind === 'unauthorized')
  );
}

/**
 * The queue columns after a worker recorded evidence. Only the holder of the lease gives it back
 * and sets the next check.
 */
export function queueAfter(
  before: MovementRow,
  evidence: Evidence,
  after: Movement,
  now: number,
  policy: Policy,
  random: () => number,
): Queue {
  const { nextAt, leaseToken, leaseUntil } = before;
  const look = earlier(
    nextLook(after, now, policy, random) ?? forgottenLook(evidence, after, now),
    unansweredLook(before, evidence, after, now),
  );
  if ('late' in evidence && evidence.late === true) {
    return {
      nextAt: earlier(look, nextAt),
      lease:
        leaseToken !== null && leaseUntil !== null
          ? { token: leaseToken, until: leaseUntil }
          : null,
    };
  }
  // A webhook or a person may have expedited the next check while this check was running. Keep that
  // time: this check's response may be older than what expedited the next one.
  const expedited = nextAt !== null && leaseUntil !== null && nextAt < leaseUntil ? nextAt : null;
  return { nextAt: earlier(look, expedited), lease: null };
}

/**
 * The first check of a movement that ends as not sent, though a send of it may have been executed:
 * the one-minute rule refused a request, of which a proxy may have sent a second copy, or
 * (`restored`) the movement is older than a recovery, so that the future that the restore has lost
 * may have sent it. By then the provider lists every such send. Null in every other case.
 */
export function lookAfterEnd(
  { kind, ibanWaits }: Pick<Movement, 'kind' | 'ibanWaits'>,
  restored: boolean,
  now: number,
): number | null {
  const mayBeExecuted = restored || ibanWaits > 0;
  return mayBeExecuted && capabilitiesOf(kind).answersQuestions ? now + FORGOTTEN_LISTED_MS : null;
}

/** The two checks of such a movement: one by `lookAfterEnd`, and a last one a day after its end. */
function forgottenLook(evidence: Evidence, after: Movement, now: number): number | null {
  if (evidence.kind === 'approval_expired')
    return lookAfterEnd(after, evidence.forgotten === true, now);
  const isUnlisted =
    mayBeForgotten(after) && evidence.kind === 'read' && evidence.outcome.kind === 'not_found';
  const last = after.stateSince + FORGOTTEN_LAST_MS;
  return isUnlisted && now < last ? last : null;
}

function mayBeForgotten({ state, sends, ibanWaits }: Movement): boolean {
  return (sends === 0 || ibanWaits > 0) && (state === 'CANCELLED' || state === 'EXPIRED');
}

/**
 * The next check when the provider gave no answer to the last one of a refused movement that a
 * person expedited, or of one that ended unsent; null in every other case.
 */
function unansweredLook(
  { lastHintAt }: MovementRow,
  evidence: Evidence,
  after: Movement,
  now: number,
): number | null {
  const isUnanswered = evidence.kind === 'read' && evidence.outcome.kind === 'no_answer';
  const since = askedSince(after, lastHintAt);
  return isUnanswered && since !== null && now - since < UNANSWERED_END_MS
    ? now + UNANSWERED_REST_MS
    : null;
}

/** Since when an answer is waited for; null where an unanswered check is not repeated. */
function askedSince(after: Movement, lastHintAt: number | null): number | null {
  if (after.state === 'CANCELLED' || after.state === 'EXPIRED')
    return Math.max(lastHintAt ?? 0, after.stateSince);
  return isRefusalCompared(after) ? lastHintAt : null;
}

/** The earlier of two checks; null means none. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * Whether the provider has, or may have, a record of the movement. `restored`: the movement is
 * older than a recovery, so a send of a cancelled or expired movement may be lost.
 */
export function canBeAsked(
  { state, sends }: Pick<MovementRow, 'state' | 'sends'>,
  restored: boolean,
): boolean {
  const isForgotten = restored && ['CANCELLED', 'EXPIRED'].includes(state);
  return isForgotten || (sends > 0 && state !== 'APPROVED');
}

/**
 * Whether a movement was queried too recently for another query of a person. A time that is further
 * ahead than any guard is from before the clock was set back.
 */
export function isAskedJustNow(lastHintAt: number, now: number): boolean {
  return now - lastHintAt < ASK_GUARD_MS && lastHintAt - now <= HINT_GUARD_MS;
}

/**
 * The time at which an expedited check runs; null when there is nothing to query. Only checks are
 * expedited, never a first send: a movement that waits to be sent keeps its place.
 */
export function expeditedTo(
  movement: Pick<MovementRow, 'state' | 'sends' | 'lastHintAt'>,
  now: number,
  guardMs: number,
  restored: boolean,
): number | null {
  if (!canBeAsked(movement, restored)) return null;
  // A check that is already expedited serves this request too: a flood of webhooks must not keep
  // moving the guard into the future.
  const last = movement.lastHintAt ?? 0;
  // One that is further ahead than any guard is from before the clock was set back.
  const before = last - now > HINT_GUARD_MS ? 0 : last;
  return before > now ? before : Math.max(now, before + guardMs);
}
