import type {
  LedgerLine,
  LedgerOutcome,
  ReadOutcome,
  SendOutcome,
} from '../../providers/outcome.ts';
import type { Evidence, Hint, Movement, State } from '../state.ts';

/** Movements and evidence for tests, which name only the fields that matter to them. Pure. */

export const T0 = Date.UTC(2026, 10, 21, 9, 0, 0);
export const EXT_ID = 'EXT0000000000000001';
export const IBAN = 'TR330006100519786457841326';
export const WALLET = '1000000001';
export const AMOUNT = 1_240_000n;
export const REQUEST_ID = '7000000000000000001';
export const TRANSACTION_ID = '9000000000000000001';

export function aMovement(given: Partial<Movement> = {}): Movement {
  return {
    kind: 'payout',
    state: 'APPROVED',
    returned: 'NONE',
    alert: null,
    extId: EXT_ID,
    amountMinor: AMOUNT,
    currency: 'TRY',
    wallet: WALLET,
    iban: IBAN,
    everAmbiguous: false,
    unclearSince: null,
    duplicateSeen: false,
    returnHinted: false,
    sends: 0,
    ibanWaits: 0,
    notSentTries: 0,
    notFoundReads: 0,
    lastSendAt: null,
    lastReadAt: null,
    watchSince: null,
    stateSince: T0,
    acceptedAt: null,
    endedAt: null,
    returnedAt: null,
    requestId: null,
    transactionId: null,
    feeMinor: null,
    reasonCode: null,
    reasonText: null,
    ledgerSeenAt: null,
    createdAt: T0,
    ...given,
  };
}

/** A movement in `state` after the shortest usual way to it. */
export function inState(state: State, given: Partial<Movement> = {}): Movement {
  const sent = { sends: 1, lastSendAt: T0 };
  const known = { ...sent, requestId: REQUEST_ID, acceptedAt: T0, watchSince: T0 };
  const usual: Record<State, Partial<Movement>> = {
    DRAFT: {},
    AWAITING_APPROVAL: {},
    APPROVED: {},
    SUBMITTING: sent,
    UNKNOWN: { ...sent, everAmbiguous: true, unclearSince: T0, watchSince: T0 },
    PENDING: known,
    MANUAL_REVIEW: known,
    COMPLETED: { ...known, endedAt: T0 },
    REJECTED: { ...sent, endedAt: T0, reasonCode: '311' },
    FAILED: { ...known, endedAt: T0, reasonCode: 'level_failed' },
    CANCELLED: { endedAt: T0 },
    EXPIRED: { endedAt: T0 },
  };
  return aMovement({ state, ...usual[state], ...given });
}

const raw = { raw: '{}', code: null, message: null };

export function answer(outcome: SendOutcome, late?: true): Evidence {
  return { source: 'answer', kind: 'answer', outcome, ...(late ? { late } : {}) };
}

export function read(outcome: ReadOutcome, late?: true): Evidence {
  return { source: 'read', kind: 'read', outcome, ...(late ? { late } : {}) };
}

export function ledger(outcome: LedgerOutcome): Evidence {
  return { source: 'ledger', kind: 'ledger', outcome };
}

export function notice(hint: Hint): Evidence {
  return { source: 'notice', kind: 'notice', hint };
}

export function accepted(requestId = REQUEST_ID): SendOutcome {
  return {
    ...raw,
    code: '100',
    kind: 'accepted',
    extId: EXT_ID,
    amountMinor: AMOUNT,
    feeMinor: 320n,
    requestId,
    transactionId: null,
  };
}

export function refused(code = '311'): SendOutcome {
  return { ...raw, kind: 'refused', code, message: 'no' };
}

export function found(
  level: 'pending' | 'completed' | 'rejected' | 'failed',
  more: { manual?: true } = {},
): Extract<ReadOutcome, { kind: 'found' }> {
  return {
    raw: '{}',
    kind: 'found',
    level,
    extId: EXT_ID,
    amountMinor: AMOUNT,
    currency: 'TRY',
    iban: IBAN,
    requestId: REQUEST_ID,
    reason: null,
    updatedAt: null,
    ...more,
  };
}

