import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import {
  expeditedTo,
  HINT_GUARD_MS,
  isAskedJustNow,
  isHeld,
  lookAfterEnd,
} from '#lib/movements/claim-rules.ts';
import { contentText } from '#lib/movements/content-text.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { approvalsToStore, requirementOf } from '#lib/movements/requirement.ts';
import { mayBeCancelled, SAYS_UNPAID } from '#lib/movements/state.ts';
import { isFreshlyRead, payAgainRefusal } from '#lib/movements/pay-again.ts';
import { locksSibling } from '#lib/payment-checks/history.ts';
import { blocking, checkPayout, needsReason } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import type { checkTransfer } from '#lib/transfers/rules.ts';
import { decodeWebhook } from '#lib/providers/wallet/webhooks.ts';
import { record } from './claim.ts';
import { familyOf } from './family.ts';
import { judgeTransfer } from './judge-transfer.ts';
import { foreignOf, isNamed, listedSince, mayHaveLeft } from './recovery-table.ts';
import type { Row, Tx } from './store.ts';
import { verdictNow } from './verdict.ts';
import type { PersonEvidence } from './verbs.ts';

/** The web's transactions: what people and webhooks do, by the product's own rules. */

const FACTS_MAX = 200;

/** The refusal of a rule: an expected answer, not a fault. */
export class No extends Error {
  readonly findings: readonly { code: string; level: string }[];
  constructor(code: string, findings: readonly { code: string; level: string }[] = []) {
    super(code);
    this.name = 'No';
    this.findings = findings;
  }
}

export type Form = {
  id: string;
  extId: string;
  kind: KindName;
  need: number;
  maker: string;
  content: MovementContent;
  approvalsNeeded: number;
  retryOf: string | null;
  /** Codes of the findings that a person ticked. */
  overrides: string[];
  /** Rows of the same file, which the maker has seen beside each other. */
  besides?: ReadonlySet<string>;
  /** Whom the number of a row that pays a person leads to; absent for every other form. */
  person?: PersonFound | undefined;
  /** The fewest approvals, whatever the policy asks of it alone: those of its file. */
  leastApprovals?: number;
};

/**
 * Does what lib/payouts/submit.ts does: stores one intent, however often the browser repeats the
 * form. Returns the id of its row.
 */
export function submit(tx: Tx, form: Form): string {
  const content = contentOf(form);
  const hash = contentText(form.kind, content);
  const earlier = tx.row(form.id);
  if (earlier !== null) {
    if (earlier.contentHash !== hash) throw new No('same_id_other_content');
    return earlier.id;
  }
  const findings = judge(tx, form);
  if (blocking<{ level: Finding['level'] }>(findings).length > 0) throw new No('blocked', findings);
  if (needsReason<string>(findings, form.overrides).length > 0)
    throw new No('needs_reason', findings);
  if (form.retryOf !== null) mayBePaidAgain(tx, form.retryOf);
  const draft = draftOf({ ...form, content }, hash, tx.now);
  const verdict =
    tx.governance === null ? null : verdictNow(tx, tx.governance, { ...draft, createdAt: null });
  const approvalsNeeded =
    verdict === null ? draft.approvalsNeeded : approvalsToStore(verdict, form.leastApprovals);
  tx.insert({ ...draft, approvalsNeeded });
  const requirement = verdict && requirementOf(verdict, hash);
  if (requirement !== null) tx.require(form.id, requirement);
  tx.audit(form.id);
  const waiting = says(tx, tx.row(form.id)!, 'storeIntent', 'submitted', {
    nextAt: tx.now + APPROVAL_LIFE_MS + 1,
  });
  approveWhenCovered(tx, waiting, 'storeIntent');
  return form.id;
}

/** The payee of a row that pays a person is whom its number leads to, as lib/transfers/judge.ts does. */
function contentOf({ content, person }: Form): MovementContent {
  return person?.kind === 'found'
    ? { ...content, toWallet: person.wallet, foundName: person.name }
    : content;
}

