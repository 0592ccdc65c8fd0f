import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { MovementKind } from '#lib/movements/kind.ts';
import { CARD_OPERATION_KINDS } from '#lib/movements/kinds.ts';
import type { CardOperationKind } from '#lib/movements/kinds.ts';
import { isOlderThanRecovery, mayBeRepeat } from '#lib/movements/restored.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { ConfirmOutcome, RecordOutcome, RefundOutcome } from '#lib/providers/card/types.ts';
import { readPaymentFacts } from './facts.ts';
import { operationOf } from './operation.ts';
import type { Operation } from './operation.ts';
import { proven, provenRefused } from './proof.ts';
import type { Later, Sent } from './proof.ts';
import { sendCardOperation } from './send-order.ts';
import type { Queried } from './send-order.ts';

type Gateway = Pick<CardClient, 'readRecord' | 'captureHold' | 'releaseHold' | 'refundPayment'>;

export function cardOperationKinds(merchantId: string, gateway: Gateway): MovementKind[] {
  return CARD_OPERATION_KINDS.map((name) => cardOperationKind(merchantId, gateway, name));
}

/**
 * How a capture, a void or a refund is sent and polled. The gateway documents no response to a
 * duplicate request. So each is sent once, directly after its record was read and still allows it,
 * and an unclear outcome is decided only by the record.
 */
function cardOperationKind(
  merchantId: string,
  gateway: Gateway,
  name: CardOperationKind,
): MovementKind {
  const operation = operationOf(name);
  return {
    name,
    requestHash,
    order: (task, timing) =>
      sendCardOperation(task, { operation, sent: sentOf(task.movement) }, timing),
    query: (movement) => query(merchantId, gateway, movement),
    send: (movement, beforeWrite) => sendOnce(gateway, operation, sentOf(movement), beforeWrite),
    async read(movement) {
      const { facts, isRepeat } = await inTransaction(merchantId, async (tx) => ({
        facts: await readPaymentFacts(tx, sentOf(movement).card.paymentId),
        isRepeat: await mayBeRepeat(tx, movement.id),
      }));
      const sent = { ...sentOf(movement), isRepeat };
      const record = await gateway.readRecord({
        invoiceId: sent.card.invoiceId,
        amountMinor: facts?.known.amountMinor ?? null,
      });
      // Read the later operations after the record: one that is sent in between is open, and
      // explains no change in the record.
      return ['REJECTED', 'FAILED'].includes(movement.state)
        ? provenRefused(operation, sent, record, await laterOperations(merchantId, movement))
        : proven(operation, sent, record);
    },
    // There is no ledger of card money to query, and the schedule requests none.
    ledger: async () => ({ kind: 'not_listed', raw: null }),
  };
}

/**
 * The hash of the operation's content; the bytes of its request differ each time by the random part
 * of their hash key.
 */
function requestHash({ kind, extId, amountMinor, card }: MovementRow): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, card?.invoiceId, extId, amountMinor.toString()]))
    .digest('hex');
}

async function query(
  merchantId: string,
  gateway: Gateway,
  movement: MovementRow,
): Promise<Queried> {
  const { card } = sentOf(movement);
  const register = await inTransaction(merchantId, async (tx) => ({
    facts: await readPaymentFacts(tx, card.paymentId),
    restored: await isOlderThanRecovery(tx, movement.id),
  })).catch(() => null);
  const known = register?.facts?.known ?? null;
  // When the payment's facts cannot be read here, nothing is sent, so no query is needed.
  const record: RecordOutcome =
    known === null
      ? { kind: 'no_answer', why: 'books_unread', raw: null }
      : await gateway.readRecord({ invoiceId: card.invoiceId, amountMinor: known.amountMinor });
  return {
    known,
    record,
    at: register?.facts?.at ?? 0,
    restored: register?.restored ?? true,
  };
}

/**
 * Later operations sent for the same payment and of the same sort: captures and voids, or refunds.
 */
async function laterOperations(merchantId: string, { id, kind }: MovementRow): Promise<Later[]> {
  const rows = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<
      (Row<'movements', 'amount_minor' | 'before_minor', { before_minor: bigint }> & {
        open: boolean;
      })[]
    >`
    SELECT o.amount_minor, o.before_minor, o.state <> 'COMPLETED' AS open FROM movements m
      JOIN movements o ON o.card_payment_id = m.card_payment_id AND o.created_at > m.created_at
    WHERE m.id = ${id}::uuid AND (o.kind = 'card_refund') = (${kind} = 'card_refund')
      AND o.state IN ('SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED')
      ORDER BY o.created_at`,
  );
  return rows.map((row) => ({
    amountMinor: row.amount_minor,
    beforeMinor: row.before_minor,
    isOpen: row.open,
  }));
}

function sendOnce(
  gateway: Gateway,
  operation: Operation,
  { extId, amountMinor, card: { invoiceId } }: Sent,
  beforeWrite: () => boolean,
): Promise<ConfirmOutcome | RefundOutcome> {
  switch (operation) {
    case 'capture':
      return gateway.captureHold({ invoiceId, amountMinor }, { beforeWrite });
    case 'release':
      return gateway.releaseHold({ invoiceId }, { beforeWrite });
    case 'refund':
      return gateway.refundPayment(
        { invoiceId, amountMinor, refundId: extId, ...refundHook() },
        { beforeWrite },
      );
  }
}

/**
 * The key of the webhook that reports a refund which the gateway's staff complete days later; left
 * out when no such key is configured (`cardHooks`).
 */
function refundHook(): { hook?: string } {
  const { refund } = env().cardHooks;
  return refund === null ? {} : { hook: refund };
}

function sentOf({ extId, amountMinor, currency, card, acceptedAt }: MovementRow): Sent {
  if (card === null) throw new Error('a card operation has no payment');
  return { extId, amountMinor, currency, card, isAccepted: acceptedAt !== null, isRepeat: false };
}
