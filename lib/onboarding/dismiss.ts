import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';

/**
 * Hides the list of first steps for everybody of the merchant. A second press changes nothing.
 *
 * @throws Refusal `not_allowed`
 */
export async function dismissOnboarding(actor: Person): Promise<void> {
  assertMay(actor, 'onboarding.dismiss');
  await inTransaction(actor.merchantId, async (tx) => {
    const put = await tx.$executeRaw`
      INSERT INTO onboarding_dismissals (merchant_id, dismissed_by, dismissed_at)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, clock_timestamp())
      ON CONFLICT (merchant_id) DO NOTHING`;
    if (put > 0) await audit(tx, actor, 'onboarding.dismissed', 'onboarding:list');
  });
}

/**
 * Shows the list again, for as long as a step is open.
 *
 * @throws Refusal `not_allowed`
 */
export async function restoreOnboarding(actor: Person): Promise<void> {
  assertMay(actor, 'onboarding.dismiss');
  await inTransaction(actor.merchantId, async (tx) => {
    const deleted = await tx.$executeRaw`
      DELETE FROM onboarding_dismissals WHERE merchant_id = ${actor.merchantId}::uuid`;
    if (deleted > 0) await audit(tx, actor, 'onboarding.restored', 'onboarding:list');
  });
}
