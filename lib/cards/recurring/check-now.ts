import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { countApart, countWithin } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

const GUARD_SECONDS = 5;
const ASKS_PER_MINUTE = 60;

/** "Check now": the worker queries the gateway's record of this plan as soon as it can. */
export async function askAboutPlan(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'movement.ask');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<
      unknown[]
    >`SELECT id FROM recurring_plans WHERE id = ${id}::uuid FOR UPDATE`;
    if (row === undefined) throw new Refusal('not_found');
    const guard = await countApart(tx, actor.merchantId, `plan-ask:${id}`, GUARD_SECONDS);
    const all = await countWithin(tx, actor.merchantId, 'card-asks', ASKS_PER_MINUTE, 60);
    if (!guard.ok || !all.ok)
      throw new Refusal('asked_too_often', {
        seconds: guard.ok ? (all.ok ? 0 : all.seconds) : guard.seconds,
      });
    await tx.$executeRaw`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
      WHERE id = ${id}::uuid`;
    await audit(tx, actor, 'card.plan_asked', `plan:${id}`);
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id });
  });
}
