import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { expediteCheck } from '#lib/movements/expedite.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { countApart, countWithin } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isReceiptId } from './file-name.ts';
import { receiptOf } from './view.ts';

const GUARD_SECONDS = 5;
const ASKS_PER_MINUTE = 60;

/**
 * "Try again": the worker fetches the document as soon as it can, or first polls for the ledger
 * entry that names it. The schedule of a receipt that was given up begins again.
 */
export async function askForReceipt(
  actor: Person,
  id: string,
): Promise<'receipt' | 'ledger' | 'ready'> {
  assertMay(actor, 'movement.ask');
  if (!isReceiptId(id)) throw new Refusal('not_found');
  return inTransaction(actor.merchantId, async (tx) => {
    // The movement's lock comes first, as everywhere: the worker that processes it writes the
    // receipt's row while it holds that lock.
    const [raw] = await tx.$queryRaw<RawMovement[]>`SELECT ${MOVEMENT.of('m')} FROM movements m
      WHERE m.id = (SELECT movement_id FROM receipts WHERE id = ${id}::uuid) FOR UPDATE`;
    const [receipt] = await tx.$queryRaw<
      Row<'receipts', 'state' | 'movement_id' | 'record_id'>[]
    >`SELECT state, movement_id, record_id FROM receipts WHERE id = ${id}::uuid FOR UPDATE`;
    if (!receipt) throw new Refusal('not_found');
    if (receipt.state === 'READY') return 'ready';
    const guard = await countApart(tx, actor.merchantId, `receipt-ask:${id}`, GUARD_SECONDS);
    const all = await countWithin(tx, actor.merchantId, 'receipt-asks', ASKS_PER_MINUTE, 60);
    if (!guard.ok || !all.ok)
      throw new Refusal('asked_too_often', {
        seconds: guard.ok ? (all.ok ? 0 : all.seconds) : guard.seconds,
      });

    // A receipt requested by a person has its entry in the ledger already.
    const movement = raw ? fromRaw(raw) : null;
    const asks = movement?.ledgerSeenAt === null ? 'ledger' : 'receipt';
    await tx.$executeRaw`
      UPDATE receipts SET state = 'WAITING', tries = CASE WHEN state = 'FAILED' THEN 0 ELSE tries END,
        next_at = CASE WHEN ${asks === 'receipt'} THEN clock_timestamp() ELSE next_at END
          WHERE id = ${id}::uuid`;
    if (movement !== null && asks === 'ledger')
      await expediteCheck(tx, movement, (await databaseNow(tx)).getTime(), 0);
    else await wakeWorkers(tx);
    await audit(tx, actor, 'receipt.asked', `receipt:${id}`, { ...receiptOf(receipt), asks });
    await publish(tx, actor, { kind: 'receipt', id });
    return asks;
  });
}