function draftOf(
  { id, extId, kind, need, maker, content, approvalsNeeded, retryOf, overrides }: Form,
  contentHash: string,
  now: number,
): Row {
  return {
    id,
    need,
    retryOf,
    overrides,
    kind,
    extId,
    ...content,
    card: null,
    phone: null,
    contentHash,
    approvalsNeeded,
    makerId: maker,
    makerIp: null,
    state: 'DRAFT',
    returned: 'NONE',
    alert: null,
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
    stateSince: now,
    acceptedAt: null,
    endedAt: null,
    returnedAt: null,
    requestId: null,
    transactionId: null,
    feeMinor: null,
    reasonCode: null,
    reasonText: null,
    ledgerSeenAt: null,
    createdAt: now,
    nextAt: null,
    lastHintAt: null,
    leaseToken: null,
    leaseUntil: null,
  };
}

/**
 * Does what lib/approvals/rejudge.ts does: what speaks by now against a payment that waits, by the
 * rules of its form; null when nothing does.
 */
export function objectionTo(tx: Tx, row: Row): string | null {
  const { overrides = [], makerId: maker, ...stored } = row;
  const file = tx.batches().find(({ rows }) => rows.some(({ id }) => id === row.id));
  const besides = new Set(file?.rows.map(({ id }) => id));
  const form = { ...stored, kind: row.kind as KindName, maker, content: row, besides };
  const findings = judge(tx, { ...form, overrides: [...overrides] });
  const [first] = blocking<{ level: Finding['level']; code: string }>(findings);
  return first?.code ?? needsReason<string>(findings, [...overrides])[0] ?? null;
}

/** What the rules say of a row of a file that is not submitted yet. */
export function objectionsTo(
  tx: Tx,
  row: Pick<Form, 'id' | 'kind' | 'content' | 'besides' | 'person'>,
): { code: string; level: string }[] {
  return judge(tx, {
    ...{ ...row, extId: '', need: 0, maker: '' },
    ...{ approvalsNeeded: 0, retryOf: null, overrides: [] },
  });
}

function judge(tx: Tx, form: Form): ReturnType<typeof checkTransfer> | Finding[] {
  if (isTransfer(form.kind)) return judgeTransfer(tx, form, form.kind);
  const { id, content } = form;
  const paid = { payee: content.iban, amountMinor: content.amountMinor };
  const same = (row: Row): boolean =>
    row.iban === content.iban || row.taxNumber === content.taxNumber || row.name === content.name;
  const recent = tx
    .rows()
    .filter((row) => row.id !== id && same(row))
    .filter(
      (row) =>
        form.besides?.has(row.id) !== true || locksSibling({ ...row, payee: row.iban }, paid),
    )
    .slice(-FACTS_MAX)
    .map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toISOString(),
      maker: row.makerId,
      reasonText: null,
      mayHaveLeft: SAYS_UNPAID.includes(row.state) && mayHaveLeft(tx.recovery, row),
    }));
  const gate = tx.gate(content.iban);
  return checkPayout({
    content: {
      id,
      source: { kind: 'wallet', number: content.wallet },
      iban: content.iban,
      name: content.name,
      taxNumber: content.taxNumber,
      paymentType: content.paymentType,
      description: content.description,
      amountMinor: content.amountMinor as never,
    },
    wallet: {
      available: 100_000_000_000n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: null },
    },
    paymentType: { code: '01', minDescription: 3 },
    recent,
    foreign: foreignOf(tx.recovery, content.iban).map((one) => ({ ...one, iban: content.iban })),
    lastSendToIbanAt: gate === null ? null : new Date(gate).toISOString(),
    limitLeft: null,
    fee: null,
    now: new Date(tx.now).toISOString(),
  });
}

function mayBePaidAgain(tx: Tx, parentId: string): void {
  const refusal = payAgainRefusal(
    tx.row(parentId),
    familyOf(tx.rows(), parentId).filter((row) => row.id !== parentId),
    isNamed(tx.recovery, tx.row(parentId)),
  );
  if (refusal !== null) throw new No(refusal.code);
}

/**
 * Whether the parent was checked just now. If not, its check becomes due at once when `ask` is set.
 */
export function freshenParent(tx: Tx, parentId: string, ask = true): boolean {
  const parent = tx.row(parentId)!;
  if (isFreshlyRead(parent, tx.now, listedSince(tx.recovery, parent))) return true;
  if (ask) pull(tx, parent, 0);
  return false;
}

