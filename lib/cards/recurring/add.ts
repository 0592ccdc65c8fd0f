import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { typesCard } from '#lib/values/card-number.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { publishEach, wakeWorkers } from '#lib/live/publish.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { readPlanCodes } from './plan-codes.ts';

/**
 * Adds plans by their codes. Each plan is queried at once, also one that is known already.
 *
 * @throws Refusal `not_allowed`, `plan_codes_empty`, `plan_codes_many`, `plan_codes_unreadable`
 * (which repeats a piece of it), `card_number_typed`
 */
export async function addPlans(
  actor: Person,
  text: string,
): Promise<{ added: number; known: number }> {
  assertMay(actor, 'card.add');
  // A code may contain many digits; only a text of nothing but digits may be a card number.
  if (text.split(/[\n\r,;\t]/u).some((line) => /^[\d .-]+$/.test(line) && typesCard(line)))
    throw new Refusal('card_number_typed');
  const read = readPlanCodes(text);
  if (read.kind !== 'codes')
    throw new Refusal(
      `plan_codes_${read.kind}`,
      read.kind === 'many'
        ? { max: read.max }
        : read.kind === 'unreadable'
          ? { line: read.line }
          : {},
    );
  return inTransaction(actor.merchantId, async (tx) => {
    const fresh = await tx.$queryRaw<{ id: string; plan_code: string }[]>`
      INSERT INTO recurring_plans (merchant_id, plan_code, source, added_by, next_at)
      SELECT ${actor.merchantId}::uuid, plan_code, 'person', ${actor.personId}::uuid,
        clock_timestamp() FROM unnest(${read.codes}::text[]) AS plan_code
      ON CONFLICT (merchant_id, plan_code) DO NOTHING RETURNING id, plan_code`;
    const known = await tx.$queryRaw<
      { id: string }[]
    >`UPDATE recurring_plans SET next_at = clock_timestamp(), tries = 0
      WHERE plan_code = ANY(${read.codes}::text[]) AND id <> ALL(${fresh.map((row) => row.id)}::uuid[])
      RETURNING id`;
    await audit(tx, actor, 'card.plan_added', 'plan:many', {
      plans: fresh.map((row) => row.plan_code),
    });
    await wakeWorkers(tx);
    await publishEach(
      tx,
      actor,
      [...fresh, ...known].map(({ id }) => ({ kind: 'card', id })),
    );
    return { added: fresh.length, known: read.codes.length - fresh.length };
  });
}
