import { approvalsCover, HINT_GUARD_MS, expeditedTo } from '#lib/movements/claim-rules.ts';
import { contentText } from '#lib/movements/content-text.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { APPROVAL_LIFE_MS } from '#lib/movements/schedule.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { KindName, TransferKindName } from '#lib/movements/kinds.ts';
import { mayBeCancelled, NEVER_SENT } from '#lib/movements/state.ts';
import { isFreshlyRead, payAgainRefusal } from '#lib/movements/pay-again.ts';
import { blocking, checkPayout, needsReason } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import { checkTransfer } from '#lib/transfers/rules.ts';
import { decodeWebhook } from '#lib/providers/wallet/webhooks.ts';
import { record } from './claim.ts';
import { foreignOf, isNamed, listedSince, mayHaveLeft } from './recovery-table.ts';
import type { Row, Tx } from './store.ts';
import type { PersonEvidence } from './verbs.ts';

/** The web's transactions: what people and webhooks do, by the product's own rules. */

const ASK_GUARD_MS = 5_000;
const FACTS_MAX = 200;

/** An expected "no" of a rule. */
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
  /** Codes of the findings a person ticked. */
  overrides: string[];
};

/**
 * As lib/payouts/submit.ts: one intent, however often the browser repeats it. Returns the id of its
 * row.
 */
export function submit(tx: Tx, form: Form): string {
  const hash = contentText(form.kind, form.content);
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
  tx.insert(draftOf(form, hash, tx.now));
  tx.audit(form.id);
  const waiting = says(tx, tx.row(form.id)!, 'storeIntent', 'submitted', {
    nextAt: tx.now + APPROVAL_LIFE_MS + 1,
  });
  approveWhenCovered(tx, waiting, 'storeIntent');
  return form.id;
}

function draftOf(
  { id, extId, kind, need, maker, content, approvalsNeeded, retryOf }: Form,
  contentHash: string,
  now: number,
): Row {
  return {
    id,
    need,
    retryOf,
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

function judge(tx: Tx, form: Form): ReturnType<typeof checkTransfer> | Finding[] {
  if (isTransfer(form.kind)) return judgeTransfer(tx, form, form.kind);
  const { id, content } = form;
  const same = (row: Row): boolean =>
    row.iban === content.iban || row.taxNumber === content.taxNumber || row.name === content.name;
  const recent = tx
    .rows()
    .filter(same)
    .slice(-FACTS_MAX)
    .map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toISOString(),
      maker: row.makerId,
      reasonText: null,
      mayHaveLeft: NEVER_SENT.includes(row.state) && mayHaveLeft(tx.recovery, row),
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

/** Every receiver who is looked up is found: the names of this world equal their masked form. */
function judgeTransfer(
  tx: Tx,
  { id, content }: Form,
  kind: TransferKindName,
): ReturnType<typeof checkTransfer> {
  const { toWallet, name, amountMinor, paymentType, description } = content;
  const same = (row: Row): boolean => row.toWallet === toWallet || row.name === name;
  const recent = tx
    .rows()
    .filter(same)
    .slice(-FACTS_MAX)
    .map((row) => ({
      ...row,
      toWallet: row.toWallet ?? '',
      createdAt: new Date(row.createdAt).toISOString(),
      maker: row.makerId,
      reasonText: null,
      mayHaveLeft: NEVER_SENT.includes(row.state) && mayHaveLeft(tx.recovery, row),
    }));
  return checkTransfer({
    content: {
      id,
      kind,
      wallet: content.wallet,
      key: null,
      toWallet: toWallet ?? '',
      name,
      amountMinor: amountMinor as never,
      paymentType,
      description,
    },
    writtenCurrency: null,
    wallet: {
      available: 100_000_000_000n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: null },
    },
    receiver: { access: 'active', currency: 'TRY' },
    person: { kind: 'found', wallet: toWallet ?? '', name },
    paymentType: { code: '01', minDescription: 3 },
    recent,
    saved: null,
    foreign: foreignOf(tx.recovery, toWallet ?? '').map((one) => ({
      ...one,
      toWallet: toWallet ?? '',
    })),
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

/** All that "pay again" made of the intent that `id` goes back to. */
export function familyOf(rows: readonly Row[], id: string): Row[] {
  let root = id;
  for (
    let row = rows.find((one) => one.id === id);
    row !== undefined && row.retryOf !== null;
    row = rows.find((one) => one.id === root)
  )
    root = row.retryOf;
  const family = rows.filter((row) => row.id === root);
  for (const row of family) family.push(...rows.filter((one) => one.retryOf === row.id));
  return family;
}

/** Whether the parent was checked just now; otherwise a check is requested, once per wish. */
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
  tx.approve(id, { personId, contentHash });
  approveWhenCovered(tx, row, 'approveMovement');
}

function approveWhenCovered(tx: Tx, row: Row, verb: string): void {
  if (approvalsCover({ movement: row, approvals: tx.approvals(row.id) }))
    says(tx, row, verb, 'approved', { nextAt: tx.now });
}

/**
 * A person's claim by a verb of the product; the watcher requires the product to have that verb.
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

/** Back to a draft, changed, and submitted again: other content needs other approvals. */
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
  says(tx, row, 'cancelMovement', 'cancelled');
}

export function checkNow(tx: Tx, id: string): void {
  const row = tx.row(id)!;
  if (row.lastHintAt !== null && tx.now - row.lastHintAt < ASK_GUARD_MS)
    throw new No('asked_too_often');
  pull(tx, row, 0);
}

/**
 * As lib/webhooks/receive.ts: stored once per body, and a claimed status for the movement it names.
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
