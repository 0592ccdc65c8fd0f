import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import type { Rail } from '#lib/movements/advance.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { CashoutContent } from '#lib/providers/card/cashout-body.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { mayHaveLeft } from '#lib/send-control/recovery/may-have-left.ts';
import { sendCashout } from './send-order.ts';
import type { Queried } from './send-order.ts';

/**
 * How money of the card balance goes to a bank account. The gateway knows no id again and answers
 * no question about a cashout: it is sent once, and what its one answer does not settle is settled
 * by people. It is never read and there is no ledger of it.
 */
export function cashoutRail(merchantId: string, gateway: Pick<CardClient, 'sendCashout'>): Rail {
  return {
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
 * SHA-256 of what is asked for: the bytes on the wire differ by the random part of their hash key.
 */
export function cashoutHash(movement: MovementRow): string {
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
  if (phone === null) throw new Error('a cashout has a telephone number');
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
