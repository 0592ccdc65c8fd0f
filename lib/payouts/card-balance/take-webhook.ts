import 'server-only';
import { databaseNow } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { record } from '#lib/movements/evidence.ts';
import { CARD_BALANCE_PAYOUT } from '#lib/movements/kinds.ts';
import { fromRaw, MOVEMENT } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import type { CardWebhook } from '#lib/providers/card/webhooks.ts';

/**
 * Takes a webhook that reports the return of a card-balance payout. The webhook is a hint and the
 * only source of a return: it ends nothing, and a person is asked to check the gateway's panel.
 */
export async function takeCardBalanceWebhook(
  tx: Tx,
  merchantId: string,
  notice: CardWebhook,
): Promise<'nothing_to_ask' | 'other_topic'> {
  const [raw] = await tx.$queryRaw<
    RawMovement[]
  >`SELECT ${MOVEMENT} FROM movements WHERE ext_id = ${notice.uniqueId} AND kind = ${CARD_BALANCE_PAYOUT} FOR UPDATE`;
  if (!raw) return 'other_topic';
  const movement = fromRaw(raw);
  const queue = {
    nextAt: movement.nextAt,
    lease:
      movement.leaseToken === null || movement.leaseUntil === null
        ? null
        : { token: movement.leaseToken, until: movement.leaseUntil },
  };
  await record(
    tx,
    { kind: 'provider', merchantId },
    movement,
    { source: 'notice', kind: 'notice', hint: 'refunded' },
    (await databaseNow(tx)).getTime(),
    () => queue,
  );
  return 'nothing_to_ask';
}
