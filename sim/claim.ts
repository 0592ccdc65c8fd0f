import type { Begun } from '#lib/begin-check/begin-check.ts';
import {
  besideRequest,
  decide,
  gateOpensAt,
  gatePassesSince,
  underLease,
  leased,
  mayTake,
  opensGate,
  queueAfter,
} from '#lib/movements/claim-rules.ts';
import { contentText } from '#lib/movements/content-text.ts';
import { lookSays } from '#lib/movements/closable.ts';
import type { ProviderResponse, Queue } from '#lib/movements/claim-rules.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { ibanCooldownOf } from '#lib/movements/schedule.ts';
import type { Policy } from '#lib/movements/schedule.ts';
import type { Evidence, Movement } from '#lib/movements/state.ts';
import { changedVisibly, applyEvidence } from '#lib/movements/apply-evidence.ts';
import { isRestored } from '#lib/begin-check/held.ts';
import { payoutBody } from '#lib/providers/wallet/payout-body.ts';
import { transferBody } from '#lib/providers/wallet/transfer-body.ts';
import { TRANSFER_KIND, transferContent } from '#lib/transfers/questions.ts';
import { isBatchHeld } from './batch-hold.ts';
import { familyOf } from './family.ts';
import { heldOf, isSendingOff } from './recovery-table.ts';
import type { Row, Tx } from './store.ts';

/**
 * The worker's transactions: they apply the product's rules to the rows of a world, as
 * lib/movements/claim.ts does in SQL.
 */

export type Claim =
  | { kind: 'nothing_due' }
  | { kind: 'settled' }
  | { kind: 'send' | 'read' | 'ledger'; row: Row; token: string };

/** `journal` appends the entry of a send to the journal outside the database. */
export type Rules = {
  policy: Policy;
  random: () => number;
  newToken: () => string;
  bodyOf: (row: MovementRow) => string;
  journal?: (row: Row) => void;
};

export function bodyOf(row: MovementRow): string {
  return isTransfer(row.kind)
    ? transferBody(TRANSFER_KIND[row.kind], transferContent(row))
    : payoutBody(row);
}

/** The same content as a later version of this program writes it. */
export function newerBodyOf(row: MovementRow): string {
  return `${bodyOf(row)}\n`;
}

/** IS_FAMILY_CONTRADICTED_M of lib/movements/family-hold.ts. */
function mayEarlierBePaid(tx: Tx, { id, retryOf }: Row): boolean {
  if (retryOf === null) return false;
  return familyOf(tx.rows(), id).some((one) => one.id !== id && one.alert === 'contradiction');
}

/**
 * Claims the row that is due first. `isConfirmed`: whether a row that is older than a recovery may
 * be sent; absent where no database is restored.
 */
export function claimDue(
  tx: Tx,
  rules: Rules,
  isConfirmed: (row: Row) => boolean = () => true,
): Claim {
  const free = tx
    .rows()
    .filter((row) => mayTake(row, tx.now))
    .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0));
  const [row] = free;
  if (row === undefined) return { kind: 'nothing_due' };
  const switchedOff = tx.switchedOff || isSendingOff(tx.recovery) || isBatchHeld(tx, row);
  const due = {
    movement: row,
    now: tx.now,
    switchedOff,
    earlierMayBePaid: mayEarlierBePaid(tx, row),
    confirmed: isConfirmed(row) && heldOf(tx.recovery, row, tx.now) === null,
    restored: isRestored({ createdAt: row.createdAt, recoveryBeganAt: tx.recovery.beganAt }),
    approvals: tx.approvals(row.id),
    requirements: tx.requirements(row.id),
    intact: contentText(row.kind, row) === row.contentHash,
    bodies: tx.attempts(row.id),
  };
  const decision = decide(due, rules.bodyOf, rules.policy, rules.random);
  switch (decision.kind) {
    case 'send':
      return claimSend(tx, rules, row);
    case 'read':
    case 'ledger': {
      const token = rules.newToken();
      return { kind: decision.kind, row: hold(tx, row, leased(token, tx.now)), token };
    }
    case 'put_off':
      tx.update(row.id, { nextAt: decision.until });
      return { kind: 'settled' };
    case 'note':
      recordByWorker(tx, rules, row, decision.evidence);
      return { kind: 'settled' };
  }
}

