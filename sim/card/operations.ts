import { operationOf } from '#lib/cards/operations/operation.ts';
import { proven, provenRefused } from '#lib/cards/operations/proof.ts';
import type { Later } from '#lib/cards/operations/proof.ts';
import { sendCardOperation } from '#lib/cards/operations/send-order.ts';
import type { Queried } from '#lib/cards/operations/send-order.ts';
import type { Queried as CashoutQueried } from '#lib/payouts/card-balance/send-order.ts';
import { sendCashout } from '#lib/payouts/card-balance/send-order.ts';
import { isCardOperation } from '#lib/movements/kinds.ts';
import type { CardOperationKind } from '#lib/movements/kinds.ts';
import { standingRefusal } from '#lib/begin-check/begin-check.ts';
import type { Begun, Timing } from '#lib/begin-check/begin-check.ts';
import { underLease } from '#lib/movements/claim-rules.ts';
import type { Clocks, ProviderResponse } from '#lib/movements/claim-rules.ts';
import { lookSays } from '#lib/movements/closable.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { LEASE_MS } from '#lib/begin-check/start-limit.ts';
import { oneStep } from '#lib/movements/one-step.ts';
import type { Effect as StepEffect, SendOrder } from '#lib/movements/one-step.ts';
import { cashoutBody } from '#lib/providers/card/cashout-body.ts';
import { classifyCashout } from '#lib/providers/card/classify-cashout.ts';
import { classifyRecord } from '#lib/providers/card/classify-record.ts';
import { CARD_CODES } from '#lib/providers/card/codes.ts';
import { captureBody, classifyConfirm, releaseBody } from '#lib/providers/card/confirm-request.ts';
import { classifyRefund, refundBody } from '#lib/providers/card/refund-request.ts';
import type { RecordOutcome } from '#lib/providers/card/types.ts';
import type { Exchange } from '#lib/providers/outcome.ts';
import { beginFacts, claimDue, recordResponse } from '../claim.ts';
import type { Claim, Rules } from '../claim.ts';
import { DatabaseFault } from '../database.ts';
import type { Row } from '../store.ts';
import { driven } from './effect.ts';
import type { Effect, Lane } from './effect.ts';
import type { CardTx } from './store.ts';

/**
 * The worker's lane for captures, voids, refunds and payouts of the card balance: it runs the
 * product's own orders of effects.
 */

export const PREFIX = 'svc_';
const FAULT_PAUSE_MS = 5_000;

type Task = Extract<Claim, { row: Row }>;
type Nothing = Exclude<Claim, Task>;

/** Works until nothing is due. After a database error it waits a moment and continues. */
export function* workOnOperations(rules: Rules, clocks: () => Clocks): Lane {
  for (;;) {
    try {
      const claim = yield* advance(rules, clocks);
      if (claim.kind === 'nothing_due') return;
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'rest', ms: FAULT_PAUSE_MS };
    }
  }
}

function advance(rules: Rules, clocks: () => Clocks): Lane<Claim> {
  return driven(oneStep<Task, Nothing>(clocks, orderOf), (effect) => carryOut(rules, effect));
}

function orderOf(task: Task, timing: Timing): SendOrder<Task> {
  const { row } = task;
  if (!isCardOperation(row.kind)) return sendCashout(task, row, timing);
  return sendCardOperation(task, { operation: operationOf(row.kind), sent: sentOf(row) }, timing);
}

function* carryOut(rules: Rules, effect: StepEffect<Task>): Lane<unknown> {
  switch (effect.kind) {
    case 'claim':
      return yield {
        kind: 'transaction',
        name: 'claim',
        work: (tx) => claimDue(tx, rules, (row) => tx.isOurs && tx.isConfirmed(row)),
      };
    case 'query':
      return yield* query(effect.task.row);
    case 'begin':
      return yield* begin(effect.task);
    case 'request':
      return yield* request(effect.task, effect.mayWrite);
    case 'renew':
      return yield {
        kind: 'transaction',
        name: 'renew',
        work: (tx) => renew(tx, effect.task),
        token: effect.task.token,
      };
    case 'ask':
      return yield* ask(effect.task.row);
    case 'record': {
      const { task, response } = effect;
      const name = `record ${response.kind} ${response.outcome.kind}`;
      return yield {
        kind: 'transaction',
        name,
        work: (tx) => keep(tx, rules, task, response),
        token: task.token,
      };
    }
    case 'rest':
      return yield { kind: 'rest', ms: effect.ms };
  }
}

