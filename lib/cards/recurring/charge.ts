import { chargeKey, nextCharge } from './plan.ts';
import type { KnownCharge, KnownPlan } from './plan.ts';

/**
 * The rules of a charge that a person requests. Pure; times in milliseconds.
 *
 * "Process" takes money from a card, names no amount and has no idempotency key. So it is sent
 * once, after a check of the plan, and only the plan's record decides the outcome. A record that
 * lists a new charge ends it at once. A record that lists none proves nothing, however long it
 * lasts: the charge stays unknown until the record lists it as taken or declined, or until two
 * people close it.
 */

export const CHARGE_STATES = [
  'QUEUED',
  'SENDING',
  'APPROVED',
  'UNKNOWN',
  'CHARGED',
  'NOT_CHARGED',
] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];
export const OPEN_STATES: readonly ChargeState[] = ['QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN'];

/**
 * Why a charge ended as not charged. With the first nine reasons no request was sent. `declined`:
 * the plan's record lists the charge as failed. `not_in_record`: only in older rows; absence from
 * the record no longer ends a charge. `called_off_unproven`: a person cancelled the charge after a
 * restore, and it may have been sent before. `people_said`: two people closed the charge.
 */
export const NOT_CHARGED_REASONS = [
  'waited_too_long',
  'stopped',
  'plan_unread',
  'not_active',
  'plan_changed',
  'due_by_itself',
  'no_merchant',
  'not_sent',
  'not_journaled',
  'refused',
  'declined',
  'not_in_record',
  'cancelled',
  'called_off_unproven',
  'people_said',
] as const;
export type NotChargedReason = (typeof NOT_CHARGED_REASONS)[number];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * A charge that the gateway carried out is on the plan's record within this time (assumed: no
 * source names a limit). Until then an earlier charge may be listed late and be mistaken for a
 * later one.
 */
export const LISTED_WITHIN_MS = 7 * DAY;
/**
 * How long a requested charge may wait to be sent: the person who clicked wants it now, so a charge
 * that could not be sent within this time is not sent.
 */
export const QUEUE_LIFE_MS = 2 * MINUTE;
/**
 * No charge is sent within this time before the gateway's own next charge, because the record could
 * not tell the two charges apart. While the record still plans a charge whose time has passed, the
 * gateway may charge the card late, or may list a finished charge late: within 12 hours (assumed:
 * no source names a time).
 */
const DUE_BEFORE_MS = 10 * MINUTE;
const DUE_AFTER_MS = 12 * 60 * MINUTE;
/**
 * The time in which a request may still arrive (30 s for the response and 180 s after it), as a
 * part of 30 min of quiet time, so that a rehearsal scales both.
 */
const TAIL_RATIO = (30 + 180) / 1800;
const READS_MIN = 3;

/** The next charge as the person saw it. */
export type Asked = { number: number | null; amountMinor: bigint; currency: string };

/**
 * Until when a charge that people said was taken, and that no record lists yet, stops the next
 * charge of its plan; null when it does not. Its late row would be mistaken for the next charge's,
 * and a page that does not know it offers the same charge again.
 */
export function awaitedUntil(
  charge: { state: ChargeState; isListed: boolean; sentAt: number | null },
  now: number,
): number | null {
  if (charge.state !== 'CHARGED' || charge.isListed || charge.sentAt === null) return null;
  const until = charge.sentAt + LISTED_WITHIN_MS;
  return now < until ? until : null;
}

/** Why the check just before the send forbids the charge; null when it may be sent. */
export function objection(asked: Asked, plan: KnownPlan, now: number): NotChargedReason | null {
  const next = nextCharge(plan);
  if (next === null) return 'not_active';
  if (
    next.amountMinor !== asked.amountMinor ||
    next.number !== asked.number ||
    plan.currency !== asked.currency
  )
    return 'plan_changed';
  const dueIn = plan.nextChargeAt === null ? Infinity : plan.nextChargeAt - now;
  return dueIn < DUE_BEFORE_MS && dueIn > -DUE_AFTER_MS ? 'due_by_itself' : null;
}

export type Verdict =
  | { state: 'CHARGED'; taken: KnownCharge }
  | { state: 'NOT_CHARGED'; reason: 'declined' };

