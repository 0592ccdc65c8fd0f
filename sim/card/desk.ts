import { judge, KIND_OF } from '#lib/cards/operations/operation.ts';
import type { Operation } from '#lib/cards/operations/operation.ts';
import {
  CLOSE_EVIDENCE,
  closeClaims,
  closeRefusal,
  isLookFresh,
  peopleNeeded,
} from '#lib/movements/closable.ts';
import type { CloseClaim } from '#lib/movements/closable.ts';
import { closeQuestion } from '#lib/movements/close-question.ts';
import type { KindName } from '#lib/movements/kinds.ts';
import { contentText } from '#lib/movements/content-text.ts';
import { requirementOf } from '#lib/movements/requirement.ts';
import { APPROVAL_LIFE_MS, nextLook } from '#lib/movements/schedule.ts';
import { isFinal, mayBeCancelled } from '#lib/movements/state.ts';
import { blocking, checkPayout, needsReason } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { standingOf } from '#lib/second-person/standing.ts';
import { record } from '../claim.ts';
import { No } from '../desk.ts';
import type { Row } from '../store.ts';
import { MINUTE } from '../time.ts';
import { verdictNow } from '../verdict.ts';
import type { Lane } from './effect.ts';
import { readRecord } from './operations.ts';
import { askRegister, pull } from './register.ts';
import type { CardTx, Word } from './store.ts';

/**
 * The web's verbs of the card side, by the product's own rules. Each is a lane: its process may die
 * between any two of its effects.
 */

export const QUIET_MS = 30 * MINUTE;
const POLICY = { quietMs: QUIET_MS, manualAfterMs: Infinity, autoResend: false };
const LOOKS_WAITED = 8;
const POLL_MS = 1_000;

export type Form = { id: string; extId: string; need: number; maker: string };
export type OperationForm = Form & {
  operation: Operation;
  paymentId: string;
  amountMinor: bigint | null;
};
export type CashoutForm = Form & {
  iban: string;
  name: string;
  amountMinor: bigint;
  ticked: boolean;
};

/**
 * Does what lib/cards/operations/start.ts does: stores the operation only if the record, read here
 * and now, allows it. Returns why not, or null.
 */
export function* startOperation(form: OperationForm): Lane<string | null> {
  const facts = (yield {
    kind: 'transaction',
    name: 'start: facts',
    work: (tx: CardTx) => tx.payment(form.paymentId),
  }) as ReturnType<CardTx['payment']>;
  const { invoiceId, known } = facts!;
  const outcome = yield* readRecord({ invoiceId, amountMinor: known.amountMinor });
  return (yield {
    kind: 'transaction',
    name: 'start',
    work: (tx: CardTx) => storeOperation(tx, form, outcome),
  }) as string | null;
}

function storeOperation(tx: CardTx, form: OperationForm, outcome: RecordOutcome): string | null {
  if (tx.row(form.id) !== null) return null;
  const payment = tx.payment(form.paymentId)!;
  const why = tx.openOf(form.paymentId) === undefined ? null : 'one_open';
  const judged = judge(form.operation, payment.known, outcome, tx.now);
  if (why !== null || judged.kind === 'stop') {
    askRegister(tx, form.paymentId);
    return why ?? (judged as { why: string }).why;
  }
  const { leftMinor, ...before } = judged.standing;
  const amountMinor = form.amountMinor ?? leftMinor;
  if (amountMinor > leftMinor || amountMinor <= 0n) return 'more_than_left';
  const card = { paymentId: form.paymentId, invoiceId: payment.invoiceId, ...before };
  store(tx, form, { kind: KIND_OF[form.operation], amountMinor, card, name: payment.invoiceId });
  return null;
}

type Content = {
  kind: KindName;
  amountMinor: bigint;
  name: string;
  iban?: string;
  card?: Row['card'];
};

/** The fields of a new row, before any step has changed them. */
const NEW = {
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
  acceptedAt: null,
  endedAt: null,
  returnedAt: null,
  requestId: null,
  transactionId: null,
  feeMinor: null,
  reasonCode: null,
  reasonText: null,
  ledgerSeenAt: null,
  nextAt: null,
  lastHintAt: null,
  leaseToken: null,
  leaseUntil: null,
} as const;

function store(
  tx: CardTx,
  form: Form,
  { kind, amountMinor, name, iban = '', card = null }: Content,
): void {
  const { now } = tx;
  const row: Row = {
    id: form.id,
    need: form.need,
    retryOf: null,
    kind,
    extId: form.extId,
    wallet: '',
    iban,
    name,
    taxNumber: '',
    toWallet: null,
    foundBy: null,
    foundName: null,
    amountMinor,
    currency: 'TRY',
    paymentType: '',
    description: 'why',
    card,
    phone: kind === 'cashout' ? '905330000201' : null,
    contentHash: '',
    approvalsNeeded: 0,
    makerId: form.maker,
    makerIp: null,
    ...NEW,
    stateSince: now,
    createdAt: now,
  };
  const verdict = tx.governance && verdictNow(tx, tx.governance, { ...row, createdAt: null });
  const contentHash = contentText(row.kind, row);
  const needed = verdict?.judgement.needed ?? 0;
  tx.insert({ ...row, contentHash, approvalsNeeded: needed });
  const requirement = verdict && requirementOf(verdict, contentHash);
  if (requirement !== null) tx.require(form.id, requirement);
  tx.audit(form.id);
  const waiting = record(
    tx,
    tx.row(form.id)!,
    { source: 'person', kind: 'submitted' },
    () => ({ nextAt: now + APPROVAL_LIFE_MS + 1, lease: null }),
    'submit',
  );
  if (needed > 0) return;
  record(
    tx,
    waiting,
    { source: 'person', kind: 'approved' },
    () => ({ nextAt: now, lease: null }),
    'submit',
  );
}

