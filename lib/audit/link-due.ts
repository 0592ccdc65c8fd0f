import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '#lib/runtime/db.ts';
import { linkEntries } from './append.ts';

/** What wakes the queue of the workers, as the payload of their channel ("audit_queue"). */
export const ENTRY_QUEUED = 'audit';
/** Entries that come within this time are linked together. */
const LINK_MS = 50;

/** When the first entry is to be linked, as SQL. */
export const ENTRIES_DUE = sql`SELECT min(at) FROM audit_queue`;

/**
 * Links what is queued and then lets entries gather until the next turn. False when nothing was
 * queued. A process that is killed leaves its entries queued; the next one that looks links them.
 */
export async function linkDue(merchantId: string, stopping: AbortSignal): Promise<boolean> {
  if ((await linkEntries(merchantId)) === 0) return false;
  await pause(LINK_MS, undefined, { signal: stopping }).catch(() => undefined);
  return true;
}
