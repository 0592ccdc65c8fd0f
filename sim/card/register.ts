import { lookAfterRefusal, withAnswer } from '#lib/cards/checkout/nothing-taken.ts';
import { learn } from '#lib/cards/payments/payment.ts';
import type { KnownPayment } from '#lib/cards/payments/payment.ts';
import { differs } from '#lib/cards/payments/payment.ts';
import { nextLook } from '#lib/cards/payments/schedule.ts';
import { HINT_GUARD_MS, expeditedTo } from '#lib/movements/claim-rules.ts';
import { isRefusalCompared } from '#lib/movements/refusal-compared.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import { DatabaseFault } from '../database.ts';
import type { Row } from '../store.ts';
import type { Lane } from './effect.ts';
import { readRecord } from './operations.ts';
import type { CardTx, PaymentRow } from './store.ts';

/**
 * The worker's lane for card payment records: queries those that are due, as
 * lib/cards/payments/verify-due.ts does in SQL.
 */

const ASK_MS = 60_000;
const ASKED: readonly string[] = ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];

export const UNREAD: KnownPayment = {
  state: null,
  problem: null,
  amountMinor: null,
  chargedMinor: null,
  refundedMinor: null,
  card: null,
  orderId: null,
  transactionId: null,
  reason: null,
  settlesOn: null,
  installments: null,
  commissionMinor: null,
  planCode: null,
  refunds: [],
  heldSince: null,
  heldSeen: false,
  verifiedAt: null,
};

export function* workOnRegister(): Lane {
  for (;;) {
    try {
      if (!(yield* verifyOne())) return;
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'rest', ms: 5_000 };
    }
  }
}

function* verifyOne(): Lane<boolean> {
  const due = (yield {
    kind: 'transaction',
    name: 'register claim',
    work: claim,
  }) as PaymentRow | null;
  if (due === null) return false;
  const record = yield* readRecord({
    invoiceId: due.invoiceId,
    amountMinor: due.known.amountMinor,
  });
  const news = (yield {
    kind: 'transaction',
    name: 'news',
    work: (tx: CardTx) => isNews(tx, due.id, record),
  }) as boolean;
  if (news)
    yield { kind: 'transaction', name: 'pull', work: (tx: CardTx) => pullOperation(tx, due.id) };
  yield { kind: 'transaction', name: 'register', work: (tx: CardTx) => keep(tx, due, record) };
  return true;
}

function claim(tx: CardTx): PaymentRow | null {
  const [due] = tx
    .payments()
    .filter((row) => row.nextAt !== null && row.nextAt <= tx.now)
    .sort((a, b) => a.nextAt! - b.nextAt!);
  if (due === undefined) return null;
  const claimed = { ...due, nextAt: tx.now + ASK_MS, tries: due.tries + 1 };
  tx.keepPayment(claimed);
  return claimed;
}

function isNews(tx: CardTx, id: string, record: RecordOutcome): boolean {
  const row = tx.payment(id);
  return (
    row !== null &&
    differs(
      row.known,
      withAnswer(learn(row.known, record, tx.now), record, row.made?.answer ?? null),
    )
  );
}

function keep(tx: CardTx, claimed: PaymentRow, record: RecordOutcome): void {
  const before = tx.payment(claimed.id);
  // A restore may have removed the row.
  if (before === null) return;
  const known = withAnswer(
    learn(before.known, record, tx.now),
    record,
    before.made?.answer ?? null,
  );
  const tries = record.kind === 'found' ? 0 : before.tries;
  // A check was requested while this one was under way: its response may be older than the request.
  const pulled = before.nextAt !== null && before.nextAt < claimed.nextAt! ? before.nextAt : null;
  const nextAt =
    pulled ??
    nextLook(known, {
      now: tx.now,
      since: Math.max(before.firstSeenAt, before.made?.sentAt ?? 0),
      tries,
    }) ??
    (before.made === null ? null : lookAfterRefusal(known.state, before.made, tx.now));
  tx.keepPayment({ ...before, known, tries, nextAt });
}

/** Does what lib/cards/operations/expedite.ts does. */
function pullOperation(tx: CardTx, paymentId: string): void {
  const asked = tx
    .rows()
    .filter(
      (row) =>
        row.card?.paymentId === paymentId && (ASKED.includes(row.state) || isRefusalCompared(row)),
    );
  for (const row of asked) pull(tx, row, HINT_GUARD_MS);
}

export function pull(tx: CardTx, row: Row, guardMs: number): void {
  const at = expeditedTo(row, tx.now, guardMs, tx.isOlderThanBooks(row));
  if (at !== null)
    tx.update(row.id, { nextAt: Math.min(row.nextAt ?? Infinity, at), lastHintAt: at });
}

/** Makes the payment's record due for a query at once. */
export function askRegister(tx: CardTx, paymentId: string): void {
  const row = tx.payment(paymentId);
  if (row !== null) tx.keepPayment({ ...row, nextAt: tx.now, tries: 0 });
}
