import { chargeKey, nextCharge } from './plan.ts';
import type { KnownCharge, KnownPlan } from './plan.ts';

/**
 * The rules of a charge that a person asks for. Pure; times in milliseconds.
 *
 * "Process" takes money from a card, names no amount and has no key against doing it twice: it
 * leaves once, after a look at the plan, and only the plan's record says what came of it. A record
 * that lists a new charge ends it at once. That none is listed proves nothing, however long it
 * lasts: it stays unknown until the record lists the charge as taken or declined, or until two
 * people say how it ended.
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
 * Why nothing was taken. The first nine: nothing left. `called_off_unproven`: it does not leave any
 * more, and may have left before a restore. `declined`: the record lists it as failed.
 * `not_in_record`: of older rows; absence ends none any more. `people_said`: two people ended it.
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
/** A press is meant for now: what could not be sent by then is not sent. */
export const QUEUE_LIFE_MS = 2 * MINUTE;
/**
 * Around the moment at which the gateway charges by itself nobody could tell the two charges from
 * one another.
 */
const DUE_BEFORE_MS = 10 * MINUTE;
const DUE_AFTER_MS = 2 * MINUTE;
/**
 * 30 s for the answer and 180 s in which a request may still arrive, against 30 min of quiet; a
 * rehearsal shortens both alike.
 */
const TAIL_RATIO = (30 + 180) / 1800;
const READS_MIN = 3;

/** What the person saw when asking. */
export type Asked = { number: number | null; amountMinor: bigint; currency: string };

/** What the look just before sending says against it; null when the charge may leave. */
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
 * What the plan's record says of a charge that left; null while it does not settle it. `reads`:
 * records read since, this one included. `unlisted`: earlier charges of the plan that were not
 * taken and whose declined rows a late record may list only now.
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
  // The gateway said that it was carried out: only its record may say what, and nothing here denies
  // it.
  if (charge.state === 'APPROVED') return null;
  const quiet = now - charge.sentAt > quietMs * (1 + TAIL_RATIO) && charge.reads >= READS_MIN;
  if (!quiet) return null;
  return newCharges(charge.before, charges, 'failed').length > charge.unlisted
    ? { state: 'NOT_CHARGED', reason: 'declined' }
    : null;
}

/**
 * Whether the record took another amount than the charge was pressed for: taken it is, and a person
 * has to look into it.
 */
export function isOtherAmount(askedMinor: bigint, taken: KnownCharge): boolean {
  return BigInt(taken.amountMinor) !== askedMinor;
}

/**
 * A charge of the record that contradicts one which was called "not taken" after it left: completed
 * since, explained by none that was taken here (`explained`: their keys), and too early to be the
 * gateway's own. Null when there is none.
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

/** The gateway charges what the earlier record planned, from the planned moment on. */
function isDueByItself(charge: KnownCharge, before: KnownCharge[], now: number): boolean {
  const planned =
    before.find((one) => one.status === 'pending' && chargeKey(one) === chargeKey(charge))?.at ??
    null;
  return planned !== null && now >= Date.parse(planned) - DUE_BEFORE_MS;
}

/** What the record lists with this status and the earlier one did not, in the plan's order. */
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
