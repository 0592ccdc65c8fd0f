import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Prisma, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';

export type ReceiptRef = { id: string; state: 'WAITING' | 'READY' | 'FAILED' };

/**
 * The ledger entry of a movement of ours has the movement's receipt, even before the movement is
 * linked to its entry. A return has the same reference and is an entry of its own. Over
 * `ledger_records l`.
 */
const OWN_MOVEMENT = sql`movements m ON m.merchant_id = l.merchant_id AND m.ext_id = l.ext_id
  AND l.direction = 'out' AND (m.transaction_id = l.id OR m.transaction_id IS NULL)`;

/**
 * Requests the receipt of a ledger entry; the worker fetches it as soon as it can. An existing
 * receipt of the entry, or of our movement behind it, is kept. Returns the receipt's id.
 *
 * @throws Refusal `not_allowed`, `not_found` (an entry that is not mirrored), `receipt_by_itself`,
 * `too_many`
 */
export async function requestReceipt(actor: Person, recordId: string): Promise<string> {
  assertMay(actor, 'receipt.read');
  assertMay(actor, 'movement.ask');
  await countAttempt(actor, 'movement.ask');
  return inTransaction(actor.merchantId, async (tx) => {
    const [known] = await findReceipts(tx, [recordId]);
    if (!known) throw new Refusal('not_found');
    if (known.receipt !== null) return known.receipt.id;
    const [made] = await insertRequested(tx, sql`l.id = ${recordId}`);
    if (made === undefined) {
      // A concurrent request was first, or the entry belongs to a movement of ours that is still in
      // progress.
      const [again] = await findReceipts(tx, [recordId]);
      if (!again?.receipt) throw new Refusal('receipt_by_itself');
      return again.receipt.id;
    }
    await audit(tx, actor, 'receipt.asked', `receipt:${made}`, {
      record: recordId,
      asks: 'receipt',
    });
    await publish(tx, actor, { kind: 'receipt', id: made });
    return made;
  });
}

/**
 * Creates the receipts, due now, of all entries that have none and belong to no movement of ours.
 * `which` is a condition over `ledger_records l`.
 */
export async function insertRequested(tx: Tx, which: Prisma.Sql): Promise<string[]> {
  const made = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO receipts (merchant_id, record_id, state, next_at, paid_at)
    SELECT l.merchant_id, l.id, 'WAITING', clock_timestamp(), coalesce(l.completed_at, l.created_at)
      FROM ledger_records l LEFT JOIN ${OWN_MOVEMENT}
    WHERE ${which} AND m.id IS NULL ON CONFLICT DO NOTHING RETURNING id`;
  if (made.length > 0) await wakeWorkers(tx);
  return made.map((row) => row.id);
}

/** The number of receipts that `insertRequested` would create. */
export async function countRequestable(tx: Tx, which: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM ledger_records l LEFT JOIN ${OWN_MOVEMENT}
      LEFT JOIN receipts r ON r.merchant_id = l.merchant_id AND r.record_id = l.id
    WHERE ${which} AND m.id IS NULL AND r.id IS NULL`;
  return row.count;
}

/**
 * The receipts of ledger entries, by the ledger's id: null for an entry without one. Entries that
 * are not mirrored are left out.
 */
export async function receiptsOf(
  actor: Person,
  recordIds: readonly string[],
): Promise<Map<string, ReceiptRef | null>> {
  assertMay(actor, 'receipt.read');
  if (recordIds.length === 0) return new Map();
  const found = await inTransaction(actor.merchantId, (tx) => findReceipts(tx, recordIds));
  return new Map(found.map(({ record, receipt }) => [record, receipt]));
}

/** The receipts that can be downloaded, by the id of their movement. */
export async function readyReceipts(
  actor: Person,
  movementIds: readonly string[],
): Promise<Map<string, string>> {
  assertMay(actor, 'receipt.read');
  const rows = await inOne<{ id: string; movement: string }>(
    actor.merchantId,
    sql`SELECT id, movement_id AS movement FROM receipts
      WHERE movement_id = ANY(${movementIds}::uuid[]) AND state = 'READY'`,
  );
  return new Map(rows.map(({ id, movement }) => [movement, id]));
}

async function findReceipts(
  tx: Tx,
  recordIds: readonly string[],
): Promise<{ record: string; receipt: ReceiptRef | null }[]> {
  const rows = await tx.$queryRaw<
    { record: string; id: string | null; state: ReceiptRef['state'] }[]
  >`
    SELECT l.id AS record, coalesce(r.id, o.id) AS id, coalesce(r.state, o.state) AS state
    FROM ledger_records l LEFT JOIN receipts r ON r.merchant_id = l.merchant_id
      AND r.record_id = l.id LEFT JOIN ${OWN_MOVEMENT} LEFT JOIN receipts o ON o.movement_id = m.id
    WHERE l.id = ANY(${recordIds}::text[])`;
  return rows.map(({ record, id, state }) => ({
    record,
    receipt: id === null ? null : { id, state },
  }));
}