export function debit(given: Partial<LedgerLine> = {}): LedgerLine {
  return {
    transactionId: TRANSACTION_ID,
    statusId: 20,
    level: 'completed',
    typeId: 2002,
    amountMinor: AMOUNT,
    feeMinor: 320n,
    currency: 'TRY',
    extId: EXT_ID,
    refersTo: null,
    direction: 'out',
    fromWallet: WALLET,
    completedAt: null,
    ...given,
  };
}

export function credit(given: Partial<LedgerLine> = {}): LedgerLine {
  return debit({
    transactionId: '9000000000000000002',
    extId: null,
    refersTo: TRANSACTION_ID,
    direction: 'in',
    fromWallet: null,
    feeMinor: 0n,
    ...given,
  });
}

export function listed(...lines: LedgerLine[]): LedgerOutcome {
  return { raw: '{}', kind: 'listed', lines };
}

/** One piece of evidence of each kind, by name. */
export const EVIDENCE = {
  claimed: { source: 'worker', kind: 'claimed' },
  lease_expired: { source: 'worker', kind: 'lease_expired' },
  pending_too_long: { source: 'worker', kind: 'pending_too_long' },
  approval_expired: { source: 'worker', kind: 'approval_expired' },
  approvals_missing: { source: 'worker', kind: 'approvals_missing' },
  earlier_may_be_paid: { source: 'worker', kind: 'earlier_may_be_paid' },
  approvals_lapsed: { source: 'worker', kind: 'approvals_lapsed' },
  return_unconfirmed: { source: 'worker', kind: 'return_unconfirmed' },
  submitted: { source: 'person', kind: 'submitted' },
  approved: { source: 'person', kind: 'approved' },
  edited: { source: 'person', kind: 'edited' },
  cancelled: { source: 'person', kind: 'cancelled' },
  sent_back: { source: 'person', kind: 'sent_back' },
  resolved: { source: 'person', kind: 'resolved_not_sent' },
  people_done: { source: 'person', kind: 'resolved_done' },
  answer_accepted: answer(accepted()),
  answer_not_sent: answer({ ...raw, kind: 'not_sent', why: 'refused' }),
  answer_unauthorized: answer({ ...raw, kind: 'unauthorized' }),
  answer_same_iban: answer({ ...raw, kind: 'same_iban_wait', code: '326' }),
  answer_refused: answer(refused()),
  answer_duplicate: answer({ ...raw, kind: 'duplicate', code: '1' }),
  answer_record_exists: answer({ ...raw, kind: 'record_exists', code: '2' }),
  answer_unclear: answer({ ...raw, kind: 'unclear', why: 'timeout' }),
  answer_mismatch: answer({ ...raw, kind: 'unclear', why: 'mismatch' }),
  read_pending: read(found('pending')),
  read_manual: read(found('pending', { manual: true })),
  read_completed: read(found('completed')),
  read_rejected: read(found('rejected')),
  read_failed: read(found('failed')),
  read_not_found: read({ raw: '{}', kind: 'not_found' }),
  read_no_answer: read({ raw: null, kind: 'no_answer', why: 'timeout' }),
  read_mismatch: read({ raw: '{}', kind: 'no_answer', why: 'mismatch' }),
  ledger_debit: ledger(listed(debit())),
  ledger_credit: ledger(listed(debit(), credit())),
  ledger_other_credit: ledger(listed(debit(), credit({ amountMinor: AMOUNT - 1n }))),
  ledger_refunded: ledger(listed(debit({ statusId: 60, level: 'refunded' }))),
  ledger_not_listed: ledger({ raw: '{}', kind: 'not_listed' }),
  ledger_no_answer: ledger({ raw: null, kind: 'no_answer', why: 'timeout' }),
  notice_completed: notice('completed'),
  notice_rejected: notice('rejected'),
  notice_manual: notice('manual'),
  notice_returned: notice('refunded'),
  notice_unknown: notice('unknown'),
} as const satisfies Record<string, Evidence>;

export type EvidenceName = keyof typeof EVIDENCE;
export const EVIDENCE_NAMES = Object.keys(EVIDENCE) as EvidenceName[];

/** The same evidence from a worker whose lease has ended. */
export function late(name: EvidenceName): Evidence {
  const evidence: Evidence = EVIDENCE[name];
  return 'outcome' in evidence ? { ...evidence, late: true } : evidence;
}
