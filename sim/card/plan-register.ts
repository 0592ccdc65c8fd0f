import { classifyPlan } from '#lib/providers/card/classify-plan.ts';
import { CARD_CODES } from '#lib/providers/card/codes.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { Exchange, Reply } from '#lib/providers/outcome.ts';
import {
  awaitedUntil,
  contradiction,
  isOtherAmount,
  LISTED_WITHIN_MS,
  secondCharge,
  verdict,
} from '#lib/cards/recurring/charge.ts';
import { learnPlan, takenKey } from '#lib/cards/recurring/plan.ts';
import type { KnownCharge, KnownPlan } from '#lib/cards/recurring/plan.ts';
import { nextPlanLook } from '#lib/cards/recurring/schedule.ts';
import { earlier } from '#lib/movements/claim-rules.ts';
import { DatabaseFault } from '../database.ts';
import { MINUTE } from '../time.ts';
import type { ChargeRow, PlanRow } from './charge-store.ts';
import type { Lane } from './effect.ts';
import type { CardTx } from './store.ts';

/**
 * The worker's lane for plans: reads the records that are due and settles the charges that were
 * sent, as lib/cards/recurring/verify-due.ts does in SQL.
 */

const ASK_MS = 60_000;
const QUIET_MS = 30 * MINUTE;
const UNLISTED: readonly string[] = ['refused', 'people_said', 'called_off_unproven'];

type Look = { planId: string; plan: KnownPlan | null; asked: number };

export function* workOnPlans(): Lane {
  for (;;) {
    try {
      const due = (yield {
        kind: 'transaction',
        name: 'plan claim',
        work: claim,
      }) as PlanRow | null;
      if (due === null) return;
      const claimedUntil = due.nextAt!;
      const asked = claimedUntil - ASK_MS;
      const reply = yield* readPlan(due.planCode);
      yield {
        kind: 'transaction',
        name: 'plan',
        work: (tx) => keepPlan(tx, { id: due.id, reply, asked, claimedUntil }),
      };
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'rest', ms: 5_000 };
    }
  }
}

export function* readPlan(planCode: string): Lane<Reply<Plan>> {
  return classifyPlan(
    (yield { kind: 'query', path: 'plan', id: planCode }) as Exchange,
    planCode,
    CARD_CODES,
  );
}

function claim(tx: CardTx): PlanRow | null {
  const [due] = tx
    .plans()
    .filter((row) => row.nextAt !== null && row.nextAt <= tx.now)
    .sort((a, b) => a.nextAt! - b.nextAt!);
  if (due === undefined) return null;
  const claimed = { ...due, nextAt: tx.now + ASK_MS, tries: due.tries + 1 };
  tx.keepPlan(claimed);
  return claimed;
}

/**
 * Stores the response of a check. `asked`: when the check was claimed; `claimedUntil`: absent where a
 * charge queried the plan.
 */
export function keepPlan(
  tx: CardTx,
  {
    id,
    reply,
    asked,
    claimedUntil = 0,
  }: { id: string; reply: Reply<Plan>; asked: number; claimedUntil?: number },
): KnownPlan {
  const row = tx.plan(id);
  const learned = learnPlan(row.known, reply, tx.now);
  const isAnswered = reply.kind === 'answered' && learned.problem === null;
  const look = { planId: id, plan: isAnswered ? learned : null, asked };
  const sentAt = settle(tx, look);
  const known: KnownPlan = isContradicted(tx, look)
    ? { ...learned, problem: 'contradiction' }
    : learned;
  const tries = isAnswered ? 0 : row.tries;
  tx.keepPlan({
    ...row,
    known,
    tries,
    nextAt: earlier(
      nextPlanLook(known, { now: tx.now, since: row.firstSeenAt, tries, sentAt }),
      row.nextAt !== null && row.nextAt < claimedUntil ? row.nextAt : null,
    ),
  });
  return known;
}

/** Whether no record lists a charge yet that people said was taken. */
export function isAwaited({ state, taken, sentAt }: ChargeRow, now: number): boolean {
  return awaitedUntil({ state, isListed: taken !== null, sentAt }, now) !== null;
}

/**
 * Settles the plan's open or awaited charge by the record. Returns when the charge was sent, or
 * null when none is left.
 */
function settle(tx: CardTx, { planId, plan, asked }: Look): number | null {
  const charge = tx
    .charges()
    .filter((one) => one.planId === planId)
    .findLast(
      (one) => one.state === 'APPROVED' || one.state === 'UNKNOWN' || isAwaited(one, tx.now),
    );
  if (charge === undefined || charge.sentAt === null) return null;
  const { sentAt, state } = charge;
  if (plan === null || asked < sentAt) return sentAt;
  const reads = charge.reads + 1;
  const ended = verdict(
    { state, sentAt, before: charge.before ?? [], reads, unlisted: unlistedCharges(tx, charge) },
    plan.charges,
    tx.now,
    QUIET_MS,
  );
  if (ended === null) {
    tx.updateCharge(charge.id, { reads });
    return sentAt;
  }
  const taken =
    ended.state === 'CHARGED'
      ? { number: ended.taken.number, orderId: ended.taken.orderId ?? ended.taken.id }
      : null;
  const isContradicted =
    ended.state === 'CHARGED' && isOtherAmount(charge.amountMinor, ended.taken);
  tx.updateCharge(charge.id, {
    state: ended.state,
    reads,
    taken,
    reason: ended.state === 'CHARGED' ? charge.reason : ended.reason,
    contradictedAt: isContradicted ? tx.now : null,
  });
  return null;
}

function unlistedCharges(tx: CardTx, { id, planId }: ChargeRow): number {
  return tx
    .charges()
    .filter(
      (one) =>
        one.planId === planId &&
        one.id !== id &&
        one.state === 'NOT_CHARGED' &&
        one.sentAt !== null &&
        one.sentAt > tx.now - LISTED_WITHIN_MS &&
        UNLISTED.includes(one.reason ?? ''),
    ).length;
}

/** Whether the record contradicts a charge that ended, and no person has acknowledged it. */
function isContradicted(tx: CardTx, { planId, plan, asked }: Look): boolean {
  const all = tx.charges().filter((one) => one.planId === planId);
  const isRecentlyListed = ({ state, taken, sentAt }: ChargeRow): boolean =>
    state === 'CHARGED' && taken !== null && sentAt! > tx.now - LISTED_WITHIN_MS;
  const ended = all.filter(
    (one) =>
      (one.state === 'NOT_CHARGED' || one.contradictedAt !== null || isRecentlyListed(one)) &&
      one.sentAt !== null &&
      one.sentAt < asked &&
      one.seenAt === null,
  );
  const explained = new Set(
    all
      .filter((one) => one.state === 'CHARGED')
      .map(({ taken }) => takenKey(taken?.number ?? null, taken?.orderId ?? null)),
  );
  const found = (charge: ChargeRow): KnownCharge | null => {
    if (plan === null) return null;
    const before = charge.before ?? [];
    return charge.state === 'CHARGED'
      ? secondCharge({ sentAt: charge.sentAt!, before }, explained, plan.charges, {
          now: tx.now,
          quietMs: QUIET_MS,
        })
      : contradiction(before, explained, plan.charges, tx.now);
  };
  return ended
    .map((charge) => {
      if (charge.contradictedAt !== null) return true;
      const isFound = found(charge) !== null;
      if (isFound) tx.updateCharge(charge.id, { contradictedAt: tx.now });
      return isFound;
    })
    .includes(true);
}
