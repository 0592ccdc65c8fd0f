import 'server-only';
import { createHash } from 'node:crypto';
import { env } from '#lib/env.ts';
import type { Rail } from '#lib/movements/advance.ts';
import type { CardRail } from '#lib/movements/rails.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import type { ConfirmOutcome, RefundOutcome } from '#lib/providers/card/words.ts';
import type { SendOutcome } from '#lib/providers/outcome.ts';
import { paymentFacts } from './facts.ts';
import { judge, operationOf } from './operation.ts';
import type { Operation } from './operation.ts';
import { answered, proven } from './proof.ts';
import type { Sent } from './proof.ts';

type Gateway = Pick<CardClient, 'readRecord' | 'captureHold' | 'releaseHold' | 'refundPayment'>;

/** A refusal of a refund that a record which is unchanged directly after it makes believable. */
const REFUND_FAILED = '49';

/**
 * How a capture, a release or a refund goes out and is asked about. The gateway documents no answer to a request that it has seen: each is
 * sent once, directly after its record was read and still allows it, and whatever is unclear then only the record decides.
 */
export function cardRail(merchantId: string, gateway: Gateway, rail: CardRail): Rail {
  const operation = operationOf(rail);
  return {
    async send(movement, beforeWrite) {
      const sent = sentOf(movement);
      const held = await lookBefore(merchantId, gateway, operation, sent);
      if (held !== null) return held;
      const outcome = await sendOnce(gateway, operation, sent, beforeWrite);
      if (outcome.kind !== 'look' || operation !== 'refund' || outcome.code !== REFUND_FAILED) return answered(sent, outcome);
      // "Failed", and also the answer to a repeat: believed as a refusal of this one only if its record, read after it, knows of nothing new.
      const after = proven(operation, sent, await gateway.readRecord({ invoiceId: sent.card.invoiceId, amountMinor: null }));
      return after.kind === 'not_found' ? { ...outcome, kind: 'refused', code: REFUND_FAILED } : answered(sent, outcome);
    },
    async read(movement) {
      const sent = sentOf(movement);
      const facts = await paymentFacts(merchantId, sent.card.paymentId);
      return proven(operation, sent, await gateway.readRecord({ invoiceId: sent.card.invoiceId, amountMinor: facts?.known.amountMinor ?? null }));
    },
    // There is no ledger of card money to look into, and the schedule asks for none.
    ledger: async () => ({ kind: 'not_listed', raw: null }),
  };
}

/** SHA-256 of what is asked for: the bytes on the wire differ by the random part of their hash key. */
export function cardOperationHash({ rail, extId, amountMinor, card }: MovementRow): string {
  return createHash('sha256').update(JSON.stringify([rail, card?.invoiceId, extId, amountMinor.toString()])).digest('hex');
}

/** Null when the record, read now, still allows it. Otherwise nothing leaves: because it does not, or because nobody can say. */
async function lookBefore(merchantId: string, gateway: Gateway, operation: Operation, { extId, amountMinor, card }: Sent): Promise<SendOutcome | null> {
  const facts = await paymentFacts(merchantId, card.paymentId).catch(() => null);
  if (facts === null) return notSent(null);
  const heard = await gateway.readRecord({ invoiceId: card.invoiceId, amountMinor: facts.known.amountMinor });
  if (heard.kind === 'no_answer' && heard.why !== 'mismatch') return notSent(heard.raw);
  // Our own number is on the record: books that were restored from a copy have forgotten that it was sent.
  if (heard.kind === 'found' && heard.refunds.some((row) => row.refundId === extId)) return { kind: 'record_exists', code: null, message: null, raw: heard.raw };
  const judged = judge(operation, facts.known, heard, facts.at);
  const refused = (code: string): SendOutcome => ({ kind: 'refused', code, message: null, raw: heard.raw });
  // When it was stored there was something to take or to give back.
  if (judged.kind === 'stop') return refused(judged.why === 'not_held' || judged.why === 'not_taken' ? 'changed_elsewhere' : judged.why);
  if (judged.standing.beforeMinor !== card.beforeMinor) return refused('changed_elsewhere');
  return amountMinor > judged.standing.leftMinor ? refused('more_than_left') : null;
}

function notSent(raw: string | null): SendOutcome {
  return { kind: 'not_sent', why: 'unreachable', raw, code: null, message: null };
}

function sendOnce(gateway: Gateway, operation: Operation, { extId, amountMinor, card: { invoiceId } }: Sent, beforeWrite: () => boolean): Promise<ConfirmOutcome | RefundOutcome> {
  switch (operation) {
    case 'capture':
      return gateway.captureHold({ invoiceId, amountMinor }, { beforeWrite });
    case 'release':
      return gateway.releaseHold({ invoiceId }, { beforeWrite });
    case 'refund':
      return gateway.refundPayment({ invoiceId, amountMinor, refundId: extId, ...refundHook() }, { beforeWrite });
  }
}

/** One that people at the gateway complete days later is told by a notice, where the panel has a name for ours. */
function refundHook(): { hook?: string } {
  const { refund } = env().cardHooks;
  return refund === null ? {} : { hook: refund };
}

function sentOf({ extId, amountMinor, currency, card }: MovementRow): Sent {
  if (card === null) throw new Error('a card operation names its payment');
  return { extId, amountMinor, currency, card };
}
