import type { Evidence, Movement } from './state.ts';
import {
  IBAN_GATE_MS,
  isRefusalCompared,
  mayStillArrive,
  nextAction,
  nextLook,
} from './schedule.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';
import type { Policy } from './schedule.ts';
import type { MovementRow } from './row.ts';

/**
 * What a worker may do with a row that is due, and what it leaves in the queue's columns. Pure:
 * `claim.ts` carries it out in SQL and the simulator in memory, so that both obey the same rules.
 * Times are milliseconds of the database's clock.
 */

/**
 * A notice pulls the next read of one movement at most this often, so that forged notices cannot
 * make us flood the provider.
 */
export const HINT_GUARD_MS = 10_000;

/** How long a movement rests that is ready to leave and may not. */
export const PUT_OFF_MS = 30_000;

const UNANSWERED_REST_MS = 15 * 60_000;
const UNANSWERED_END_MS = 7 * 24 * 60 * 60_000;

/** What a row says besides the movement, for the decision about sending it. */
export type Due = {
  movement: MovementRow;
  now: number;
  /** The kill switch of this rail, or of all. */
  switchedOff: boolean;
  /** False: the row is older than a recovery, and no person has said "send it" since. */
  confirmed: boolean;
  /** The row is older than a recovery. */
  restored: boolean;
  approvals: readonly Approval[];
  /** Hashes of what earlier sends carried. */
  bodies: readonly string[];
};

export type Approval = { personId: string; contentHash: string };

/** The queue's columns of a row. */
export type Queue = { nextAt: number | null; lease: { token: string; until: number } | null };

export type Decision =
  /** Still subject to the IBAN gate, which is decided with its row locked. */
  | { kind: 'send' }
  | { kind: 'read' | 'ledger' }
  | { kind: 'put_off'; until: number | null }
  | { kind: 'note'; evidence: Extract<Evidence, { witness: 'worker' }> };

/** What a provider said, or did not, to what a claim asked. */
export type Heard = Extract<Evidence, { outcome: unknown }>;

/**
 * A row is free for a worker when it is due and nobody holds it. The claim's query finds rows by
 * the same words.
 */
export function mayTake(
  { nextAt, leaseUntil }: Pick<MovementRow, 'nextAt' | 'leaseUntil'>,
  now: number,
): boolean {
  return nextAt !== null && nextAt <= now && (leaseUntil === null || leaseUntil <= now);
}

export function decide(
  due: Due,
  bodyHash: (movement: MovementRow) => string,
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
        sameBytes(due, bodyHash) &&
        remembersAll(due)
      )
        return { kind: 'send' };
      // What may have been paid is watched all the same; only the sending waits.
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
    case 'refund_unconfirmed':
      return { kind: 'note', evidence: { witness: 'worker', kind: action } };
  }
}

/**
 * Nothing on the wire without enough distinct approvals of exactly this content, the maker's own
 * not counted (docs/money-rules.md, I3).
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
 * A newer version of this program may write the same content in other bytes; under an id that may
 * have been executed only the same go out (docs/money-rules.md, I4).
 */
function sameBytes(
  { movement, bodies }: Due,
  bodyHash: (movement: MovementRow) => string,
): boolean {
  if (!movement.everAmbiguous) return true;
  const hash = bodyHash(movement);
  return bodies.every((body) => body === hash);
}

/**
 * A restored database may have forgotten a send, its bytes and a Duplicate: all that step 13 asks
 * of a second send. A person's "send it" is about the first.
 */
function remembersAll({ movement, restored }: Due): boolean {
  return movement.state !== 'UNKNOWN' || !restored;
}

/**
 * The bank's minute is about IBANs: a transfer between wallets has none, and none waits for
 * another.
 */
export function hasIbanGate(iban: string): boolean {
  return iban !== '';
}

/**
 * The gate of an IBAN lets a send through when the one before it was claimed at this time or
 * earlier.
 */
export function gatePassesSince(now: number): number {
  return now - IBAN_GATE_MS;
}

export function gateOpensAt(lastSendAt: number): number {
  return lastSendAt + IBAN_GATE_MS + 1;
}

/**
 * How a worker holds a row while it asks. Whoever finds the row after that knows that the worker is
 * gone.
 */
export function leased(token: string, now: number): Queue & { lease: object } {
  return { nextAt: now + LEASE_MS + 1, lease: { token, until: now + LEASE_MS } };
}

export type Clocks = { monotonic: number; wall: number };

/**
 * What was heard is late when the lease it was asked under is somebody else's by now: called twice
 * for one answer, the second call is late. A look is late as soon as its lease is over, whoever
 * holds the row: it says what was true when it was asked, and a worker that slept over a "not
 * found" would date it by its waking.
 */
export function underLease(
  movement: Pick<MovementRow, 'leaseToken' | 'leaseUntil'>,
  leaseToken: string,
  evidence: Heard,
  now: number,
): Heard {
  const isHeld = movement.leaseToken === leaseToken;
  const isStale = evidence.kind !== 'answer' && (movement.leaseUntil ?? 0) <= now;
  return isHeld && !isStale ? evidence : { ...evidence, late: true };
}

/** A read of the record while the last request may still arrive says nothing of that request. */
export function besideRequest(
  movement: Pick<MovementRow, 'lastSendAt'>,
  evidence: Heard,
  now: number,
  policy: Policy,
): Heard {
  return evidence.kind === 'read' && mayStillArrive(movement, now, policy)
    ? { ...evidence, mayArrive: true }
    : evidence;
}

/** A send that provably never left keeps nobody waiting. */
export function opensGate(evidence: Heard): boolean {
  return (
    evidence.kind === 'answer' &&
    !evidence.late &&
    (evidence.outcome.kind === 'not_sent' || evidence.outcome.kind === 'unauthorized')
  );
}

/**
 * The queue's columns after a worker wrote something down. Only the holder of the lease gives it
 * back and sets the next look.
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
  // A notice or a person may have asked for a look while this one was under way: what was heard may
  // be older than that.
  const pulled = nextAt !== null && leaseUntil !== null && nextAt < leaseUntil ? nextAt : null;
  return { nextAt: earlier(look, pulled), lease: null };
}

/** A look at a refusal that somebody asked for, and that nobody answered. */
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

/** The earlier of two looks; null is none. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** There is, or may be, a record at the provider. */
export function canBeAsked(movement: Pick<MovementRow, 'state' | 'sends'>): boolean {
  return movement.sends > 0 && movement.state !== 'APPROVED';
}

/**
 * Where a wish to look at once puts the next look; null when there is nothing to ask. Only looks
 * are pulled, never a first send: a movement that waits for its turn to leave keeps its place.
 */
export function pulledTo(
  movement: Pick<MovementRow, 'state' | 'sends' | 'lastHintAt'>,
  now: number,
  guardMs: number,
): number | null {
  if (!canBeAsked(movement)) return null;
  // A look that is pulled already answers this wish too: a flood of notices must not push the guard
  // into the future.
  const before = movement.lastHintAt ?? 0;
  return before > now ? before : Math.max(now, before + guardMs);
}