/**
 * Does what lib/movements/begin.ts does. A send that does not begin leaves no entry in the journal.
 */
function* begin(task: Task): Lane<Begun> {
  const work = (tx: CardTx): Begun => ({
    ...beginFacts(tx, task),
    ...tx.standing(),
    confirmed: tx.isConfirmed(task.row),
  });
  const facts = (yield { kind: 'transaction', name: 'begin', work }) as Begun;
  if (standingRefusal(facts) !== null) return facts;
  const isWritten = (yield {
    kind: 'journal',
    reference: task.row.extId,
    attempt: task.row.sends,
  }) as boolean;
  return { ...facts, journal: isWritten ? 'written' : 'failed' };
}

/**
 * Records a response. A record that was read under the lease is also the check that two people need
 * before they may close a movement.
 */
function keep(tx: CardTx, rules: Rules, task: Task, response: ProviderResponse): Row {
  const isInTime = underLease(tx.row(task.row.id)!, task.token, response, tx.now).late !== true;
  if (response.kind === 'read' && isInTime)
    tx.setLook(task.row.id, { says: lookSays(task.row.kind, response.outcome), at: tx.now });
  return recordResponse(tx, rules, task, response);
}

/** Does what `renewLease` of lib/movements/claim.ts does. */
function renew(tx: CardTx, { row, token }: Task): boolean {
  const now = tx.row(row.id);
  if (now?.state !== 'SUBMITTING' || now.leaseToken !== token || (now.leaseUntil ?? 0) <= tx.now)
    return false;
  tx.update(row.id, { leaseUntil: tx.now + LEASE_MS, nextAt: tx.now + LEASE_MS + 1 });
  return true;
}

function* query(row: Row): Lane<Queried | CashoutQueried> {
  if (row.card === null)
    return (yield {
      kind: 'transaction',
      name: 'query',
      work: (tx: CardTx) => ({ mayHaveLeft: tx.mayHaveLeft(row) }),
    }) as CashoutQueried;
  const { paymentId, invoiceId } = row.card;
  const read = (tx: CardTx): { known: Queried['known']; at: number; restored: boolean } => ({
    known: tx.payment(paymentId)?.known ?? null,
    at: tx.now,
    restored: tx.isOlderThanBooks(row),
  });
  let books: ReturnType<typeof read> | null = null;
  try {
    books = (yield { kind: 'transaction', name: 'query', work: read }) as ReturnType<typeof read>;
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
  }
  if (books === null || books.known === null) {
    return {
      known: null,
      record: { kind: 'no_answer', why: 'books_unread', raw: null },
      at: 0,
      restored: true,
    };
  }
  const record = yield* readRecord({ invoiceId, amountMinor: books.known.amountMinor });
  return { ...books, record };
}

export function* readRecord(asked: {
  invoiceId: string;
  amountMinor: bigint | null;
}): Lane<RecordOutcome> {
  const exchange = (yield { kind: 'query', path: 'checkstatus', id: asked.invoiceId }) as Exchange;
  return classifyRecord(exchange, asked, CARD_CODES);
}

/**
 * Sends the one request of the operation's kind. The order of effects turns the answer into an
 * outcome.
 */
