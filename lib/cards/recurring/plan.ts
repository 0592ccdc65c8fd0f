import { gatewayTime } from '#lib/values/gateway-time.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import { storable, storableFields } from '#lib/runtime/stored-text.ts';

/**
 * A recurring plan as successive records of the gateway describe it. Pure.
 *
 * The gateway has no list of plans: a plan is known from a payment's record, from a webhook or from
 * a pasted code, and only the plan's own record says what was charged. A record is believed, unless
 * it denies a charge that was taken: then the known state stays, and an alert is raised.
 */

export const PLAN_STATUSES = ['active', 'inactive', 'completed', 'unknown'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/**
 * `not_found`: the gateway has no such plan. `contradiction`: the plan's record denies an earlier
 * record, lists a charge that ended here as not charged, or has another amount than requested.
 */
export type PlanProblem = 'not_found' | 'no_answer' | 'contradiction';

/** One charge of the record. `amountMinor` as digits; `at` ISO, null where the record has none. */
export type KnownCharge = {
  id: string | null;
  orderId: string | null;
  number: number | null;
  amountMinor: string;
  status: 'pending' | 'completed' | 'failed' | 'unknown';
  at: string | null;
  attempts: number | null;
  remarks: string | null;
};

/**
 * The known state of a plan. Amounts in minor units, times in milliseconds; null means unknown.
 * `card`: the last four digits.
 */
export type KnownPlan = {
  status: PlanStatus | null;
  problem: PlanProblem | null;
  currency: string;
  firstMinor: bigint | null;
  recurringMinor: bigint | null;
  totalMinor: bigint | null;
  payments: number | null;
  every: number | null;
  cycle: Plan['cycle'] | null;
  firstOrderId: string | null;
  card: string | null;
  nextChargeAt: number | null;
  startedAt: number | null;
  charges: KnownCharge[];
  verifiedAt: number | null;
};

const REMARKS_MAX = 300;

/** The plan after one reading of its record. */
export function learnPlan(known: KnownPlan, reply: Reply<Plan>, at: number): KnownPlan {
  switch (reply.kind) {
    case 'no_answer':
      return { ...known, problem: known.problem ?? 'no_answer' };
    case 'not_found':
      return {
        ...known,
        problem: known.status === null ? 'not_found' : 'contradiction',
        verifiedAt: at,
      };
    case 'answered': {
      const next = reply.value;
      const charges = chargesOf(next);
      if (denies(known.charges, charges))
        return { ...known, problem: 'contradiction', verifiedAt: at };
      return {
        status: next.status,
        problem: null,
        currency: next.currency ?? known.currency,
        firstMinor: next.firstMinor ?? known.firstMinor,
        recurringMinor: next.recurringMinor,
        totalMinor: next.totalMinor,
        payments: next.payments,
        every: next.interval,
        cycle: next.cycle,
        firstOrderId: storable(next.firstOrderId) ?? known.firstOrderId,
        card: next.card?.match(/[0-9]{4}$/)?.[0] ?? known.card,
        nextChargeAt: gatewayTime(next.nextAt),
        startedAt: gatewayTime(next.startedAt) ?? known.startedAt,
        charges,
        verifiedAt: at,
      };
    }
  }
}

export function chargesOf(plan: Plan): KnownCharge[] {
  return plan.charges.map(({ id, saleId, number, amountMinor, status, at, attempts, remarks }) => {
    const ms = gatewayTime(at);
    return storableFields({
      id,
      orderId: saleId,
      number,
      amountMinor: amountMinor.toString(),
      status,
      at: ms === null ? null : new Date(ms).toISOString(),
      attempts,
      remarks: remarks?.slice(0, REMARKS_MAX) ?? null,
    });
  });
}

/**
 * The next charge: the first pending one, or else the plan's terms for further charges. Null when
 * there is none.
 */
export function nextCharge(
  plan: Pick<KnownPlan, 'status' | 'recurringMinor' | 'charges'>,
): { number: number | null; amountMinor: bigint } | null {
  if (plan.status !== 'active' || plan.recurringMinor === null) return null;
  const pending = plan.charges
    .filter((charge) => charge.status === 'pending')
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0))[0];
  return pending === undefined
    ? { number: null, amountMinor: plan.recurringMinor }
    : { number: pending.number, amountMinor: BigInt(pending.amountMinor) };
}

/** The number of taken charges: what distinguishes a charge from the last one without a number. */
export function takenCharges({ charges }: Pick<KnownPlan, 'charges'>): number {
  return charges.filter((charge) => charge.status === 'completed').length;
}

/** Whether `form` showed the plan as it is: its next charge, and the number of taken ones. */
export function isShownBy(
  plan: Pick<KnownPlan, 'status' | 'recurringMinor' | 'charges'>,
  form: { number: number | null; amountMinor: bigint; taken: number },
): boolean {
  const next = nextCharge(plan);
  return (
    next?.number === form.number &&
    next.amountMinor === form.amountMinor &&
    takenCharges(plan) === form.taken
  );
}

/** Identifies a charge within its plan. */
export function chargeKey(charge: KnownCharge): string {
  return takenKey(charge.number, charge.orderId ?? charge.id);
}

/** The same key, for a charge of which only the number or the order is known. */
export function takenKey(number: number | null, orderId: string | null): string {
  return number === null ? `o:${orderId ?? ''}` : `n:${number}`;
}

/** Whether a reading changed anything but the time of the reading. */
export function planDiffers(before: KnownPlan, after: KnownPlan): boolean {
  const seen = ({ verifiedAt: _verified, ...rest }: KnownPlan): string =>
    JSON.stringify(rest, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
  return seen(before) !== seen(after);
}

/**
 * A taken charge stays taken: a record that lists it as pending or failed, or lists others without
 * it, is not believed.
 */
function denies(before: KnownCharge[], after: KnownCharge[]): boolean {
  return before
    .filter((charge) => charge.status === 'completed')
    .some((taken) => {
      const now = after.find((charge) => chargeKey(charge) === chargeKey(taken));
      return now === undefined || now.status === 'pending' || now.status === 'failed';
    });
}