function claimSend(tx: Tx, rules: Rules, row: Row): Claim {
  const cooldownMs = ibanCooldownOf(row);
  const last = cooldownMs === null ? null : tx.gate(row.iban);
  if (cooldownMs !== null && last !== null && last > gatePassesSince(tx.now, cooldownMs)) {
    tx.update(row.id, { nextAt: gateOpensAt(last, cooldownMs) });
    return { kind: 'settled' };
  }
  if (cooldownMs !== null) tx.setGate(row.iban, tx.now);
  const token = rules.newToken();
  tx.attempt(row.id, row.sends + 1, rules.bodyOf(row));
  return {
    kind: 'send',
    row: record(tx, row, { source: 'worker', kind: 'claimed' }, () => leased(token, tx.now)),
    token,
  };
}

function hold(tx: Tx, row: Row, { nextAt, lease }: Queue): Row {
  return tx.update(row.id, {
    nextAt,
    leaseUntil: lease?.until ?? null,
    leaseToken: lease?.token ?? null,
  });
}

/**
 * The facts that lib/movements/begin.ts reads before it writes the journal entry. The account
 * binding is not played for these kinds.
 */
export function beginFacts(tx: Tx, { row, token }: { row: Row; token: string }): Begun {
  const now = tx.row(row.id);
  const isOwn =
    now?.state === 'SUBMITTING' && now.leaseToken === token && (now.leaseUntil ?? 0) > tx.now;
  const { phase } = tx.recovery;
  const confirmed = heldOf(tx.recovery, row, tx.now) === null;
  return {
    row: isOwn ? 'own' : 'changed',
    stopped:
      tx.switchedOff || phase === 'open' || isBatchHeld(tx, row) || mayEarlierBePaid(tx, row),
    checkpoint: phase === 'unseen' ? 'missing' : 'present',
    account: 'bound',
    confirmed,
    journal: 'written',
  };
}

export function recordResponse(
  tx: Tx,
  rules: Rules,
  claim: { row: Row; token: string },
  evidence: ProviderResponse,
): Row {
  const row = tx.row(claim.row.id);
  if (row === null) throw new Error('a claimed movement has disappeared');
  const restored = isRestored({ createdAt: row.createdAt, recoveryBeganAt: tx.recovery.beganAt });
  const response = besideRequest(
    { lastSendAt: row.lastSendAt, restored },
    underLease(row, claim.token, evidence, tx.now),
    tx.now,
    rules.policy,
  );
  if (response.kind === 'read' && response.late !== true)
    tx.setLook(row.id, { says: lookSays(row.kind, response.outcome), at: tx.now });
  if (opensGate(response) && tx.gate(row.iban) === row.lastSendAt) tx.setGate(row.iban, 0);
  return recordByWorker(tx, rules, row, response);
}

function recordByWorker(tx: Tx, rules: Rules, row: Row, evidence: Evidence): Row {
  return record(tx, row, evidence, (after) =>
    queueAfter(row, evidence, after, tx.now, rules.policy, rules.random),
  );
}

/**
 * Records one piece of evidence: the row after it, and an audit entry when something visible
 * changed. `verb`: the product's verb by which a person gives the evidence.
 */
export function record(
  tx: Tx,
  before: Row,
  evidence: Evidence,
  queueOf: (after: Movement) => Queue,
  verb: string | null = null,
): Row {
  if (evidence.source === 'person')
    tx.played.push({ extId: before.extId, verb, kind: evidence.kind });
  const after = applyEvidence(before, evidence, tx.now);
  const { nextAt, lease } = queueOf(after);
  if (changedVisibly(before, after)) tx.audit(before.id);
  return tx.update(before.id, {
    ...after,
    nextAt,
    leaseUntil: lease?.until ?? null,
    leaseToken: lease?.token ?? null,
  });
}
