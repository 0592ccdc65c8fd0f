import { queueAfter } from '#lib/movements/claim-rules.ts';
import { LISTING_LAG_MS } from '#lib/movements/kinds.ts';
import { listedByRatio } from '#lib/movements/schedule.ts';
import type { Policy } from '#lib/movements/schedule.ts';
import type { Evidence } from '#lib/movements/state.ts';
import { changedVisibly, applyEvidence } from '#lib/movements/apply-evidence.ts';
import { judgeLine } from '#lib/send-control/recovery/compare-journal.ts';
import { endRefusal } from '#lib/send-control/recovery/rules.ts';
import { mayConfirm } from '#lib/begin-check/held.ts';
import { bodyOf, record } from './claim.ts';
import { No } from './desk.ts';
import { heldOf } from './recovery-table.ts';
import type { FoundRecord } from './recovery-table.ts';
import type { Level } from './provider.ts';
import type { Row, Tx } from './store.ts';

/**
 * The transactions of a recovery, as lib/send-control/recovery and lib/send-control carry them out
 * in SQL: the rows are compared with the provider's list and with our own send journal, and people
 * confirm "send it" row by row.
 */

/**
 * An entry of our own send journal: it names one send that may have left. `attempt`: its number,
 * from 1.
 */
export type SendLine = { extId: string; attempt: number; payee: string; amountMinor: bigint };
/** One payment in the provider's list. `reference`: the provider's own number. */
export type Listed = {
  extId: string;
  reference: string;
  level: Level;
  amountMinor: bigint;
  payee: string;
  isTransfer: boolean;
};
export type Means = { policy: Policy; random: () => number };

const NOT_SENT: readonly string[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'CANCELLED',
  'EXPIRED',
  'REJECTED',
  'FAILED',
];

/**
 * Does what lib/send-control/recovery/begin.ts does: the recovery begins later than every existing
 * row was created, whatever the clock shows.
 */
export function beginRecovery(tx: Tx, { quietMs }: Policy): void {
  if (tx.recovery.phase !== 'unseen') return;
  const beganAt = Math.max(tx.now, ...tx.rows().map((row) => row.createdAt + 2));
  tx.setRecovery({
    ...tx.recovery,
    phase: 'open',
    beganAt,
    listedBy: tx.now + quietMs * listedByRatio(LISTING_LAG_MS),
  });
}

/** Does what lib/send-control/recovery/match.ts does. */
export function matchRecord(tx: Tx, means: Means, listed: Listed): void {
  const row = rowOf(tx, listed.extId);
  if (row === undefined) return keep(tx, 'foreign', { ...listed, source: 'provider' });
  const before = row.state === 'APPROVED' ? recall(tx, means, row) : row;
  const { level, extId, amountMinor, payee, isTransfer, reference } = listed;
  const outcome = {
    kind: 'found',
    level,
    extId,
    amountMinor,
    currency: 'TRY',
    iban: isTransfer ? null : payee,
    requestId: reference,
    reason: null,
    updatedAt: null,
    raw: null,
  } as const;
  const read: Evidence = { source: 'read', kind: 'read', outcome, late: true };
  if (!changedVisibly(before, applyEvidence(before, read, tx.now))) return;
  const after = write(tx, means, before, read);
  if (after.alert === 'contradiction' || after.alert === 'mismatch')
    keep(tx, 'contradiction', { ...listed, source: 'provider' });
}

/** Does what lib/send-control/recovery/match-journal.ts does. */
export function matchLine(tx: Tx, means: Means, line: SendLine): void {
  const row = rowOf(tx, line.extId);
  const entry =
    row === undefined
      ? null
      : {
          sends: row.sends,
          isWaiting: row.state === 'APPROVED',
          saysNotSent: NOT_SENT.includes(row.state),
        };
  const finding = judgeLine(line.attempt, entry);
  switch (finding) {
    case 'matched':
      return;
    case 'recall':
      recall(tx, means, row!);
      return;
    case 'lost':
    case 'contradiction':
      keep(tx, finding === 'lost' ? 'foreign' : 'contradiction', {
        ...line,
        source: 'journal',
        level: 'unknown',
      });
  }
}

