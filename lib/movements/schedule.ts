import { capabilitiesOf } from './kinds.ts';
import { isRefusalCompared } from './refusal-compared.ts';
import { isFinal } from './state.ts';
import type { Movement } from './state.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';

/**
 * When to check again, and what to do then. Pure: times in milliseconds of the database's clock,
 * randomness from outside. Source: docs/money-rules.md, steps 7, 8, 13 and 15, and "Reads".
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** An approval request expires after this time. */
export const APPROVAL_LIFE_MS = DAY;
/** Whether what waits for approval has waited too long, also where no worker has said so yet. */
export function hasRunOut({ stateSince }: Pick<Movement, 'stateSince'>, now: number): boolean {
  return now - stateSince > APPROVAL_LIFE_MS;
}

const WATCH_OFFSETS_MS = [3, 8, 20, 45, 90]
  .map((s) => s * SECOND)
  .concat([3, 6, 12].map((m) => m * MINUTE));
const LEDGER_OFFSETS_MS = [1, 3, 6, 12, 25, 50, 100]
  .map((s) => s * SECOND)
  .concat([4, 8, 15, 30].map((m) => m * MINUTE));
/**
 * A proxy may send a request twice: one copy is accepted, the other refused. So a refusal is
 * checked soon, and again when no copy can be in flight any more.
 */
const REFUSED_OFFSETS_MS = [10 * SECOND, (30 + 180) * SECOND];
const WATCH_SLOW_MS = 15 * MINUTE;
const WATCH_HOURLY_AFTER_MS = DAY;
const WATCH_END_MS = 7 * DAY;
const WATCH_LAST_MS = DAY;
const JITTER = 0.2;
const LEDGER_REST_MS = 12 * HOUR;
/** How long the ledger is searched for a movement's entry. */
export const LEDGER_END_MS = 30 * DAY;
const RETURN_CONFIRM_MS = DAY;

/** What lacks its approvals, or may have been paid, is looked at again: a person may cancel it meanwhile. */
const KEPT_BACK_MS = 30 * SECOND;
/**
 * The waits between reads before a send that the provider does not answer, by how long it has not:
 * after two minutes an alert says so, and the reads are fewer.
 */
const READ_BEFORE_SEND_LONG_MS = 2 * MINUTE;
const READ_BEFORE_SEND = [
  { until: READ_BEFORE_SEND_LONG_MS, waitMs: 10 * SECOND },
  { until: HOUR, waitMs: MINUTE },
  { until: Infinity, waitMs: 5 * MINUTE },
];
const NOT_SENT_BACKOFF_MS = [2, 5, 15, 30, 60, 120, 300].map((s) => s * SECOND);
const NOT_SENT_ALERT = 5;
const MIN_NOT_FOUND_READS = 3;
/**
 * The latest arrival of a request after its claim, as a fraction of the quiet time: a request is
 * given up within its lease of 45 s, may arrive 180 s later, and a clock may jump by five minutes.
 */
const ARRIVED_BY_RATIO = (45 + 180 + 5 * 60) / 1800;
const MAX_RESENDS = 2;
const RESEND_LIFE_MS = DAY;
const UNKNOWN_ALERT_MS = DAY;
/**
 * The time in which a sent request may still arrive, as a fraction of the quiet time: 30 s timeout
 * and 180 s tail of 30 min. A rehearsal with a shorter quiet time shortens both in proportion.
 */
const REQUEST_TAIL_RATIO = (30 + 180) / 1800;

export type Policy = { quietMs: number; manualAfterMs: number; autoResend: boolean };

export type Action =
  | 'send'
  | 'read'
  | 'ledger'
  | 'lease_expired'
  | 'approval_expired'
  | 'pending_too_long'
  | 'return_unconfirmed'
  | 'rest';

