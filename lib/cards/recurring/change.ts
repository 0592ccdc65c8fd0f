import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import type { AuditDetail } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { mayStillBegin } from '#lib/begin-check/start-limit.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { toDecimal } from '#lib/values/money.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import type { Plan } from '#lib/providers/card/plan-record.ts';
import type { PlanChange } from '#lib/providers/card/recurring.ts';
import type { Reply } from '#lib/providers/outcome.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

/**
 * How long a change of a plan may be in flight: its request begins within 13 s and is answered
 * within 30 s more; after a lost response it may still arrive for 180 s.
 */
const CHANGE_SECONDS = 5 * 60;

/**
 * The plan's record after the request, whatever the response was; null when it could not be read.
 */
export type PlanNow = {
  status: 'active' | 'inactive' | 'completed' | 'unknown';
  amount: string;
  currency: string;
  payments: number | null;
} | null;
/** `unclear`: the response does not show whether the change was made. */
export type Changed =
  | { kind: 'done' | 'unclear' | 'not_found'; now: PlanNow }
  | { kind: 'refused'; code: string; now: PlanNow };

/**
 * Changes the future charges of a plan: amount, number of charges, running or paused. Moves no
 * money. A repeated change has no further effect, so a person may retry after an unclear response.
 * While a charge is open, amount and number cannot change; a pause is always possible. While a
 * change may be in flight, no charge is stored or begins: until its response, or until its time is
 * over.
 *
 * @throws Refusal not_allowed, not_found, too_many, plan_charge_open; RangeError for an empty
 * change or one out of bounds
 */
export async function changePlan(actor: Person, id: string, change: PlanChange): Promise<Changed> {
  assertMay(actor, 'card.plan');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await countAttempt(actor, 'plan.change');
  const detail: AuditDetail = {
    amount: change.amountMinor?.toString() ?? null,
    payments: change.payments ?? null,
    status: change.status ?? null,
  };
  const isPause =
    change.status === 'inactive' &&
    change.amountMinor === undefined &&
    change.payments === undefined;
  const began = clocks();
  const plan = await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      (Row<'recurring_plans', 'plan_code' | 'currency'> & { change_until: Date | null })[]
    >`
      SELECT plan_code, currency, date_trunc('milliseconds', change_until) AS change_until
        FROM recurring_plans WHERE id = ${id}::uuid FOR UPDATE`;
    if (!row) throw new Refusal('not_found');
    // This query is a statement of its own: a statement that waits for the row lock does not see a
    // charge that was stored meanwhile.
    const charging = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM plan_charges WHERE plan_id = ${id}::uuid
        AND state IN ('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN')`;
    if (charging.length > 0 && !isPause) throw new Refusal('plan_charge_open');
    const [own] = await tx.$queryRaw<{ until: Date }[]>`
      UPDATE recurring_plans SET change_until = date_trunc('milliseconds', clock_timestamp())
        + make_interval(secs => ${CHANGE_SECONDS}) WHERE id = ${id}::uuid RETURNING change_until AS until`;
    await audit(tx, actor, 'card.plan_change_asked', `plan:${id}`, detail);
    return { ...row, until: own!.until };
  });
  const outcome = await cardClient().updatePlan(plan.plan_code, change, {
    beforeWrite: () => mayStillBegin(began, clocks()),
  });
  const read = await cardClient().readPlan({ planCode: plan.plan_code });
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
      WHERE id = ${id}::uuid`;
    // Ends only the waiting time of this change, not that of an earlier or a later one.
    if (outcome.kind !== 'no_answer')
      await tx.$executeRaw`UPDATE recurring_plans SET change_until = ${plan.change_until}
        WHERE id = ${id}::uuid AND change_until = ${plan.until}`;
    await audit(tx, actor, 'card.plan_changed', `plan:${id}`, {
      ...detail,
      answer: outcome.kind,
      code: 'code' in outcome ? (outcome.code ?? null) : null,
    });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id });
  });
  const now = planNow(read, plan.currency);
  switch (outcome.kind) {
    case 'done':
    case 'not_found':
      return { kind: outcome.kind, now };
    case 'refused':
      return { kind: 'refused', code: outcome.code, now };
    case 'no_answer':
      return { kind: 'unclear', now };
  }
}

function planNow(read: Reply<Plan>, currency: string): PlanNow {
  if (read.kind !== 'answered') return null;
  return {
    status: read.value.status,
    amount: toDecimal(read.value.recurringMinor),
    currency: read.value.currency ?? currency,
    payments: read.value.payments,
  };
}

function clocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() };
}
