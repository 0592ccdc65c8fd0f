import 'server-only';
import { createHash } from 'node:crypto';
import { inTransaction } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import type { Rail } from '#lib/movements/advance.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { CashoutContent } from '#lib/providers/card/cashout-body.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { answered } from './answered.ts';

/**
 * How money of the card balance goes to a bank account. The gateway knows no id again and answers no question about a cashout: it is sent
 * once, and what its one answer does not settle is settled by people. It is never read and there is no ledger of it.
 */
export function cashoutRail(merchantId: string, gateway: Pick<CardClient, 'sendCashout'>): Rail {
  return {
    async send(movement, beforeWrite) {
      // Books that were restored from a copy may have forgotten that it was sent, and nobody can be asked.
      if (await isOlderThanBooks(merchantId, movement.id)) return { kind: 'record_exists', code: null, message: null, raw: null };
      return answered(movement, await gateway.sendCashout(cashoutContent(movement), { beforeWrite }));
    },
    read: async () => ({ kind: 'no_answer', why: 'no_question', raw: null }),
    ledger: async () => ({ kind: 'not_listed', raw: null }),
  };
}

/** SHA-256 of what is asked for: the bytes on the wire differ by the random part of their hash key. */
export function cashoutHash(movement: MovementRow): string {
  const { currency, rows: [row] } = cashoutContent(movement);
  return createHash('sha256').update(JSON.stringify([currency, row?.uniqueId, row?.name, row?.iban, row?.amountMinor.toString(), row?.taxNumber, row?.phone, row?.description])).digest('hex');
}

async function isOlderThanBooks(merchantId: string, id: string): Promise<boolean> {
  const [row] = await inTransaction(merchantId, (tx) => tx.$queryRaw<{ older: boolean }[]>`
    SELECT EXISTS (SELECT FROM recoveries r WHERE r.began_at > m.created_at) AS older FROM movements m WHERE m.id = ${id}::uuid`);
  return row?.older ?? true;
}

function cashoutContent({ extId, name, iban, amountMinor, currency, taxNumber, phone, description }: MovementRow): CashoutContent {
  if (phone === null) throw new Error('a cashout has a telephone number');
  return {
    currency, reverseKey: env().cardHooks.cashout_reverse,
    rows: [{ uniqueId: extId, name, iban, bankName: null, amountMinor, taxNumber: taxNumber === '' ? null : taxNumber, phone, description: description === '' ? null : description }],
  };
}