/** The next action of a due movement. `send` includes the same-id resend of an unknown one. */
export function nextAction(movement: Movement, now: number, policy: Policy): Action {
  if (isSilent(movement)) return silentLook(movement, now) === now ? 'pending_too_long' : 'rest';
  if (isFinal(movement.state) && !capabilitiesOf(movement.kind).keepsLedger)
    return isRefusalCompared(movement) ? 'read' : 'rest';
  switch (movement.state) {
    case 'APPROVED':
      if (!mayLeave(movement)) return 'rest';
      return isReadBeforeSend(movement) ? 'read' : 'send';
    case 'SUBMITTING':
      return 'lease_expired';
    case 'UNKNOWN':
      return mayResend(movement, now, policy) ? 'send' : 'read';
    case 'PENDING':
      return now - (movement.acceptedAt ?? movement.stateSince) > policy.manualAfterMs
        ? 'pending_too_long'
        : 'read';
    case 'MANUAL_REVIEW':
      return 'read';
    case 'COMPLETED':
      if (
        movement.returned === 'REPORTED' &&
        now - (movement.returnedAt ?? now) > RETURN_CONFIRM_MS
      )
        return 'return_unconfirmed';
      return 'ledger';
    case 'REJECTED':
    case 'FAILED':
      return 'read';
    case 'AWAITING_APPROVAL':
      return hasRunOut(movement, now) ? 'approval_expired' : 'rest';
    case 'CANCELLED':
    case 'EXPIRED':
      // A cancelled or expired movement is due only when a person who wants to pay it again
      // requests a read: by our records, or because a restore has lost it, a request may have been
      // sent.
      return 'read';
    case 'DRAFT':
      return 'rest';
  }
}

/** Whether the movement may have been sent and the provider cannot be queried about it. */
function isSilent({ kind, state }: Movement): boolean {
  return (
    !capabilitiesOf(kind).answersQuestions &&
    !['DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING'].includes(state)
  );
}

/**
 * Whether a first send may leave: it waits for a person when the one-minute rule keeps refusing it,
 * or when a source says that it was paid, or that its id belongs to another payment.
 */
function mayLeave({ alert }: Movement): boolean {
  return alert !== 'iban_wait_exhausted' && alert !== 'contradiction' && alert !== 'mismatch';
}

/**
 * Whether the record is read before the next send: a proxy may send a request twice, and the first
 * copy may have caused the one-minute refusal that the second copy got. Nothing is sent before the
 * provider has answered: not every provider refuses a reference that it has executed.
 */
function isReadBeforeSend(movement: Movement): boolean {
  const { kind, ibanWaits, lastSendAt, lastReadAt } = movement;
  return (
    ibanWaits > 0 &&
    capabilitiesOf(kind).answersQuestions &&
    lastSendAt !== null &&
    (lastReadAt ?? 0) < lastSendAt
  );
}

/** Whether the provider has not answered the read before a send for two minutes. */
function isReadLong(movement: Movement, now: number): boolean {
  return isReadBeforeSend(movement) && now >= ibanOpensAt(movement) + READ_BEFORE_SEND_LONG_MS;
}

function ibanOpensAt(movement: Movement): number {
  return (movement.lastSendAt ?? 0) + (ibanCooldownOf(movement) ?? MINUTE);
}

/**
 * Whether a movement may be sent again: only with the same id, only after no response and no
 * record, at most twice (docs/money-rules.md, step 13).
 */
export function mayResend(movement: Movement, now: number, policy: Policy): boolean {
  return (
    policy.autoResend &&
    capabilitiesOf(movement.kind).knowsIds &&
    movement.state === 'UNKNOWN' &&
    !movement.duplicateSeen &&
    movement.alert !== 'mismatch' &&
    movement.alert !== 'contradiction' &&
    movement.requestId === null &&
    movement.notFoundReads >= MIN_NOT_FOUND_READS &&
    (movement.lastReadAt ?? 0) >= listedBy(movement, policy) &&
    sendsThatMayHaveLeft(movement) <= MAX_RESENDS &&
    now - (movement.unclearSince ?? movement.createdAt) < RESEND_LIFE_MS &&
    now > resendAt(movement, policy)
  );
}

/** A send that provably never left does not count as a resend. */
function sendsThatMayHaveLeft(movement: Movement): number {
  return movement.sends - movement.notSentTries - movement.ibanWaits;
}

