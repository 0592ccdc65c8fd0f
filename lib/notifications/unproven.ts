import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { IS_OLDER_THAN_RECOVERY_R } from '#lib/batches/approval/waiting.ts';
import { isUnproven } from '#lib/movement-views/situation.ts';
import { SAYS_UNPAID } from '#lib/movements/state.ts';
import type { Alert, State } from '#lib/movements/state.ts';
import { inOne, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { mayBeLost } from '#lib/send-control/recovery/compare-journal.ts';
import type { OlderThan } from '#lib/send-control/recovery/compare-journal.ts';
import { OLDER_THAN } from '#lib/send-control/recovery/may-have-left.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { NotificationKind } from './kinds.ts';

/** The kinds whose text says of a movement, or of a batch, that nothing was sent or paid. */
const OF_MOVEMENTS: readonly NotificationKind[] = [
  'movement_rejected',
  'movement_failed',
  'movement_sent_back',
  'approval_expired',
];
const OF_BATCHES: readonly NotificationKind[] = ['batch_sent_back', 'batch_expired'];

type Told = { kind: NotificationKind; thing: string };

/**
 * The things among these of which nobody may say that nothing was sent: a record contradicts it, or
 * a restored database may have lost a send. Computed at each reading, because both come later.
 */
export async function unprovenThings(
  { merchantId }: Person,
  told: readonly Told[],
): Promise<ReadonlySet<string>> {
  const idsOf = (kinds: readonly NotificationKind[]): string[] =>
    told.flatMap(({ kind, thing }) => {
      const id = thing.split(':')[1] ?? '';
      return kinds.includes(kind) && UUID.test(id) ? [id] : [];
    });
  const [movements, batches] = [idsOf(OF_MOVEMENTS), idsOf(OF_BATCHES)];
  const found = await Promise.all([
    movements.length === 0 ? [] : unprovenMovements(merchantId, movements),
    batches.length === 0 ? [] : unprovenBatches(merchantId, batches),
  ]);
  return new Set(found.flat());
}

async function unprovenMovements(merchantId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await inOne<
    Row<'movements', 'id' | 'state' | 'alert', { state: State; alert: Alert | null }> & {
      older_than: OlderThan;
    }
  >(
    merchantId,
    sql`SELECT m.id, m.state, m.alert, ${OLDER_THAN} FROM movements m
      WHERE m.id = ANY(${ids}::uuid[])`,
  );
  return rows.flatMap(({ id, state, alert, older_than: olderThan }) => {
    const mayHaveLeft = SAYS_UNPAID.includes(state) && mayBeLost(olderThan);
    return isUnproven({ mayHaveLeft, alert }) ? [`movement:${id}`] : [];
  });
}

/** A batch that is older than a recovery may have been approved and sent in what was lost. */
async function unprovenBatches(merchantId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await inOne<{ id: string }>(
    merchantId,
    sql`SELECT r.batch_id AS id FROM batch_runs r WHERE r.batch_id = ANY(${ids}::uuid[])
      AND ${IS_OLDER_THAN_RECOVERY_R}`,
  );
  return rows.map(({ id }) => `batch:${id}`);
}