function* request({ row, token }: Task, mayWrite: () => boolean): Lane<unknown> {
  const send = (path: Extract<Effect, { kind: 'request' }>['path'], fields: unknown): Effect => ({
    kind: 'request',
    path,
    body: JSON.stringify(fields),
    intent: row.extId,
    token,
    mayWrite,
  });
  const { extId, amountMinor, card } = row;
  switch (row.kind as CardOperationKind | 'cashout') {
    case 'card_capture':
    case 'card_release': {
      const { invoiceId } = card!;
      const { status, fields } =
        row.kind === 'card_capture'
          ? captureBody({ invoiceId, amountMinor })
          : releaseBody({ invoiceId });
      return classifyConfirm(
        (yield send('confirmPayment', fields)) as Exchange,
        { invoiceId, status },
        CARD_CODES,
        PREFIX,
      );
    }
    case 'card_refund': {
      const { fields } = refundBody({ invoiceId: card!.invoiceId, amountMinor, refundId: extId });
      return classifyRefund(
        (yield send('refund', fields)) as Exchange,
        card!.invoiceId,
        CARD_CODES,
        PREFIX,
      );
    }
    case 'cashout': {
      const content = cashoutContent(row);
      return classifyCashout(
        (yield send('cashout', cashoutBody(content).fields)) as Exchange,
        content,
        CARD_CODES.errands,
      );
    }
  }
}

function cashoutContent({
  extId,
  name,
  iban,
  amountMinor,
  currency,
  phone,
}: Row): Parameters<typeof cashoutBody>[0] {
  const row = {
    uniqueId: extId,
    name,
    iban,
    bankName: null,
    amountMinor,
    taxNumber: null,
    phone: phone ?? '',
    description: null,
  };
  return { currency, rows: [row], reverseKey: null };
}

function* ask(row: Row): Lane<ProviderResponse> {
  if (row.card === null)
    return {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'no_answer', why: 'no_question', raw: null },
    };
  const { known, isRepeat } = (yield {
    kind: 'transaction',
    name: 'facts',
    work: (tx: CardTx) => ({
      known: tx.payment(row.card!.paymentId)?.known.amountMinor ?? null,
      isRepeat: tx.mayBeRepeat(row),
    }),
  }) as { known: bigint | null; isRepeat: boolean };
  const sent = { ...sentOf(row), isRepeat };
  const record = yield* readRecord({ invoiceId: row.card.invoiceId, amountMinor: known });
  const operation = operationOf(row.kind as CardOperationKind);
  if (row.state !== 'REJECTED' && row.state !== 'FAILED')
    return { source: 'read', kind: 'read', outcome: proven(operation, sent, record) };
  const later = (yield {
    kind: 'transaction',
    name: 'later',
    work: (tx: CardTx) => laterOperations(tx, row),
  }) as Later[];
  return {
    source: 'read',
    kind: 'read',
    outcome: provenRefused(operation, sent, record, later),
  };
}

/** Does what `laterOperations` of lib/cards/operations/kind.ts does. */
function laterOperations(tx: CardTx, { card, kind, createdAt }: Row): Later[] {
  const isRefund = kind === 'card_refund';
  const later = tx
    .rows()
    .filter(
      (one) =>
        one.card?.paymentId === card!.paymentId &&
        one.createdAt > createdAt &&
        (one.kind === 'card_refund') === isRefund &&
        LEFT.includes(one.state),
    );
  return later.map((one) => ({
    amountMinor: one.amountMinor,
    beforeMinor: one.card!.beforeMinor,
    isOpen: one.state !== 'COMPLETED',
  }));
}

const LEFT: readonly string[] = ['SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED'];

export function sentOf({ extId, amountMinor, currency, card, acceptedAt }: Row) {
  return {
    extId,
    amountMinor,
    currency,
    card: card!,
    isAccepted: acceptedAt !== null,
    isRepeat: false,
  };
}

/**
 * The content of a request, without the random part of its hash key, which makes the bytes differ.
 */
export function contentOf({
  kind,
  extId,
  amountMinor,
  card,
  iban,
  name,
  phone,
}: MovementRow): string {
  return JSON.stringify([kind, card?.invoiceId, extId, amountMinor.toString(), iban, name, phone]);
}