function listedBy(movement: Movement, policy: Policy): number {
  const { listingLagMs } = capabilitiesOf(movement.kind);
  return (movement.lastSendAt ?? 0) + policy.quietMs * listedByRatio(listingLagMs);
}

/**
 * The age of a send from which a "not found" counts, as a fraction of the 30 min of quiet time: the
 * request may arrive 210 s after it was sent, its record may be missing from the list for
 * `listingLagMs`, and five minutes are added for a clock jump.
 */
export function listedByRatio(listingLagMs: number): number {
  return (listingLagMs / SECOND + 30 + 180 + 5 * 60) / 1800;
}

/**
 * How far apart two sends to the movement's IBAN are kept; null for a movement without one:
 * transfers between wallets do not wait for each other.
 */
export function ibanCooldownOf({ kind, iban }: Pick<Movement, 'kind' | 'iban'>): number | null {
  return iban === '' ? null : capabilitiesOf(kind).ibanCooldownMs;
}

/** Whether the last request may still arrive and be accepted. */
export function mayStillArrive(
  { lastSendAt }: Pick<Movement, 'lastSendAt'>,
  now: number,
  { quietMs }: Policy,
): boolean {
  return lastSendAt !== null && now - lastSendAt < quietMs * ARRIVED_BY_RATIO;
}

function resendAt(movement: Movement, policy: Policy): number {
  return (movement.lastSendAt ?? 0) + policy.quietMs * (1 + REQUEST_TAIL_RATIO);
}

/**
 * The next check of a movement that was just checked; null when no check is due without a request.
 * `random` in [0, 1).
 */
export function nextLook(
  movement: Movement,
  now: number,
  policy: Policy,
  random: () => number,
): number | null {
  if (isSilent(movement)) return silentLook(movement, now);
  switch (movement.state) {
    case 'DRAFT':
    case 'CANCELLED':
    case 'EXPIRED':
    case 'FAILED':
      return null;
    case 'REJECTED':
      return refusedLook(movement, now, random);
    case 'AWAITING_APPROVAL':
      return movement.stateSince + APPROVAL_LIFE_MS + 1;
    case 'APPROVED':
      return approvedLook(movement, now);
    case 'SUBMITTING':
      return now + LEASE_MS;
    case 'UNKNOWN':
      return unknownLook(movement, now, policy, random);
    case 'PENDING':
      return Math.min(
        watchLook(movement, now, random),
        (movement.acceptedAt ?? movement.stateSince) + policy.manualAfterMs + 1,
      );
    case 'MANUAL_REVIEW':
      return watchLook(movement, now, random);
    case 'COMPLETED':
      return capabilitiesOf(movement.kind).keepsLedger ? completedLook(movement, now) : null;
  }
}

/**
 * The next check of a movement about which the provider cannot be queried: an unknown one is
 * checked once, when its age raises the alert.
 */
function silentLook(
  { state, alert, unclearSince, createdAt }: Movement,
  now: number,
): number | null {
  if (state !== 'UNKNOWN' || alert !== null) return null;
  return Math.max(now, (unclearSince ?? createdAt) + UNKNOWN_ALERT_MS + 1);
}

function approvedLook(movement: Movement, now: number): number | null {
  if (!mayLeave(movement)) return null;
  if (movement.alert === 'approvals_missing' || movement.alert === 'earlier_may_be_paid')
    return now + KEPT_BACK_MS;
  const opensAt = ibanOpensAt(movement);
  if (movement.ibanWaits > 0 && movement.lastSendAt !== null && opensAt > now) return opensAt;
  if (isReadBeforeSend(movement))
    return now + READ_BEFORE_SEND.find(({ until }) => now < opensAt + until)!.waitMs;
  if (movement.notSentTries === 0) return now;
  return (
    now +
    (NOT_SENT_BACKOFF_MS[Math.min(movement.notSentTries, NOT_SENT_BACKOFF_MS.length) - 1] ?? 0)
  );
}