/**
 * What the plan's record says about a sent charge; null while it does not decide it. `reads`:
 * records read since the send, this one included. `unlisted`: earlier charges of the plan that
 * failed and whose declined rows a late record may list only now. A charge that people said was
 * taken (CHARGED) only waits for its row.
 */
export function verdict(
  charge: {
    state: ChargeState;
    sentAt: number;
    before: KnownCharge[];
    reads: number;
    unlisted: number;
  },
  charges: KnownCharge[],
  now: number,
  quietMs: number,
): Verdict | null {
  const [taken] = newCharges(charge.before, charges, 'completed');
  if (taken !== undefined) return { state: 'CHARGED', taken };
  // Success was reported, by the gateway (APPROVED) or by two people (CHARGED): a record without
  // the charge does not deny it, and a later one may list the charge.
  if (charge.state !== 'UNKNOWN') return null;
  const quiet = now - charge.sentAt > quietMs * (1 + TAIL_RATIO) && charge.reads >= READS_MIN;
  // A declined row may be that of the gateway's own charge, which is due by now.
  if (!quiet || mayChargeByItself(charge.before, now)) return null;
  return newCharges(charge.before, charges, 'failed').length > charge.unlisted
    ? { state: 'NOT_CHARGED', reason: 'declined' }
    : null;
}

/**
 * Whether the record lists the charge with another amount than requested: the charge still counts
 * as taken, and a person has to check the amount.
 */
export function isOtherAmount(askedMinor: bigint, taken: KnownCharge): boolean {
  return BigInt(taken.amountMinor) !== askedMinor;
}

/**
 * A charge of the record that contradicts a request which was sent and ended as not charged:
 * completed since that request, not one of the charges made here (`explained`: their keys), and too
 * early for the gateway's own charge. Null when there is none.
 */
export function contradiction(
  before: KnownCharge[],
  explained: ReadonlySet<string>,
  charges: KnownCharge[],
  now: number,
): KnownCharge | null {
  const found = newCharges(before, charges, 'completed').find(
    (one) => !explained.has(chargeKey(one)) && !isDueByItself(one, before, now),
  );
  return found ?? null;
}

/**
 * A second charge of the record that one request may have caused, beside the charge that the record
 * lists for it: completed since, explained by no charge made here, and within `quietMs` of the
 * request. Null when there is none. A charge without a time in the record is compared only that
 * long after the request.
 */
export function secondCharge(
  { sentAt, before }: { sentAt: number; before: KnownCharge[] },
  explained: ReadonlySet<string>,
  charges: KnownCharge[],
  { now, quietMs }: { now: number; quietMs: number },
): KnownCharge | null {
  const isOfRequest = ({ at }: KnownCharge): boolean =>
    Math.abs((at === null ? now : Date.parse(at)) - sentAt) <= quietMs;
  return (
    newCharges(before, charges, 'completed').find(
      (one) => !explained.has(chargeKey(one)) && isOfRequest(one),
    ) ?? null
  );
}

/** Whether the gateway's own next charge was due by now; true where the record planned none. */
function mayChargeByItself(before: KnownCharge[], now: number): boolean {
  const planned = before.filter((one) => one.status === 'pending');
  return (
    planned.length === 0 ||
    planned.some(({ at }) => at === null || now >= Date.parse(at) - DUE_BEFORE_MS)
  );
}

/**
 * Whether the gateway itself charges this one by now: the earlier record planned it, and its
 * planned moment has come.
 */
function isDueByItself(charge: KnownCharge, before: KnownCharge[], now: number): boolean {
  const planned =
    before.find((one) => one.status === 'pending' && chargeKey(one) === chargeKey(charge))?.at ??
    null;
  return planned !== null && now >= Date.parse(planned) - DUE_BEFORE_MS;
}

/**
 * Charges that the record lists with this status and the earlier one did not, in the plan's order.
 */
function newCharges(
  before: KnownCharge[],
  charges: KnownCharge[],
  status: KnownCharge['status'],
): KnownCharge[] {
  const known = new Set(before.filter((one) => one.status === status).map(chargeKey));
  return charges
    .filter((one) => one.status === status && !known.has(chargeKey(one)))
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
}
