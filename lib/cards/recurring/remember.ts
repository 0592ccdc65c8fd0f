import 'server-only';
import { wakeWorkers } from '#lib/live/publish.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';

/**
 * Registers a plan named by a payment's record or a webhook, and has it polled at once. Returns the
 * id of a new plan, else null.
 */
export async function rememberPlan(
  tx: Tx,
  merchantId: string,
  planCode: string,
  source: 'payment' | 'notice',
): Promise<string | null> {
  const [fresh] = await tx.$queryRaw<Row<'recurring_plans', 'id'>[]>`
    INSERT INTO recurring_plans (merchant_id, plan_code, source, next_at)
      VALUES (${merchantId}::uuid, ${planCode}, ${source}, clock_timestamp())
    ON CONFLICT (merchant_id, plan_code) DO NOTHING RETURNING id`;
  if (fresh) await wakeWorkers(tx);
  return fresh?.id ?? null;
}
