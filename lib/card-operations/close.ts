import 'server-only';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { databaseNow, inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { announce, record } from '#lib/movements/evidence.ts';
import { findMovement } from '#lib/movements/intent.ts';
import { isCardOperation } from '#lib/movements/rails.ts';
import { fromRaw } from '#lib/movements/row.ts';
import type { MovementRow, RawMovement } from '#lib/movements/row.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { cardClient } from '#lib/providers/card/here.ts';
import { countKnock } from '#lib/rate-limit.ts';
import { Refusal } from '#lib/refusal.ts';
import { stopReason } from '#lib/sending/stop.ts';
import { UUID } from '#lib/uuid.ts';
import { closeNeedsTwo, closeRefusal } from './closable.ts';
import { paymentFacts } from './facts.ts';
import { operationOf } from './operation.ts';
import { proven } from './proof.ts';

/** A first person's word is forgotten after this. */
const ASKED_HOURS = 24;

/** `asked`: the first of two people has said so. */
export type Closed = { kind: 'closed' } | { kind: 'asked' };

/**
 * A person says that an unclear operation was not carried out: only after the quiet time, only after the record has said so again and again,
 * and only if it says so once more at this moment; or if it goes on showing another amount than was asked for. Of a refund, and then, two
 * people say it. The order is free for another operation afterwards; this one has failed, for good.
 *
 * @throws Refusal not_allowed, not_found, too_many, stop_reason_needed, close_not_unknown, close_too_early, close_unverified
 */
export async function closeAsNotDone(actor: Person, { id, reason }: { id: string; reason: string }, card: Pick<CardClient, 'readRecord'> = cardClient()): Promise<Closed> {
  require(actor, 'card.capture');
  const why = stopReason(reason);
  const movement = UUID.test(id) ? await inTransaction(actor.merchantId, (tx) => findMovement(tx, id)) : null;
  if (movement === null || !isCardOperation(movement.rail) || movement.card === null) throw new Refusal('not_found');
  const operation = operationOf(movement.rail);
  if (operation === 'refund') require(actor, 'card.refund');
  await countKnock(actor, 'card.look');
  const { card: part } = movement;
  const facts = await paymentFacts(actor.merchantId, part.paymentId);
  const heard = proven(operation, { ...movement, card: part }, await card.readRecord({ invoiceId: part.invoiceId, amountMinor: facts?.known.amountMinor ?? null }));
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE id = ${id}::uuid FOR UPDATE`;
    const now = (await databaseNow(tx)).getTime();
    const before = fromRaw(raw!);
    const refusal = closeRefusal(before, now, env().resendQuietSeconds * 1_000);
    if (refusal !== null) throw new Refusal(refusal);
    const isOther = before.attention === 'mismatch' && heard.kind === 'no_answer' && heard.why === 'mismatch';
    if (heard.kind !== 'not_found' && !isOther) throw new Refusal('close_unverified');
    if (closeNeedsTwo(operation, before.attention) && !(await isSecond(tx, actor, id))) {
      await say(tx, actor, before, 'close_asked', why);
      return { kind: 'asked' };
    }
    await say(tx, actor, before, 'closed', why);
    await record(tx, actor, before, { witness: 'person', kind: 'resolved_not_sent' }, now, () => ({ nextAt: null, lease: null }));
    return { kind: 'closed' };
  });
}

/** Somebody else said it, not long ago. The caller holds the movement's row. */
async function isSecond(tx: Tx, actor: Person, movementId: string): Promise<boolean> {
  const [first] = await tx.$queryRaw<unknown[]>`
    SELECT t.id FROM card_testimonies t JOIN movements m ON m.card_payment_id = t.payment_id AND m.id = ${movementId}::uuid
    WHERE t.kind = 'close_asked' AND t.detail ->> 'movementId' = ${movementId} AND t.detail ->> 'byId' <> ${actor.personId} AND t.at > clock_timestamp() - make_interval(hours => ${ASKED_HOURS}) LIMIT 1`;
  return first !== undefined;
}

async function say(tx: Tx, actor: Person, { id, card }: MovementRow, kind: 'close_asked' | 'closed', reason: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO card_testimonies (merchant_id, payment_id, witness, kind, detail)
    VALUES (${actor.merchantId}::uuid, ${card!.paymentId}::uuid, 'person', ${kind}, ${JSON.stringify({ movementId: id, byId: actor.personId, by: actor.name, reason })}::jsonb)`;
  await announce(tx, actor.merchantId, { kind: 'card', id: card!.paymentId });
  await audit(tx, actor, `card.${kind}`, `movement:${id}`, {}, { reason });
}
