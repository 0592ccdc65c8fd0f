import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { typesCard } from '#lib/values/card-number.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { publishEach, wakeWorkers } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { beginningOf } from './authorized-on.ts';
import { readInvoiceIds } from './invoice-ids.ts';

export type Added = { added: number; known: number };

/**
 * Adds orders by their invoice numbers, one a line or separated by commas; each is queried at once.
 * `heldOn`: the day of the authorization, if known; without it the end of the authorization is
 * unknown.
 *
 * @throws Refusal `not_allowed`, `invoice_ids_empty`, `invoice_ids_many`, `invoice_ids_unreadable`
 * (which repeats a piece of it), `card_number_typed`, `held_on_unreadable`
 */
export async function addCardPayments(
  actor: Person,
  { text, heldOn }: { text: string; heldOn: string },
): Promise<Added> {
  assertMay(actor, 'card.add');
  const ids = readInvoiceIds(text);
  if (ids.kind !== 'ids')
    throw new Refusal(
      `invoice_ids_${ids.kind}`,
      ids.kind === 'many' ? { max: ids.max } : ids.kind === 'unreadable' ? { line: ids.line } : {},
    );
  if (ids.ids.some(typesCard)) throw new Refusal('card_number_typed');
  return inTransaction(actor.merchantId, async (tx) => {
    const now = await databaseNow(tx);
    const heldSince = heldOn === '' ? null : beginningOf(heldOn, now);
    const fresh = await tx.$queryRaw<{ id: string; invoice_id: string }[]>`
      INSERT INTO card_payments (merchant_id, invoice_id, source, added_by, held_since, next_at)
      SELECT ${actor.merchantId}::uuid, invoice_id, 'person', ${actor.personId}::uuid, ${heldSince},
        clock_timestamp() FROM unnest(${ids.ids}::text[]) AS invoice_id
      ON CONFLICT (merchant_id, invoice_id) DO NOTHING RETURNING id, invoice_id`;
    // Payments known already are queried again, and get the entered day if their age was unknown.
    const known = await tx.$queryRaw<{ id: string }[]>`
      UPDATE card_payments SET next_at = clock_timestamp(), tries = 0,
        held_since = coalesce(held_since, ${heldSince})
      WHERE invoice_id = ANY(${ids.ids}::text[]) AND id <> ALL(${fresh.map((row) => row.id)}::uuid[])
      RETURNING id`;
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
      SELECT ${actor.merchantId}::uuid, id, 'person', 'added',
        jsonb_build_object('by', ${actor.name}::text, 'heldOn', ${heldOn}::text)
        FROM unnest(${fresh.map((row) => row.id)}::uuid[]) AS id`;
    await audit(tx, actor, 'card.added', 'card:many', {
      invoices: fresh.map((row) => row.invoice_id),
      heldOn,
    });
    await wakeWorkers(tx);
    await publishEach(
      tx,
      actor,
      [...fresh, ...known].map(({ id }) => ({ kind: 'card', id })),
    );
    return { added: fresh.length, known: ids.ids.length - fresh.length };
  });
}
