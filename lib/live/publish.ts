import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { LiveKind } from './kinds.ts';

/**
 * Tells every open page, in any web process, that some data has changed. Delivered when the
 * transaction commits. The pages of the session that made the change are told that it is their own.
 */
export async function publish(tx: Tx, by: Publisher, change: Change): Promise<void> {
  await tx.$executeRaw`SELECT ${publishSql(by, change)}`;
}

/** The same for many changes, in one statement. */
export async function publishEach(
  tx: Tx,
  by: Publisher,
  changes: readonly Change[],
): Promise<void> {
  const payloads = changes.map((change) => payloadOf(by, change));
  await tx.$executeRaw`SELECT pg_notify('dashboard', payload) FROM unnest(${payloads}::text[]) AS payload`;
}

/** Who made a change: a person, whose session is known, or a worker. */
export type Publisher = { merchantId: string; sessionId?: string };
/** `session`: that session has ended. */
export type Change = { kind: LiveKind | 'session'; id: string };

export function publishSql(by: Publisher, change: Change): ReturnType<typeof sql> {
  return sql`pg_notify('dashboard', ${payloadOf(by, change)})`;
}

function payloadOf({ merchantId, sessionId }: Publisher, change: Change): string {
  return JSON.stringify({ merchantId, ...change, by: sessionId });
}

/** Wakes the workers: a movement may be due now. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify('due', '')`;
}
