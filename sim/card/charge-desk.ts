import { cardChargeStep } from '#lib/cards/checkout/charge-step.ts';
import type { CardAnswer, CardChargeEffect } from '#lib/cards/checkout/charge-step.ts';
import { standingRefusal } from '#lib/begin-check/begin-check.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { classifyPayment } from '#lib/providers/card/classify-payment.ts';
import { CARD_CODES } from '#lib/providers/card/codes.ts';
import type { CompletionOutcome } from '#lib/providers/card/types.ts';
import type { Exchange } from '#lib/providers/outcome.ts';
import { chargeCloseRefusal, chargeQuestion } from '#lib/cards/recurring/charge-closing.ts';
import type { ChargeClaim } from '#lib/cards/recurring/charge-closing.ts';
import { isShownBy, nextCharge } from '#lib/cards/recurring/plan.ts';
import { standingOf } from '#lib/second-person/standing.ts';
import { No } from '../desk.ts';
import type { ChargeRow } from './charge-store.ts';
import { driven } from './effect.ts';
import type { Lane } from './effect.ts';
import { hashOf } from './gateway-charges.ts';
import { PREFIX } from './operations.ts';
import { isAwaited } from './plan-register.ts';
import { UNREAD } from './register.ts';
import type { CardTx, PaymentRow } from './store.ts';
import { money } from './wire.ts';

/** What people do with plans and cards in the web process, by the product's own rules. */

const ANSWER_MS = 45_000;
/**
 * The record of a payment that was created here is checked from this time on, whether or not the
 * payment's request was sent (lib/cards/checkout/make.ts).
 */
const FIRST_LOOK_MS = 60_000;
const LOOKS_WAITED = 8;
const POLL_MS = 1_000;

export type PlanForm = {
  id: string;
  planId: string;
  need: number;
  maker: string;
  number: number | null;
  amountMinor: bigint;
  taken: number;
};

/** Does what lib/cards/recurring/start-charge.ts does. Returns the refusal code, or null. */
export function* startPlanCharge(form: PlanForm): Lane<string | null> {
  return (yield {
    kind: 'transaction',
    name: 'press',
    work: (tx: CardTx) => storeCharge(tx, form),
  }) as string | null;
}

function storeCharge(
  tx: CardTx,
  { id, planId, need, maker, number, amountMinor, taken }: PlanForm,
): string | null {
  if (tx.charge(id) !== null) return null;
  if (tx.switchedOff) return 'stopped';
  if (tx.charges().some((one) => one.planId === planId && isAwaited(one, tx.now))) return 'awaited';
  const { known } = tx.plan(planId);
  if (nextCharge(known) === null) return 'not_active';
  if (known.problem === 'contradiction' || !isShownBy(known, { number, amountMinor, taken }))
    return 'changed';
  const row: ChargeRow = {
    id,
    planId,
    need,
    maker,
    number,
    amountMinor,
    currency: known.currency,
    state: 'QUEUED',
    reason: null,
    before: null,
    reads: 0,
    taken: null,
    askedAt: tx.now,
    sentAt: null,
    leaseUntil: null,
    contradictedAt: null,
    seenAt: null,
  };
  return tx.insertCharge(row) ? null : 'open';
}

/**
 * Stores one person's claim about a charge that was sent, as lib/cards/recurring/close-charge.ts
 * does.
 */
export function* closePlanCharge(id: string, by: string, claim: ChargeClaim): Lane<string> {
  for (let left = LOOKS_WAITED; ; left--) {
    const closed = (yield {
      kind: 'transaction',
      name: 'close',
      work: (tx: CardTx) => say(tx, id, by, claim),
    }) as string;
    if (closed !== 'look_first' || left === 0) return closed;
    yield { kind: 'rest', ms: POLL_MS };
  }
}

function say(tx: CardTx, id: string, by: string, claim: ChargeClaim): string {
  const row = tx.charge(id);
  if (row === null) throw new No('not_found');
  const plan = tx.plan(row.planId);
  const charge = {
    id,
    state: row.state,
    personId: row.maker,
    sentAt: row.sentAt,
    reads: row.reads,
  };
  const refusal = chargeCloseRefusal(
    charge,
    plan.known.problem === null ? plan.known.verifiedAt : null,
    tx.now,
  );
  if (refusal === 'close_unverified') {
    tx.keepPlan({ ...plan, nextAt: tx.now, tries: 0 });
    return 'look_first';
  }
  if (refusal !== null) throw new No(refusal);
  const { boundTo, makerId } = chargeQuestion(charge);
  tx.keepWord(id, { by, claim, at: tx.now, boundTo });
  const words = tx
    .statementsOf(id)
    .filter((one) => one.boundTo === boundTo)
    .map((one) => ({
      personId: one.by,
      name: one.by,
      role: 'approver' as const,
      claim: one.claim,
      reason: '',
      reference: 'TCK-1',
      at: one.at,
    }));
  const standing = standingOf(words, { now: tx.now, makerId, needs: 'approver' });
  if (standing.kind !== 'agreed' || standing.claim !== claim) return 'asked';
  tx.updateCharge(id, {
    state: claim === 'done' ? 'CHARGED' : 'NOT_CHARGED',
    reason: 'people_said',
  });
  return 'closed';
}

