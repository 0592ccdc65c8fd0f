import { standingRefusal } from '#lib/begin-check/begin-check.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { classifyPlanCharge } from '#lib/providers/card/classify-plan.ts';
import { CARD_CODES } from '#lib/providers/card/codes.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Exchange, Reply } from '#lib/providers/outcome.ts';
import { objection, QUEUE_LIFE_MS } from '#lib/cards/recurring/charge.ts';
import { chargesBeforeRestored } from '#lib/send-control/recovery/restored-charges.ts';
import type { NotChargedReason } from '#lib/cards/recurring/charge.ts';
import { chargeStep } from '#lib/cards/recurring/charge-step.ts';
import type { ChargeAnswer, ChargeClaim, ChargeEffect } from '#lib/cards/recurring/charge-step.ts';
import type { KnownCharge } from '#lib/cards/recurring/plan.ts';
import { DatabaseFault } from '../database.ts';
import type { ChargeRow } from './charge-store.ts';
import { driven } from './effect.ts';
import type { Lane } from './effect.ts';
import { PREFIX } from './operations.ts';
import { keepPlan, readPlan } from './plan-register.ts';
import type { CardTx } from './store.ts';

/**
 * The worker's lane for charges of plans: it runs the product's own order of effects over the
 * transactions of lib/cards/recurring/charge-due.ts, which it plays in memory.
 */

const LEASE_MS = 60_000;
const FAULT_PAUSE_MS = 5_000;

type Task = {
  charge: ChargeRow;
  restored: boolean;
  planCode: string;
  at: number;
  merchantNumber: string | null;
};

export function* workOnPlanCharges(clocks: () => Clocks): Lane {
  for (;;) {
    try {
      if (!(yield* driven(chargeStep<Task>(clocks), carryOut))) return;
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'rest', ms: FAULT_PAUSE_MS };
    }
  }
}

function* carryOut(effect: ChargeEffect<Task>): Lane<unknown> {
  switch (effect.kind) {
    case 'claim':
      return yield { kind: 'transaction', name: 'plan charge claim', work: claim };
    case 'query':
      return yield* readPlan(effect.task.planCode);
    case 'leave':
      return yield {
        kind: 'transaction',
        name: 'leave',
        work: (tx) => leave(tx, effect.task, effect.reply),
      };
    case 'begin':
      return yield* begin(effect.task);
    case 'request': {
      const {
        charge: { id },
        planCode,
        merchantNumber,
      } = effect.task;
      const body = JSON.stringify({ merchant_id: merchantNumber, plan_code: planCode });
      const exchange = (yield {
        kind: 'request',
        path: 'processPlan',
        body,
        intent: id,
        token: id,
        mayWrite: effect.mayWrite,
      }) as Exchange;
      return classifyPlanCharge(exchange, CARD_CODES, PREFIX);
    }
    case 'record':
      return yield {
        kind: 'transaction',
        name: `record ${effect.answer.kind}`,
        work: (tx) => keepAnswer(tx, effect.task.charge, effect.answer),
      };
    case 'renew':
      throw new Error('a plan charge is not held longer than its lease');
    case 'rest':
      return yield { kind: 'rest', ms: effect.ms };
  }
}

function* begin({ charge }: Task): Lane<Begun> {
  const facts = (yield {
    kind: 'transaction',
    name: 'begin',
    work: (tx: CardTx): Begun => {
      const row = tx.charge(charge.id);
      const isOwn = row?.state === 'SENDING' && (row.leaseUntil ?? 0) > tx.now;
      const confirmed = !tx.isHeldCharge(charge);
      return {
        ...tx.standing(),
        row: isOwn ? 'own' : 'changed',
        stopped: tx.switchedOff,
        confirmed,
        journal: 'written',
      };
    },
  }) as Begun;
  if (standingRefusal(facts) !== null) return facts;
  const isWritten = (yield { kind: 'journal', reference: charge.id, attempt: 1 }) as boolean;
  return { ...facts, journal: isWritten ? 'written' : 'failed' };
}

/**
 * Whether a worker takes a charge: a queued one that needs no person's confirmation, or one that a
 * dead worker left behind.
 */
export function isDue(tx: CardTx, row: ChargeRow): boolean {
  return (
    row.state === 'SENDING' || (row.state === 'QUEUED' && tx.isNoticed && !tx.isHeldCharge(row))
  );
}