function unknownLook(
  movement: Movement,
  now: number,
  policy: Policy,
  random: () => number,
): number {
  const read = watchLook(movement, now, random);
  if (movement.duplicateSeen || movement.notFoundReads < MIN_NOT_FOUND_READS) return read;
  const moments = [listedBy(movement, policy), resendAt(movement, policy) + 1].filter(
    (moment) => moment > now,
  );
  return Math.min(read, ...moments);
}

/**
 * The next check of a movement that the answer to its request refused: the provider's record is
 * read four times more. A refusal that the record itself shows needs no further check.
 */
function refusedLook(movement: Movement, now: number, random: () => number): number | null {
  const refused = movement.endedAt ?? movement.stateSince;
  if (!isRefusalCompared(movement) || now - refused > WATCH_END_MS) return null;
  const { listingLagMs } = capabilitiesOf(movement.kind);
  const offset = refusedOffsets(listingLagMs).find(
    (ms) => (movement.lastReadAt ?? 0) < refused + ms,
  );
  if (offset === undefined) return null;
  return refused + offset > now ? refused + offset : watchLook(movement, now, random);
}

/**
 * The times after a refusal at which the provider's record is checked, in milliseconds: soon, when
 * even the record of the latest copy has to be listed, and a day later, if it is listed too late.
 */
export function refusedOffsets(listingLagMs: number): number[] {
  const copiesEnd = Math.max(...REFUSED_OFFSETS_MS);
  return [...REFUSED_OFFSETS_MS, copiesEnd + listingLagMs, DAY];
}

function watchLook(movement: Movement, now: number, random: () => number): number {
  const since = movement.watchSince ?? movement.stateSince;
  const offset = WATCH_OFFSETS_MS.find((ms) => since + ms > now);
  if (offset !== undefined) return since + offset;
  const age = now - since;
  const base =
    age < WATCH_HOURLY_AFTER_MS ? WATCH_SLOW_MS : age < WATCH_END_MS ? HOUR : WATCH_LAST_MS;
  return now + base * (1 - JITTER + 2 * JITTER * random());
}

/**
 * The next check of a completed payment. Its ledger entry appears within minutes and names the
 * transaction. From then on the checks look for returns and for a second payment under our
 * reference, also after a return, because the bank may complete a second payment later. A reported
 * return is checked however old the payment is, until the ledger shows the return or its day is
 * over.
 */
function completedLook(movement: Movement, now: number): number | null {
  const reported = movement.returned === 'REPORTED';
  const waiting = reported || movement.ledgerSeenAt === null;
  const ended = movement.endedAt ?? movement.stateSince;
  if (!reported && now - ended > LEDGER_END_MS) return null;
  if (!waiting) return now + LEDGER_REST_MS;
  const since = movement.watchSince ?? ended;
  const offset = LEDGER_OFFSETS_MS.find((ms) => since + ms > now);
  if (offset !== undefined) return since + offset;
  const rest =
    now - since < DAY ? WATCH_SLOW_MS : now - since < WATCH_END_MS ? HOUR : LEDGER_REST_MS;
  return reported
    ? Math.min(now + rest, (movement.returnedAt ?? now) + RETURN_CONFIRM_MS + 1)
    : now + rest;
}

/**
 * The alert that a movement raises by age alone. Kept apart from evidence: no response is not a
 * source.
 */
export function alertByAge(movement: Movement, now: number): Movement['alert'] {
  if (movement.alert !== null) return movement.alert;
  if (
    movement.state === 'APPROVED' &&
    (movement.notSentTries >= NOT_SENT_ALERT || isReadLong(movement, now))
  )
    return 'provider_unreachable';
  if (
    movement.state === 'UNKNOWN' &&
    now - (movement.unclearSince ?? movement.createdAt) > UNKNOWN_ALERT_MS
  )
    return 'unknown_too_long';
  if (
    !isFinal(movement.state) &&
    movement.watchSince !== null &&
    now - movement.watchSince > WATCH_END_MS
  )
    return 'not_seen_for_a_week';
  return null;
}
