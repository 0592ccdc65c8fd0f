import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { UUID } from '#lib/values/uuid.ts';
import type { DeliveryType } from './message.ts';
import { messageOf } from './message.ts';

/** The messages to the endpoint, as the page shows them. */

export type DeliveryState = 'waiting' | 'again' | 'delivered' | 'given_up';
export type DeliveryRow = {
  id: string;
  type: DeliveryType;
  href: string | null;
  at: string;
  state: DeliveryState;
  tries: number;
  status: number | null;
  fault: string | null;
  nextAt: string | null;
  /** The message as it is sent. */
  body: string;
  can: { again: boolean };
};

const SHOWN_MAX = 100;
type Found = Row<
  'api_deliveries',
  | 'id'
  | 'type'
  | 'subject_id'
  | 'facts'
  | 'at'
  | 'next_at'
  | 'tries'
  | 'status'
  | 'fault'
  | 'delivered_at',
  { type: DeliveryType }
>;

/** The latest messages; `failed`: only those that were not taken. */
export async function listDeliveries(
  actor: Person,
  { failed }: { failed: boolean },
): Promise<DeliveryRow[]> {
  assertMay(actor, 'api.read');
  const rows = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<Found[]>`
      SELECT id, type, subject_id, facts, at, next_at, tries, status, fault, delivered_at
      FROM api_deliveries
      WHERE NOT ${failed}::boolean OR (delivered_at IS NULL AND tries > 0)
      ORDER BY at DESC, id DESC LIMIT ${SHOWN_MAX}`,
  );
  const mayManage = may(actor.role, 'api.manage');
  return rows.map((row) => {
    const state = stateOf(row);
    return {
      id: row.id,
      type: row.type,
      href: hrefOf(row),
      at: row.at.toISOString(),
      state,
      tries: row.tries,
      status: row.status,
      fault: row.fault,
      nextAt: row.next_at?.toISOString() ?? null,
      body: messageOf(row),
      can: { again: mayManage && state !== 'waiting' },
    };
  });
}

function stateOf({ next_at: next, tries, delivered_at: delivered }: Found): DeliveryState {
  if (next !== null) return tries === 0 ? 'waiting' : 'again';
  return delivered === null ? 'given_up' : 'delivered';
}

function hrefOf({ type, subject_id: id }: Found): string | null {
  if (id === null) return null;
  return type === 'batch.updated' ? `/batches/${id}` : `/payouts/${id}`;
}

/**
 * Sends a message again at once, whatever became of it: it is the same message with the same id.
 *
 * @throws Refusal not_allowed, not_found, endpoint_none
 */
export async function sendAgain(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'api.manage');
  if (!UUID.test(id)) throw new Refusal('not_found');
  await inTransaction(actor.merchantId, async (tx) => {
    const [endpoint] = await tx.$queryRaw<unknown[]>`SELECT FROM api_endpoints`;
    if (endpoint === undefined) throw new Refusal('endpoint_none');
    const changed = await tx.$executeRaw`
      UPDATE api_deliveries SET next_at = clock_timestamp() WHERE id = ${id}::uuid`;
    if (changed === 0) throw new Refusal('not_found');
    await audit(tx, actor, 'api.delivery_again', 'api_endpoint:programs', { delivery: id });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'program', id });
  });
}

/**
 * Sends a message that says nothing, to try the address and its signature.
 *
 * @throws Refusal not_allowed, endpoint_none
 */
export async function sendPing(actor: Person): Promise<void> {
  assertMay(actor, 'api.manage');
  await inTransaction(actor.merchantId, async (tx) => {
    const made = await tx.$executeRaw`
      INSERT INTO api_deliveries (merchant_id, type, facts, next_at)
      SELECT merchant_id, 'ping', '{}', clock_timestamp() FROM api_endpoints`;
    if (made === 0) throw new Refusal('endpoint_none');
    await audit(tx, actor, 'api.ping_sent', 'api_endpoint:programs');
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'program', id: actor.merchantId });
  });
}