/**
 * Stores that the lists and the journal were read, and what the journal held. An accepted send
 * without a journal entry proves that the journal is another one, or damaged.
 */
export function noteReading(tx: Tx, lines: readonly SendLine[]): void {
  const named = new Set(lines.map(({ extId }) => extId));
  const missing = tx
    .rows()
    .filter((row) => row.acceptedAt !== null && !named.has(row.extId)).length;
  tx.setRecovery({
    ...tx.recovery,
    scannedAt: tx.now,
    journal: { files: lines.length === 0 ? 0 : 1, lines: lines.length, unreadable: 0, missing },
  });
}

/** A person has acknowledged every record that the rows did not hold. */
export function acknowledge(tx: Tx): void {
  tx.setRecovery({
    ...tx.recovery,
    found: tx.recovery.found.map((one) => ({ ...one, seen: true })),
  });
}

/** Does what lib/send-control/confirm-send.ts does. Throws `No`. */
export function confirmSend(tx: Tx, id: string, personId: string): void {
  const row = tx.row(id);
  if (row === null || row.state !== 'APPROVED' || heldOf(tx.recovery, row, tx.now) === null)
    throw new No('send_not_held');
  if (!mayConfirm({ needsOther: false, makerId: row.makerId }, personId))
    throw new No('second_person_needed');
  tx.setRecovery({
    ...tx.recovery,
    confirmed: new Map(tx.recovery.confirmed).set(
      id,
      Math.max(tx.now, (tx.recovery.beganAt ?? 0) + 2),
    ),
  });
  tx.update(id, { nextAt: tx.now });
}

/** Does what lib/send-control/recovery/ready.ts does. Throws `No`. */
export function endRecovery(tx: Tx): void {
  const { listedBy, scannedAt, found } = tx.recovery;
  const unseen = found.filter(({ seen }) => !seen).length;
  const refusal = endRefusal({
    scannedAt,
    listedBy: listedBy ?? 0,
    problem: null,
    now: tx.now,
    unseen,
  });
  if (refusal !== null) throw new No(refusal);
  tx.setRecovery({ ...tx.recovery, phase: 'ended' });
}

/**
 * Does what lib/send-control/recovery/recall.ts does: a send that the rows do not hold is stored as
 * one without a response.
 */
function recall(tx: Tx, means: Means, row: Row): Row {
  tx.attempt(row.id, row.sends + 1, bodyOf(row));
  return write(tx, means, write(tx, means, row, { source: 'worker', kind: 'claimed' }), {
    source: 'worker',
    kind: 'lease_expired',
  });
}

function write(tx: Tx, { policy, random }: Means, before: Row, evidence: Evidence): Row {
  return record(tx, before, evidence, (after) =>
    queueAfter(before, evidence, { ...before, ...after }, tx.now, policy, random),
  );
}

function rowOf(tx: Tx, extId: string): Row | undefined {
  return tx.rows().find((row) => row.extId === extId);
}

/**
 * Stores one finding per reference: the provider's record replaces our journal entry, which holds
 * less.
 */
function keep(
  tx: Tx,
  finding: FoundRecord['finding'],
  {
    extId,
    payee,
    amountMinor,
    level,
    source,
  }: Pick<FoundRecord, 'extId' | 'payee' | 'amountMinor' | 'level' | 'source'>,
): void {
  const { found } = tx.recovery;
  const earlier = found.find((one) => one.extId === extId);
  if (earlier !== undefined && source === 'journal') return;
  const one: FoundRecord = {
    source,
    finding,
    extId,
    payee,
    amountMinor,
    level,
    at: earlier?.at ?? tx.now,
    seen: earlier?.seen ?? false,
  };
  tx.setRecovery({
    ...tx.recovery,
    found: [...found.filter((other) => other.extId !== extId), one],
  });
}