/**
 * Does what lib/payouts/submit.ts does for a payout of the card balance. `ticked`: the person was
 * asked about a similar payment and confirmed that this one is intended, too.
 */
export function* submitCashout(form: CashoutForm): Lane<string | null> {
  return (yield {
    kind: 'transaction',
    name: 'cashout',
    work: (tx: CardTx) => {
      if (tx.row(form.id) !== null) return null;
      const findings = judgeCashout(tx, form);
      if (blocking<{ level: Finding['level'] }>(findings).length > 0) return 'blocked';
      // People never confirm a payment that the page shows as still in progress.
      const isOver = tx.rows().every((row) => row.iban !== form.iban || isFinal(row.state));
      if (!(form.ticked && isOver) && needsReason<string>(findings, []).length > 0)
        return 'needs_reason';
      store(tx, form, {
        kind: 'cashout',
        amountMinor: form.amountMinor,
        name: form.name,
        iban: form.iban,
      });
      return null;
    },
  }) as string | null;
}

function judgeCashout(tx: CardTx, { id, iban, name, amountMinor }: CashoutForm): Finding[] {
  const recent = tx
    .rows()
    .filter((row) => row.iban === iban)
    .map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toISOString(),
      maker: row.makerId,
      reasonText: null,
    }));
  return checkPayout({
    content: {
      id,
      source: { kind: 'card_balance' },
      iban,
      name,
      amountMinor: amountMinor as never,
    },
    wallet: null,
    paymentType: null,
    recent,
    lastSendToIbanAt: null,
    limitLeft: null,
    fee: null,
    now: new Date(tx.now).toISOString(),
  });
}

export type Closing = 'closed' | 'asked' | 'look_first';

/**
 * Stores one person's claim, as lib/movements/close.ts does. After `look_first` the worker must
 * check first, then the claim is repeated.
 */
export function* closeMovement(id: string, by: string, claim: CloseClaim): Lane<Closing> {
  for (let left = LOOKS_WAITED; ; left--) {
    const closed = (yield {
      kind: 'transaction',
      name: 'close',
      work: (tx: CardTx) => say(tx, id, by, claim, left === LOOKS_WAITED),
    }) as Closing;
    if (closed !== 'look_first' || left === 0) return closed;
    yield { kind: 'rest', ms: POLL_MS };
  }
}

function say(tx: CardTx, id: string, by: string, claim: CloseClaim, first: boolean): Closing {
  const row = tx.row(id);
  if (row === null) throw new No('not_found');
  const look = tx.look(id);
  const refusal = closeRefusal(row, claim, look, tx.now, QUIET_MS);
  const isHeld = row.leaseUntil !== null && row.leaseUntil > tx.now;
  const isSettled = refusal === 'close_not_a_day' || refusal === 'cashout_too_early';
  if (
    closeClaims(row, look).length > 0 &&
    !isSettled &&
    (!isLookFresh(row, look, tx.now) || isHeld)
  ) {
    if (first) pull(tx, row, 0);
    return 'look_first';
  }
  if (refusal !== null) throw new No(refusal);
  if (
    peopleNeeded(row, claim, look) === 2 &&
    !agrees(tx, row, { by, claim, at: tx.now, boundTo: closeQuestion(row).boundTo })
  )
    return 'asked';
  record(
    tx,
    row,
    { source: 'person', kind: CLOSE_EVIDENCE[claim] },
    (after) => ({ nextAt: nextLook(after, tx.now, POLICY, () => 0.5), lease: null }),
    'closeMovement',
  );
  return 'closed';
}

/**
 * Whether this claim makes two people agree: the latest claim of each person counts, and the
 * maker's never.
 */
function agrees(tx: CardTx, row: Row, word: Word): boolean {
  tx.keepWord(row.id, word);
  const words = tx
    .statementsOf(row.id)
    .filter((one) => one.boundTo === word.boundTo)
    .map((one) => ({
      personId: one.by,
      name: one.by,
      role: 'approver' as const,
      claim: one.claim,
      reason: '',
      reference: null,
      at: one.at,
    }));
  const standing = standingOf(words, { now: tx.now, makerId: row.makerId, needs: 'approver' });
  return standing.kind === 'agreed' && standing.claim === word.claim;
}

export function cancel(tx: CardTx, id: string): void {
  const row = tx.row(id);
  if (row === null || !mayBeCancelled(row.state)) throw new No('too_late_to_cancel');
  record(
    tx,
    row,
    { source: 'person', kind: 'cancelled' },
    () => ({ nextAt: null, lease: null }),
    'cancel',
  );
}

export function checkNow(tx: CardTx, id: string): void {
  const row = tx.row(id);
  if (row !== null) pull(tx, row, 0);
}
