import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { readBegin, readStanding } from '#lib/movements/begin.ts';
import type { BeginPorts } from '#lib/movements/begin.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import { carriedOut } from '#lib/movements/carry-out.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { Sending } from '#lib/providers/card/pay.ts';
import type { TypedCard } from '#lib/providers/card/typed-card.ts';
import type { CompletionOutcome } from '#lib/providers/card/types.ts';
import { CARD_CHARGE, CARD_COMPLETION, cardChargeEntry } from '#lib/begin-check/journal-entry.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { beginHere } from './begin-here.ts';
import { cardChargeStep } from './charge-step.ts';
import type { CardAnswer } from './charge-step.ts';
import { cardOrderOf, savedOrderOf } from './content.ts';
import { factsOf, findCharge, isOpen, isVerified } from './row.ts';
import type { StoredCharge } from './row.ts';
import { savedCardOf } from './take.ts';

/**
 * How long a claimed charge waits for its response (10 s at most for a token, 30 s for the
 * exchange). After this time the sending process may have died, and the payment's record is polled.
 */
const ANSWER_SECONDS = 45;
const RAW_MAX_CHARACTERS = 64 * 1024;
/** No stop switch is specific to card charges: only a stop of everything applies to them. */
const SUBJECT = { kind: CARD_CHARGE, ofGateway: true } as const;

/** The kind in the journal entry: a charge, or the second step of one. */
type JournalKind = typeof CARD_CHARGE | typeof CARD_COMPLETION;

/**
 * Charges a card typed into our form, through this server (`CARD_ENTRY` = all). The card is in
 * memory for this one request. The journal entry is written before the connection is opened, the
 * response is recorded after it, and nothing is ever sent twice. Only the gateway's record decides
 * the outcome: it is polled next.
 *
 * @throws Refusal not_allowed, not_found, way_closed, card_charge_stopped, card_charge_unconfirmed
 */
export async function chargeTypedCard(
  actor: Person,
  id: string,
  card: TypedCard,
  ports = beginHere(),
): Promise<void> {
  if (env().cardEntry !== 'all') throw new Refusal('way_closed');
  await sendOnce(
    actor,
    id,
    CARD_CHARGE,
    (raw) => raw.kind === 'non_secure' && isOpen(raw),
    async (raw, sending) => {
      const { insurance } = raw.content;
      return cardClient().payByCard(cardOrderOf(factsOf(raw, actor.ip)), card, sending, insurance);
    },
    ports,
  );
}

/**
 * Charges a card that the gateway stores, in the same way as {@link chargeTypedCard}.
 *
 * @throws Refusal not_allowed, not_found, saved_card_gone, card_charge_stopped,
 * card_charge_unconfirmed
 */
export async function chargeSavedCard(
  actor: Person,
  id: string,
  ports = beginHere(),
): Promise<void> {
  assertMay(actor, 'card.charge');
  const before = await inTransaction(actor.merchantId, (tx) => findCharge(tx, id));
  if (before?.kind !== 'saved_non_secure') throw new Refusal('not_found');
  // Fetch the card before the claim, so that a deleted card leaves the payment open.
  const card = await savedCardOf(before.content);
  if (card === null) throw new Refusal('saved_card_gone');
  await sendOnce(
    actor,
    id,
    CARD_CHARGE,
    (raw) => raw.kind === 'saved_non_secure' && isOpen(raw),
    async (raw, sending) => {
      const order = savedOrderOf(factsOf(raw, actor.ip), card.token);
      return cardClient().payBySavedCard(
        { ...order, ip: order.ip ?? '127.0.0.1', cardProgram: order.cardProgram! },
        sending,
      );
    },
    ports,
  );
}

/**
 * Captures the money of a card that the bank has verified, or cancels the order (`published`:
 * within 15 minutes). A person's decision, sent once. The order id comes from the gateway's own
 * record.
 *
 * @throws Refusal not_allowed, not_found, card_charge_stopped, card_charge_unconfirmed
 */
export async function completeCharge(
  actor: Person,
  id: string,
  what: 'complete' | 'cancel',
  ports = beginHere(),
): Promise<void> {
  await sendOnce(
    actor,
    id,
    CARD_COMPLETION,
    isVerified,
    (raw, sending) =>
      cardClient().completePayment(
        {
          invoiceId: raw.invoice_id,
          orderId: raw.order_id!,
          amountMinor: raw.amount_minor,
          currency: raw.currency,
          hold: raw.content.hold === true,
        },
        what,
        sending,
      ),
    ports,
  );
}

