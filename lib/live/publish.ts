import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { LiveKind } from './kinds.ts';

/**
 * Tells every open page, in any web process, that some data has changed. Delivered when the
 * transaction commits. Pages of the session that made the change receive it as their own change.
 */
export async function publish(tx: Tx, by: Publisher, change: Change): Promise<void> {
  await tx.$executeRaw`SELECT ${publishSql(by, change)}`;
}

/** Publishes many changes in one statement. */
export async function publishEach(
  tx: Tx,
  by: Publisher,
  changes: readonly Change[],
): Promise<void> {
  const payloads = changes.map((change) => payloadOf(by, change));
  await tx.$executeRaw`
    SELECT ${notifyOf(sql`payload`)} FROM unnest(${payloads}::text[]) AS payload`;
}

/** Who made a change: a person, whose session is known, or a worker. */
export type Publisher = { merchantId: string; sessionId?: string };
/** A change of the kind `session` reports that the session with this id has ended. */
export type Change = { kind: LiveKind | 'session'; id: string };

export function publishSql(by: Publisher, change: Change): ReturnType<typeof sql> {
  return notifyOf(sql`${payloadOf(by, change)}`);
}

/** The call that announces `payload`, a JSON object as text, with the transaction that it is in. */
export function notifyOf(payload: ReturnType<typeof sql>): ReturnType<typeof sql> {
  return sql`pg_notify('dashboard',
    (${payload}::jsonb || jsonb_build_object('tx', pg_current_xact_id()::text))::text)`;
}

function payloadOf({ merchantId, sessionId }: Publisher, change: Change): string {
  return JSON.stringify({ merchantId, ...change, by: sessionId });
}

/** The call that wakes the workers with the commit of its transaction: something may be due now. */
export const WAKE_WORKERS = sql`pg_notify('due', '')`;

export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT ${WAKE_WORKERS}`;
}
