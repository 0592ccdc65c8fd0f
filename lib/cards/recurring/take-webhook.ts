import 'server-only';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import type { CardWebhook } from '#lib/providers/card/webhooks.ts';
import { countWithin } from '#lib/access/rate-limit.ts';
import { rememberPlan } from './remember.ts';

/** Webhooks may add this many plans a minute; beyond it they are stored and can be replayed. */
const NEW_PER_MINUTE = 120;
/** A webhook expedites a plan's next poll at most once in this time. */
const HINT_GUARD_SECONDS = 10;

/**
 * Handles the webhook of a recurring charge: its plan is registered, and the plan's record is
 * polled. Nothing else in the webhook is believed.
 */
export async function takePlanWebhook(
  tx: Tx,
  merchantId: string,
  { planCode }: CardWebhook,
): Promise<'asked_provider' | 'kept_only' | 'other_topic'> {
  if (planCode === null) return 'other_topic';
  const [known] = await tx.$queryRaw<Row<'recurring_plans', 'id'>[]>`
    UPDATE recurring_plans SET tries = 0, last_hint_at = clock_timestamp(), next_at = clock_timestamp()
    WHERE plan_code = ${planCode}
      AND (last_hint_at IS NULL
      OR last_hint_at < clock_timestamp() - make_interval(secs => ${HINT_GUARD_SECONDS})) RETURNING id`;
  if (known) await wakeWorkers(tx);
  else if (!(await isKnown(tx, planCode))) {
    if (!(await countWithin(tx, merchantId, 'plan-notices', NEW_PER_MINUTE, 60)).ok)
      return 'kept_only';
    await rememberPlan(tx, merchantId, planCode, 'notice');
  } else {
    // Within the guard time of an earlier webhook: poll again at its end, because the poll that the
    // earlier webhook expedited may have been too early for the charge of this webhook.
    await tx.$executeRaw`
      UPDATE recurring_plans
        SET tries = 0,
        next_at = least(next_at, last_hint_at + make_interval(secs => ${HINT_GUARD_SECONDS}))
        WHERE plan_code = ${planCode}`;
  }
  await publish(tx, { merchantId }, { kind: 'card', id: planCode });
  return 'asked_provider';
}

async function isKnown(tx: Tx, planCode: string): Promise<boolean> {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT FROM recurring_plans WHERE plan_code = ${planCode}`;
  return rows.length > 0;
}
