import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { inTransaction } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { announce, wakeWorkers } from '#lib/movements/evidence.ts';
import { cardClient } from '#lib/providers/card/here.ts';
import type { Sending } from '#lib/providers/card/pay.ts';
import type { TypedCard } from '#lib/providers/card/typed-card.ts';
import type { CompletionOutcome, PaymentOutcome } from '#lib/providers/card/words.ts';
import { Refusal } from '#lib/refusal.ts';
import { cardOrderOf, savedOrderOf } from './content.ts';
import { factsOf, findCharge, isOpen, isVerified } from './row.ts';
import type { RawCharge } from './row.ts';
import { savedCardOf } from './take.ts';

/** The request has ended by then (10 s for a token, 30 s for the exchange): who sends and dies has its record read. */
const ANSWER_SECONDS = 45;
const RAW_MAX_CHARACTERS = 64 * 1024;

/**
 * Charges a card that was typed in, through this server (`CARD_ENTRY` = all). The card is in memory for this one request; that it may leave is
 * written before the connection is made, what was heard is written after it, and nothing is ever sent a second time. What became of it, only
 * the gateway's record says: it is read next.
 *
 * @throws Refusal not_allowed, not_found, way_closed
 */
export async function chargeTypedCard(actor: Person, id: string, card: TypedCard): Promise<void> {
  if (env().cardEntry !== 'all') throw new Refusal('way_closed');
  await sendOnce(actor, id, (raw) => raw.kind === 'non_secure' && isOpen(raw), async (raw, sending) => {
    const { insurance } = raw.content;
    return cardClient().payByCard(cardOrderOf(factsOf(raw, actor.ip)), card, sending, insurance);
  });
}

/**
 * Charges a card that the gateway keeps, in the same way.
 *
 * @throws Refusal not_allowed, not_found, saved_card_gone
 */
export async function chargeSavedCard(actor: Person, id: string): Promise<void> {
  require(actor, 'card.charge');
  const before = await inTransaction(actor.merchantId, (tx) => findCharge(tx, id));
  if (before?.kind !== 'saved_non_secure') throw new Refusal('not_found');
  // Before anything is said to be sent: a card that is gone leaves the payment open.
  const card = await savedCardOf(before.content);
  if (card === null) throw new Refusal('saved_card_gone');
  await sendOnce(actor, id, (raw) => raw.kind === 'saved_non_secure' && isOpen(raw), async (raw, sending) => {
    const order = savedOrderOf(factsOf(raw, actor.ip), card.token);
    return cardClient().payBySavedCard({ ...order, ip: order.ip ?? '127.0.0.1', cardProgram: order.cardProgram! }, sending);
  });
}

/**
 * Takes the money of a card that the bank has verified, or calls the order off (`published`: within 15 minutes). A person's decision, sent
 * once: which order it is, the gateway's own record has said.
 *
 * @throws Refusal not_allowed, not_found
 */
export async function completeCharge(actor: Person, id: string, what: 'complete' | 'cancel'): Promise<void> {
  await sendOnce(actor, id, isVerified, (raw, sending) =>
    cardClient().completePayment({ invoiceId: raw.invoice_id, orderId: raw.order_id!, amountMinor: raw.amount_minor, currency: raw.currency, hold: raw.content.hold === true }, what, sending));
}

/** Nothing, when it was sent before: whoever presses twice is shown the payment. */
async function sendOnce(actor: Person, id: string, may: (raw: RawCharge) => boolean, send: (raw: RawCharge, sending: Sending) => Promise<CompletionOutcome>): Promise<void> {
  require(actor, 'card.charge');
  const raw = await claim(actor, id, may);
  if (raw === null) return;
  const until = performance.now() + ANSWER_SECONDS * 1_000;
  // Whatever is thrown, nobody can say any more that nothing left.
  const heard = await send(raw, { beforeWrite: () => performance.now() < until }).catch((): PaymentOutcome => ({ kind: 'unclear', why: 'shape', raw: null, code: null, message: null }));
  await keep(actor, id, heard);
}

async function claim(actor: Person, id: string, may: (raw: RawCharge) => boolean): Promise<RawCharge | null> {
  return inTransaction(actor.merchantId, async (tx) => {
    const raw = await findCharge(tx, id);
    if (raw === null) throw new Refusal('not_found');
    if (!may(raw)) return null;
    const claimed = await tx.$executeRaw`
      UPDATE card_payments SET sent_at = clock_timestamp(), tries = 0, next_at = clock_timestamp() + make_interval(secs => ${ANSWER_SECONDS})
      WHERE id = ${id}::uuid AND sent_at IS NULL AND state IS NOT DISTINCT FROM ${raw.state}`;
    if (claimed === 0) return null;
    await tx.$executeRaw`INSERT INTO card_testimonies (merchant_id, payment_id, witness, kind, detail) VALUES (${actor.merchantId}::uuid, ${id}::uuid, 'person', 'sending', ${JSON.stringify({ by: actor.name })}::jsonb)`;
    await audit(tx, actor, 'card.charge_sent', `card:${id}`, { invoice: raw.invoice_id, amount: raw.amount_minor.toString() });
    await announce(tx, actor.merchantId, { kind: 'card', id });
    return raw;
  });
}

async function keep(actor: Person, id: string, heard: CompletionOutcome): Promise<void> {
  const why = 'why' in heard ? heard.why : null;
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE card_payments SET answer = ${heard.kind}, next_at = clock_timestamp(), tries = 0 WHERE id = ${id}::uuid AND answer IS NULL`;
    await tx.$executeRaw`
      INSERT INTO card_testimonies (merchant_id, payment_id, witness, kind, detail, raw)
      VALUES (${actor.merchantId}::uuid, ${id}::uuid, 'answer', ${heard.kind}, ${JSON.stringify({ code: heard.code, why })}::jsonb, ${heard.raw?.slice(0, RAW_MAX_CHARACTERS).replaceAll('\u0000', '').toWellFormed() ?? null})`;
    await audit(tx, actor, 'card.charge_answered', `card:${id}`, { answer: heard.kind, code: heard.code, why });
    await wakeWorkers(tx);
    await announce(tx, actor.merchantId, { kind: 'card', id });
  });
}
