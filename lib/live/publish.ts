import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { LiveKind } from './kinds.ts';

/**
 * Tells every open page, in any web process, that some data has changed. Delivered when the
 * transaction commits.
 */
export async function publish(tx: Tx, merchantId: string, change: Change): Promise<void> {
  await tx.$executeRaw`SELECT ${publishSql(merchantId, change)}`;
}

/** `session`: that session has ended. */
export type Change = { kind: LiveKind | 'session'; id: string };

export function publishSql(merchantId: string, change: Change): ReturnType<typeof sql> {
  return sql`pg_notify('dashboard', ${JSON.stringify({ merchantId, ...change })})`;
}

/** Wakes the workers: a movement may be due now. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify('due', '')`;
}