type Send = (raw: StoredCharge, sending: Sending) => Promise<CompletionOutcome>;

/**
 * Sends a charge or a completion that was not sent before; a second click only shows the payment.
 */
async function sendOnce(
  actor: Person,
  id: string,
  kind: JournalKind,
  may: (raw: StoredCharge) => boolean,
  send: Send,
  ports: BeginPorts,
): Promise<void> {
  assertMay(actor, 'card.charge');
  // Write the checkpoint before the claim, so that a folder that cannot be written leaves the
  // payment open.
  if (!(await ports.checkpointWritten().catch(() => false)))
    throw new Refusal('card_charge_unconfirmed');
  await carriedOut(
    cardChargeStep<StoredCharge>(() => ({ monotonic: performance.now(), wall: Date.now() })),
    async (effect) => {
      switch (effect.kind) {
        case 'claim':
          return claim(actor, id, may, ports);
        case 'begin':
          return begin(actor, kind, ports, effect.task);
        case 'request':
          return send(effect.task, { beforeWrite: effect.mayWrite });
        case 'record':
          return keep(actor, id, effect.answer);
        case 'rest':
          return void (await pause(effect.ms));
        case 'query':
        case 'renew':
          throw new Error(`a card charge has no step ${effect.kind}`);
      }
    },
  );
}

async function begin(
  actor: Person,
  kind: JournalKind,
  ports: BeginPorts,
  { id, invoice_id: invoiceId, amount_minor: amountMinor, currency }: StoredCharge,
): Promise<Begun> {
  return readBegin(actor.merchantId, ports, {
    ...SUBJECT,
    entry: () => cardChargeEntry(kind, { invoiceId, amountMinor, currency }),
    readRow: async (tx) => {
      // A charge is claimed once: while no response is recorded, this process still owns the claim.
      const rows = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM card_payments WHERE id = ${id}::uuid AND answer IS NULL
          AND sent_at + make_interval(secs => ${ANSWER_SECONDS}) > clock_timestamp()`;
      return { isOwn: rows.length === 1, isConfirmed: true };
    },
  });
}

/** @throws Refusal not_found, card_charge_stopped, card_charge_unconfirmed */
async function claim(
  actor: Person,
  id: string,
  may: (raw: StoredCharge) => boolean,
  ports: BeginPorts,
): Promise<StoredCharge | null> {
  return inTransaction(actor.merchantId, async (tx) => {
    const raw = await findCharge(tx, id);
    if (raw === null) throw new Refusal('not_found');
    if (!may(raw)) return null;
    const standing = await readStanding(tx, ports, SUBJECT);
    if (standing.stopped) throw new Refusal('card_charge_stopped');
    if (standing.checkpoint !== 'present' || standing.account !== 'bound')
      throw new Refusal('card_charge_unconfirmed');
    const claimed = await tx.$executeRaw`
      UPDATE card_payments SET sent_at = clock_timestamp(), tries = 0,
        next_at = clock_timestamp() + make_interval(secs => ${ANSWER_SECONDS})
      WHERE id = ${id}::uuid AND sent_at IS NULL AND state IS NOT DISTINCT FROM ${raw.state}`;
    if (claimed === 0) return null;
    await tx.$executeRaw`INSERT INTO card_observations (merchant_id, payment_id, source, kind,
      detail) VALUES (${actor.merchantId}::uuid, ${id}::uuid, 'person', 'sending',
      ${JSON.stringify({ by: actor.name })}::jsonb)`;
    await audit(tx, actor, 'card.charge_sent', `card:${id}`, {
      invoice: raw.invoice_id,
      amount: raw.amount_minor.toString(),
    });
    await publish(tx, actor, { kind: 'card', id });
    return raw;
  });
}

async function keep(actor: Person, id: string, answer: CardAnswer): Promise<void> {
  const why = 'refusal' in answer ? answer.refusal : 'why' in answer ? answer.why : null;
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE card_payments SET answer = ${answer.kind},
      next_at = clock_timestamp(), tries = 0 WHERE id = ${id}::uuid AND answer IS NULL`;
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail, raw)
      VALUES (${actor.merchantId}::uuid, ${id}::uuid, 'answer', ${answer.kind},
        ${JSON.stringify({ code: answer.code, why })}::jsonb,
        ${answer.raw?.slice(0, RAW_MAX_CHARACTERS).replaceAll('\u0000', '').toWellFormed() ?? null})`;
    await audit(tx, actor, 'card.charge_answered', `card:${id}`, {
      answer: answer.kind,
      code: answer.code,
      why,
    });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id });
  });
}
