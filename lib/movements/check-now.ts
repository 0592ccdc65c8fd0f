import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { ASK_GUARD_MS, isAskedJustNow } from './claim-rules.ts';
import { expediteCheck } from './expedite.ts';
import { fromRaw, MOVEMENT } from './row.ts';
import type { RawMovement } from './row.ts';

/**
 * "Ask now": the worker queries the provider as soon as it can; the open page shows
 * the response when it arrives.
 */
export async function checkNow(actor: Person, movementId: string): Promise<void> {
  assertMay(actor, 'movement.ask');
  await countAttempt(actor, 'movement.ask');
  await inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<
      RawMovement[]
    >`SELECT ${MOVEMENT} FROM movements WHERE id = ${movementId}::uuid FOR UPDATE`;
    if (!raw) throw new Refusal('not_found');
    const movement = fromRaw(raw);
    const now = (await databaseNow(tx)).getTime();
    const { lastHintAt } = movement;
    if (lastHintAt !== null && isAskedJustNow(lastHintAt, now))
      throw new Refusal('asked_too_often', {
        seconds: Math.ceil((ASK_GUARD_MS - (now - lastHintAt)) / 1000),
      });
    await expediteCheck(tx, movement, now, 0);
  });
}