/** Does what lib/cards/recurring/acknowledge.ts does. */
export function acknowledge(tx: CardTx, planId: string): void {
  const found = tx
    .charges()
    .filter((one) => one.planId === planId && one.contradictedAt !== null && one.seenAt === null);
  for (const { id } of found) tx.updateCharge(id, { seenAt: tx.now });
  if (found.length > 0) tx.keepPlan({ ...tx.plan(planId), nextAt: tx.now, tries: 0 });
}

export type CardForm = {
  id: string;
  invoiceId: string;
  need: number;
  maker: string;
  amountMinor: bigint;
};

/**
 * Charges a card through this server, once: the product's own order of effects, as
 * lib/cards/checkout/send.ts carries it out.
 */
export function* chargeCard(form: CardForm, clocks: () => Clocks): Lane<string | null> {
  yield { kind: 'transaction', name: 'make', work: (tx: CardTx) => make(tx, form) };
  const answer = yield* driven(cardChargeStep<CardForm>(clocks), (effect) =>
    carryOut(form, effect),
  );
  return answer === null ? 'sent_before' : null;
}

function make(tx: CardTx, { id, invoiceId, need, maker, amountMinor }: CardForm): void {
  if (tx.payment(id) !== null) return;
  tx.keepPayment({
    id,
    invoiceId,
    known: { ...UNREAD, amountMinor },
    nextAt: tx.now + FIRST_LOOK_MS,
    tries: 0,
    firstSeenAt: tx.now,
    lastHintAt: null,
    made: { need, maker, sentAt: null, answer: null },
  });
}

function* carryOut(form: CardForm, effect: CardChargeEffect<CardForm>): Lane<unknown> {
  switch (effect.kind) {
    case 'claim':
      return yield {
        kind: 'transaction',
        name: 'claim card',
        work: (tx) => (claim(tx, form.id) ? form : null),
      };
    case 'begin':
      return yield* begin(form);
    case 'request': {
      const { invoiceId, amountMinor } = form;
      const body = JSON.stringify({
        invoice_id: invoiceId,
        total: money(amountMinor),
        currency_code: 'TRY',
      });
      const exchange = (yield {
        kind: 'request',
        path: 'pay',
        body,
        intent: invoiceId,
        token: invoiceId,
        mayWrite: effect.mayWrite,
      }) as Exchange;
      return classifyPayment(
        exchange,
        { invoiceId, amountMinor, currency: 'TRY', hold: false },
        CARD_CODES.charge,
        { fieldPrefix: PREFIX, agrees },
      ) satisfies CompletionOutcome;
    }
    case 'record':
      return yield {
        kind: 'transaction',
        name: `record ${effect.answer.kind}`,
        work: (tx) => keep(tx, form.id, effect.answer),
      };
    case 'query':
    case 'renew':
      throw new Error(`a card charge has no step ${effect.kind}`);
    case 'rest':
      return yield { kind: 'rest', ms: effect.ms };
  }
}

function agrees(
  hashKey: unknown,
  parts: readonly (string | { amountMinor: bigint } | null)[],
): boolean {
  return (
    hashKey ===
    hashOf(parts.map((part) => (typeof part === 'string' ? part : money(part?.amountMinor ?? 0n))))
  );
}

function claim(tx: CardTx, id: string): boolean {
  const row = tx.payment(id);
  if (row?.made === null || row === null || row.made.sentAt !== null || row.known.state !== null)
    return false;
  if (tx.switchedOff) throw new No('card_charge_stopped');
  const { account, checkpoint } = tx.standing();
  if (account !== 'bound' || checkpoint !== 'present') throw new No('card_charge_unconfirmed');
  tx.keepPayment({
    ...row,
    tries: 0,
    nextAt: tx.now + ANSWER_MS,
    made: { ...row.made, sentAt: tx.now },
  });
  return true;
}

function* begin({ id, invoiceId }: CardForm): Lane<Begun> {
  const facts = (yield {
    kind: 'transaction',
    name: 'begin',
    work: (tx: CardTx): Begun => {
      const made = tx.payment(id)?.made ?? null;
      const isOwn =
        made !== null &&
        made.answer === null &&
        made.sentAt !== null &&
        made.sentAt + ANSWER_MS > tx.now;
      return {
        row: isOwn ? 'own' : 'changed',
        ...tx.standing(),
        stopped: tx.switchedOff,
        confirmed: true,
        journal: 'written',
      };
    },
  }) as Begun;
  if (standingRefusal(facts) !== null) return facts;
  const isWritten = (yield { kind: 'journal', reference: invoiceId, attempt: 1 }) as boolean;
  return { ...facts, journal: isWritten ? 'written' : 'failed' };
}

function keep(tx: CardTx, id: string, answer: CardAnswer): void {
  const row: PaymentRow | null = tx.payment(id);
  // A restore may have removed the row.
  if (row?.made === null || row === null) return;
  if (row.made.answer === null)
    tx.keepPayment({
      ...row,
      tries: 0,
      nextAt: tx.now,
      made: { ...row.made, answer: answer.kind },
    });
}
