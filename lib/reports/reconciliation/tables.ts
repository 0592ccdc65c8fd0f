import type { State } from '#lib/movements/state.ts';
import { entryLevel } from '#lib/providers/wallet/entry-level.ts';
import type { EntryLevel } from '#lib/providers/outcome.ts';
import type { WithdrawalLevel } from '#lib/providers/wallet/types.ts';

/**
 * The permitted combinations of our state and the provider's, every pair listed. `behind`: the
 * provider's is ahead of ours, which our own polls should follow soon; only if they do not is it a
 * difference. Pure.
 */
export type Verdict = 'agree' | 'behind' | 'differs';

const NEVER_SENT = {
  pending: 'differs',
  completed: 'differs',
  rejected: 'differs',
  failed: 'differs',
  unknown: 'differs',
} as const;
const UNDER_WAY = {
  pending: 'agree',
  completed: 'behind',
  rejected: 'behind',
  failed: 'behind',
  unknown: 'differs',
} as const;
const NOT_PAID = {
  pending: 'differs',
  completed: 'differs',
  rejected: 'agree',
  failed: 'agree',
  unknown: 'differs',
} as const;
const NOT_KNOWN = {
  pending: 'behind',
  completed: 'behind',
  rejected: 'behind',
  failed: 'behind',
  unknown: 'behind',
} as const;

/** Our state against `process_level_status` of the withdraw request. */
export const BY_LEVEL: Readonly<Record<State, Readonly<Record<WithdrawalLevel, Verdict>>>> = {
  DRAFT: NEVER_SENT,
  AWAITING_APPROVAL: NEVER_SENT,
  APPROVED: NEVER_SENT,
  CANCELLED: NEVER_SENT,
  EXPIRED: NEVER_SENT,
  SUBMITTING: NOT_KNOWN,
  UNKNOWN: NOT_KNOWN,
  PENDING: UNDER_WAY,
  MANUAL_REVIEW: UNDER_WAY,
  COMPLETED: {
    pending: 'differs',
    completed: 'agree',
    rejected: 'differs',
    failed: 'differs',
    unknown: 'differs',
  },
  REJECTED: NOT_PAID,
  FAILED: NOT_PAID,
};

/** The level of a stored ledger entry, from the provider's number of its status. */
export function lineStatus(id: number): EntryLevel {
  return entryLevel(id);
}

const LINE_NEVER_SENT = {
  pending: 'differs',
  completed: 'differs',
  cancelled: 'differs',
  refunded: 'differs',
  other: 'differs',
} as const;
const LINE_UNDER_WAY = {
  pending: 'agree',
  completed: 'behind',
  cancelled: 'behind',
  refunded: 'behind',
  other: 'differs',
} as const;
const LINE_NOT_PAID = {
  pending: 'differs',
  completed: 'differs',
  cancelled: 'agree',
  refunded: 'agree',
  other: 'differs',
} as const;
const LINE_NOT_KNOWN = {
  pending: 'behind',
  completed: 'behind',
  cancelled: 'behind',
  refunded: 'behind',
  other: 'behind',
} as const;

/**
 * Our state against the status of the ledger entry. Whether a return was seen is judged separately.
 */
export const BY_LINE: Readonly<Record<State, Readonly<Record<EntryLevel, Verdict>>>> = {
  DRAFT: LINE_NEVER_SENT,
  AWAITING_APPROVAL: LINE_NEVER_SENT,
  APPROVED: LINE_NEVER_SENT,
  CANCELLED: LINE_NEVER_SENT,
  EXPIRED: LINE_NEVER_SENT,
  SUBMITTING: LINE_NOT_KNOWN,
  UNKNOWN: LINE_NOT_KNOWN,
  PENDING: LINE_UNDER_WAY,
  MANUAL_REVIEW: LINE_UNDER_WAY,
  COMPLETED: {
    pending: 'behind',
    completed: 'agree',
    cancelled: 'differs',
    refunded: 'agree',
    other: 'differs',
  },
  REJECTED: LINE_NOT_PAID,
  FAILED: LINE_NOT_PAID,
};