function claim(tx: CardTx): ChargeClaim<Task> {
  const due = tx
    .charges()
    .filter((row) => isDue(tx, row) && (row.leaseUntil === null || row.leaseUntil < tx.now));
  const [charge] = due.sort((a, b) => a.askedAt - b.askedAt);
  if (charge === undefined) return { kind: 'nothing_due' };
  if (charge.state === 'SENDING') {
    end(tx, charge, 'UNKNOWN', null);
    return { kind: 'settled' };
  }
  const plan = tx.plan(charge.planId);
  if (tx.now - (tx.confirmedAt(charge.id) ?? charge.askedAt) > QUEUE_LIFE_MS) {
    endUnsent(tx, charge, plan.known.charges, 'waited_too_long');
    return { kind: 'settled' };
  }
  tx.updateCharge(charge.id, { leaseUntil: tx.now + LEASE_MS });
  return {
    kind: 'charge',
    task: {
      charge,
      restored: tx.isOlderThanBooks({ createdAt: charge.askedAt }),
      planCode: plan.planCode,
      at: tx.now,
      merchantNumber: null,
    },
  };
}

/**
 * Ends a charge that is not sent: it was not carried out, unless it was restored and may have been
 * sent before the restore.
 */
function endUnsent(
  tx: CardTx,
  charge: ChargeRow,
  charges: KnownCharge[],
  reason: NotChargedReason,
): void {
  if (!tx.isOlderThanBooks({ createdAt: charge.askedAt }))
    return end(tx, charge, 'NOT_CHARGED', reason);
  tx.updateCharge(charge.id, {
    state: 'SENDING',
    sentAt: charge.askedAt,
    before: chargesBeforeRestored(charge.number, charges),
  });
  end(tx, charge, 'UNKNOWN', null);
}

function leave(tx: CardTx, task: Task, reply: Reply<Plan>): Task | null {
  const { charge } = task;
  const row = tx.charge(charge.id);
  if (row?.state !== 'QUEUED' || (row.leaseUntil ?? 0) <= tx.now) return null;
  const plan = keepPlan(tx, { id: charge.planId, reply, asked: task.at });
  const asked = {
    number: charge.number,
    amountMinor: charge.amountMinor,
    currency: charge.currency,
  };
  const against =
    againstIt(tx, reply) ??
    (plan.problem === null ? objection(asked, plan, tx.now) : 'plan_unread');
  const merchantNumber = reply.kind === 'answered' ? reply.value.merchantId : null;
  if (against !== null || merchantNumber === null) {
    endUnsent(tx, charge, plan.charges, against ?? 'no_merchant');
    return null;
  }
  tx.updateCharge(charge.id, {
    state: 'SENDING',
    sentAt: tx.now,
    before: plan.charges,
    leaseUntil: tx.now + LEASE_MS,
  });
  return { ...task, merchantNumber };
}

function againstIt(tx: CardTx, reply: Reply<Plan>): NotChargedReason | null {
  if (tx.switchedOff || !tx.isNoticed) return 'stopped';
  return reply.kind === 'answered' ? null : 'plan_unread';
}

function keepAnswer(tx: CardTx, { id }: ChargeRow, answer: ChargeAnswer): void {
  const row = tx.charge(id);
  // A restore may have removed the row.
  if (row === null) return;
  const outcome = outcomeOf(answer);
  // That this request had no effect does not prove that an earlier one had none: the restored rows
  // may not hold it any more.
  const isUnproven =
    outcome[0] === 'NOT_CHARGED' && tx.isOlderThanBooks({ createdAt: row.askedAt });
  const [state, reason]: ReturnType<typeof outcomeOf> = isUnproven ? ['UNKNOWN', null] : outcome;
  const isProven = row.state === 'UNKNOWN' && state === 'NOT_CHARGED';
  if (row.state === 'SENDING' || isProven) end(tx, row, state, reason);
}

function outcomeOf(answer: ChargeAnswer): [ChargeRow['state'], NotChargedReason | null] {
  switch (answer.kind) {
    case 'approved':
      return ['APPROVED', null];
    case 'refused':
      return ['NOT_CHARGED', 'refused'];
    case 'not_sent':
    case 'unauthorized':
      return ['NOT_CHARGED', 'not_sent'];
    case 'pending':
    case 'look':
    case 'unclear':
      return ['UNKNOWN', null];
  }
}

function end(
  tx: CardTx,
  { id, planId }: ChargeRow,
  state: ChargeRow['state'],
  reason: NotChargedReason | null,
): void {
  tx.updateCharge(id, { state, reason, leaseUntil: null });
  tx.keepPlan({ ...tx.plan(planId), nextAt: tx.now, tries: 0 });
}
