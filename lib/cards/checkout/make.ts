import 'server-only';
import { createHash, randomInt } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { dayIn } from '#lib/values/dates.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { ChargeContent, ChargeKind } from './content.ts';
import { readOffer } from './offer.ts';

/** Letters and digits without the ones that look alike. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARACTERS = 12;
/**
 * The delay before the record is first polled, because no card has been typed yet. A browser that
 * returns earlier triggers a poll at once.
 */
const FIRST_LOOK_SECONDS = 60;

export type Charge = { id: string; way: ChargeKind; amountMinor: bigint; content: ChargeContent };

/**
 * Puts a checkout into the register, under a unique invoice number, before anything is sent. A
 * repeated submit of the same form returns the same payment; with other content it is refused.
 *
 * @throws Refusal not_allowed, too_many, way_closed, same_id_other_content
 */
export async function makeCharge(actor: Person, charge: Charge): Promise<{ isNew: boolean }> {
  assertMay(actor, 'card.charge');
  await countAttempt(actor, 'card.charge');
  const { ways, recurring } = await readOffer(actor);
  const hash = createHash('sha256')
    .update(JSON.stringify([charge.way, charge.amountMinor.toString(), charge.content]))
    .digest('hex');
  return inTransaction(actor.merchantId, async (tx) => {
    const earlier = await known();
    if (earlier) return earlier;
    if (!ways.includes(charge.way) || (charge.content.recurring && !recurring))
      throw new Refusal('way_closed');
    const now = await databaseNow(tx);
    const invoice = freshInvoice(now);
    // An authorization is at most as old as this row: its age is never underestimated.
    const made = await tx.$executeRaw`
      INSERT INTO card_payments (id, merchant_id, invoice_id, source, added_by, kind, content,
        content_hash, amount_minor, currency, held_since, next_at)
      VALUES (${charge.id}::uuid, ${actor.merchantId}::uuid, ${invoice}, 'made_here',
        ${actor.personId}::uuid, ${charge.way}, ${JSON.stringify(charge.content)}::jsonb, ${hash},
        ${charge.amountMinor}, ${charge.content.currency},
        ${charge.content.hold ? now : null},
          clock_timestamp() + make_interval(secs => ${FIRST_LOOK_SECONDS}))
      ON CONFLICT (id) DO NOTHING`;
    if (made === 0) return (await known())!;
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
        VALUES (${actor.merchantId}::uuid, ${charge.id}::uuid, 'person', 'made',
        ${JSON.stringify({ by: actor.name })}::jsonb)`;
    await audit(
      tx,
      actor,
      'card.charge_made',
      `card:${charge.id}`,
      {
        invoice,
        kind: charge.way,
        amount: charge.amountMinor.toString(),
        currency: charge.content.currency,
      },
      { buyer: `${charge.content.buyer.name} ${charge.content.buyer.surname}` },
    );
    await publish(tx, actor, { kind: 'card', id: charge.id });
    await wakeWorkers(tx);
    return { isNew: true };

    async function known(): Promise<{ isNew: boolean } | null> {
      const [row] = await tx.$queryRaw<
        Row<'card_payments', 'content_hash'>[]
      >`SELECT content_hash FROM card_payments WHERE id = ${charge.id}::uuid`;
      if (row && row.content_hash !== hash) throw new Refusal('same_id_other_content');
      return row ? { isNew: false } : null;
    }
  });
}

/**
 * A new invoice number such as `K20261121-7F3K9QXA2MNB`: a readable day and an unguessable rest.
 */
function freshInvoice(now: Date): string {
  const random = Array.from(
    { length: RANDOM_CHARACTERS },
    () => ALPHABET[randomInt(ALPHABET.length)],
  ).join('');
  return `K${dayIn(now.toISOString(), env().timeZone).replaceAll('-', '')}-${random}`;
}