/**
 * Stores every approval, the maker's own and one of an older content too: only those that cover the
 * content count.
 */
export function approve(tx: Tx, id: string, personId: string, contentHash: string): void {
  const row = tx.row(id)!;
  if (row.state !== 'AWAITING_APPROVAL') throw new No('too_late');
  tx.approve(id, {
    personId,
    deputyOf: null,
    contentHash,
    asOwner: false,
    releases: false,
    stepUp: null,
  });
  if (!isCovered(tx, row)) return;
  const objection = objectionTo(tx, row);
  if (objection !== null) throw new No(`approval_blocked: ${objection}`);
  approveWhenCovered(tx, row, 'approveMovement');
}

function approveWhenCovered(tx: Tx, row: Row, verb: string): void {
  if (isCovered(tx, row)) says(tx, row, verb, 'approved', { nextAt: tx.now });
}

function isCovered(tx: Tx, movement: Row): boolean {
  const { id } = movement;
  const [approvals, requirements] = [tx.approvals(id), tx.requirements(id)];
  return approvalsCover({ movement, approvals, requirements });
}

/**
 * Records a person's evidence by a verb of the product. The judge of the world (watch.ts) requires
 * the product to have that verb.
 */
export function says(
  tx: Tx,
  row: Row,
  verb: string,
  kind: PersonEvidence,
  { nextAt = null }: { nextAt?: number | null } = {},
): Row {
  return record(tx, row, { source: 'person', kind }, () => ({ nextAt, lease: null }), verb);
}

/**
 * Takes a movement back to a draft, changes it and submits it again: other content needs other
 * approvals.
 */
export function edit(tx: Tx, id: string, changes: Partial<MovementContent>): void {
  const row = tx.row(id)!;
  if (row.state !== 'AWAITING_APPROVAL') throw new No('too_late');
  const draft = says(tx, row, 'editMovement', 'edited');
  const changed = { ...draft, ...changes };
  const again = tx.update(id, { ...changes, contentHash: contentText(changed.kind, changed) });
  const waiting = says(tx, again, 'editMovement', 'submitted', {
    nextAt: tx.now + APPROVAL_LIFE_MS + 1,
  });
  approveWhenCovered(tx, waiting, 'editMovement');
}

export function cancel(tx: Tx, id: string): void {
  const row = tx.row(id)!;
  if (!mayBeCancelled(row.state)) throw new No('too_late_to_cancel');
  if (isHeld(row, tx.now)) throw new No('cancel_being_read');
  const nextAt = lookAfterEnd(row, listedSince(tx.recovery, row) !== null, tx.now);
  says(tx, row, 'cancelMovement', 'cancelled', { nextAt });
}

export function checkNow(tx: Tx, id: string): void {
  const row = tx.row(id)!;
  if (row.lastHintAt !== null && isAskedJustNow(row.lastHintAt, tx.now))
    throw new No('asked_too_often');
  pull(tx, row, 0);
}

/**
 * Does what lib/webhooks/receive.ts does: stores a body once, and a claimed status for the movement
 * that it names.
 */
export function receiveNotice(tx: Tx, body: string): void {
  if (!tx.keepNotice(body)) return;
  const notice = decodeWebhook(body);
  const row = tx.rows().find((one) => one.extId === notice.extId);
  if (row === undefined || notice.topic !== 'payout') return;
  const lease =
    row.leaseToken !== null && row.leaseUntil !== null
      ? { token: row.leaseToken, until: row.leaseUntil }
      : null;
  const after = record(tx, row, { source: 'notice', kind: 'notice', hint: notice.hint }, () => ({
    nextAt: row.nextAt,
    lease,
  }));
  if (after.sends > 0) pull(tx, after, HINT_GUARD_MS);
}

export function pull(tx: Tx, row: Row, guardMs: number): void {
  const at = expeditedTo(row, tx.now, guardMs, listedSince(tx.recovery, row) !== null);
  if (at !== null)
    tx.update(row.id, { nextAt: Math.min(row.nextAt ?? Infinity, at), lastHintAt: at });
}
