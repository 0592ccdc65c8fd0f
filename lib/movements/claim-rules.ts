import type { Evidence, Movement } from './state.ts';
import { isRefusalCompared, mayStillArrive, nextAction, nextLook } from './schedule.ts';
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

/** How long a movement is deferred that is ready to be sent but may not be sent yet. */
export const PUT_OFF_MS = 30_000;

const UNANSWERED_REST_MS = 15 * 60_000;
const UNANSWERED_END_MS = 7 * 24 * 60 * 60_000;

/** The facts beside the movement itself that decide about sending it. */
export type Due = {
  movement: MovementRow;
  now: number;
  /** A stop switch is on for this kind or for all kinds. */
  switchedOff: boolean;
  /** False: the row is older than a recovery, and no person has confirmed its send since. */
  confirmed: boolean;
  /** The row is older than a recovery. */
  restored: boolean;
  approvals: readonly Approval[];
  /** Hashes of the bodies of earlier sends. */
  bodies: readonly string[];
};

export type Approval = { personId: string; contentHash: string };

/** The queue columns of a row. */
export type Queue = { nextAt: number | null; lease: { token: string; until: number } | null };

export type Decision =
  /** The IBAN gate still has to pass; it is decided with its row locked. */
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
      if (
        !due.switchedOff &&
        due.confirmed &&
        approvalsCover(due) &&
        sameBytes(due, requestHash) &&
        remembersAll(due)
      )
        return { kind: 'send' };
      // A movement that may have been paid is still read; only the sending waits.
      return movement.state === 'UNKNOWN'
        ? { kind: 'read' }
        : { kind: 'put_off', until: now + PUT_OFF_MS };
    case 'read':
    case 'ledger':
      return { kind: action };
    case 'rest':
      return { kind: 'put_off', until: nextLook(movement, now, policy, random) };
    case 'lease_expired':
    case 'approval_expired':
    case 'pending_too_long':
    case 'return_unconfirmed':
      return { kind: 'note', evidence: { source: 'worker', kind: action } };
  }
}

/**
 * Nothing is sent without enough distinct approvals of exactly this content, the maker's own not
 * counted (docs/money-rules.md, I3).
 */
export function approvalsCover({
  movement,
  approvals,
}: Pick<Due, 'movement' | 'approvals'>): boolean {
  const people = approvals
    .filter((one) => one.contentHash === movement.contentHash && one.personId !== movement.makerId)
    .map((one) => one.personId);
  return new Set(people).size >= movement.approvalsNeeded;
}

/**
 * A newer version of this program may serialize the same content differently; under an id that may
 * have been executed, only the same bytes are sent (docs/money-rules.md, I4).
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
 * A restored database may have lost a send, its bytes and a Duplicate answer, which are all
 * conditions of a second send (docs/money-rules.md, step 13). A person's "send it" covers the first
 * send only.
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
 * Marks evidence as late when another worker has taken the lease since: written twice for one
 * answer (commit done, confirmation lost), the second write is late. A read is late as soon as its
 * lease has ended, even if the row is still ours: it says what was true at the query, and a worker
 * that was suspended after a "not found" would date it by its waking.
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
  const look = nextLook(after, now, policy, random) ?? unansweredLook(before, evidence, after, now);
  if ('late' in evidence && evidence.late === true) {
    return {
      nextAt: earlier(look, nextAt),
      lease:
        leaseToken !== null && leaseUntil !== null
          ? { token: leaseToken, until: leaseUntil }
          : null,
    };
  }
  // A webhook or a person may have expedited the check while this one was running: this response
  // may be older than that.
  const expedited = nextAt !== null && leaseUntil !== null && nextAt < leaseUntil ? nextAt : null;
  return { nextAt: earlier(look, expedited), lease: null };
}

/** The next check of a refusal that a person expedited and the provider did not answer. */
function unansweredLook(
  { lastHintAt }: MovementRow,
  evidence: Evidence,
  after: Movement,
  now: number,
): number | null {
  const isUnanswered = evidence.kind === 'read' && evidence.outcome.kind === 'no_answer';
  return isUnanswered &&
    isRefusalCompared(after) &&
    lastHintAt !== null &&
    now - lastHintAt < UNANSWERED_END_MS
    ? now + UNANSWERED_REST_MS
    : null;
}

/** The earlier of two checks; null means none. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * The provider has, or may have, a record. `restored`: the movement is older than a recovery, which
 * may have lost a send of what has ended without one.
 */
export function canBeAsked(
  { state, sends }: Pick<MovementRow, 'state' | 'sends'>,
  restored: boolean,
): boolean {
  const isForgotten = restored && ['CANCELLED', 'EXPIRED'].includes(state);
  return isForgotten || (sends > 0 && state !== 'APPROVED');
}

/**
 * When an expedited check runs; null when there is nothing to query. Only checks are expedited,
 * never a first send: a movement that waits to be sent keeps its place.
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
  const before = movement.lastHintAt ?? 0;
  return before > now ? before : Math.max(now, before + guardMs);
}
