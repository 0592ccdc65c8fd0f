import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { MovementKind } from '#lib/movements/kind.ts';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { CashoutContent } from '#lib/providers/card/cashout-body.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { mayHaveLeft } from '#lib/send-control/recovery/may-have-left.ts';
import { sendCashout } from './send-order.ts';
import type { Queried } from './send-order.ts';

/**
 * Card-balance payouts to a bank account. The gateway does not recognise a repeated id and cannot
 * be queried about a payout: each payout is sent once, and people decide when its only answer
 * leaves the outcome open. No record of the payout is read, and there is no ledger.
 */
export function cardBalanceKind(
  merchantId: string,
  gateway: Pick<CardClient, 'sendCashout'>,
): MovementKind {
  return {
    name: CARD_BALANCE_PAYOUT,
    requestHash,
    order: (task, timing) => sendCashout(task, task.movement, timing),
    query: async (movement): Promise<Queried> => ({
      mayHaveLeft: await inTransaction(merchantId, (tx) => mayHaveLeft(tx, movement)),
    }),
    send: (movement, beforeWrite) => gateway.sendCashout(cashoutContent(movement), { beforeWrite }),
    read: async () => ({ kind: 'no_answer', why: 'no_question', raw: null }),
    ledger: async () => ({ kind: 'not_listed', raw: null }),
  };
}

/**
 * The hash of the content and not of the request: the bytes of two requests with the same content
 * differ by the random part of their hash key.
 */
function requestHash(movement: MovementRow): string {
  const {
    currency,
    rows: [row],
  } = cashoutContent(movement);
  return createHash('sha256')
    .update(
      JSON.stringify([
        currency,
        row?.uniqueId,
        row?.name,
        row?.iban,
        row?.amountMinor.toString(),
        row?.taxNumber,
        row?.phone,
        row?.description,
      ]),
    )
    .digest('hex');
}

function cashoutContent({
  extId,
  name,
  iban,
  amountMinor,
  currency,
  taxNumber,
  phone,
  description,
}: MovementRow): CashoutContent {
  if (phone === null) throw new Error('a card-balance payout needs a telephone number');
  return {
    currency,
    reverseKey: env().cardHooks.cashout_reverse,
    rows: [
      {
        uniqueId: extId,
        name,
        iban,
        bankName: null,
        amountMinor,
        taxNumber: taxNumber === '' ? null : taxNumber,
        phone,
        description: description === '' ? null : description,
      },
    ],
  };
}
