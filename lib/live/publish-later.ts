import 'server-only';
import { inTransaction, sql } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import { notifyOf } from './publish.ts';
import type { Change } from './publish.ts';

const waiting: ({ merchantId: string } & Change)[] = [];
let publishing = false;

/**
 * Publishes a stored webhook to open pages, after its transaction and not in it: PostgreSQL lets
 * only one transaction that notifies commit at a time, so a burst of webhooks would be stored one
 * by one. Changes that arrive during a publish are published together. A webhook whose publish is
 * lost is still in the log, and its payout publishes its own change.
 */
export function publishLater(merchantId: string, change: Change): void {
  waiting.push({ merchantId, ...change });
  if (!publishing) void publishWaiting();
}

async function publishWaiting(): Promise<void> {
  publishing = true;
  try {
    while (waiting[0] !== undefined) {
      const [{ merchantId }] = waiting;
      const payloads = waiting.splice(0).map((change) => JSON.stringify(change));
      // This transaction writes nothing, so waiting for a flush to disk would save nothing.
      await inTransaction(
        merchantId,
        (tx) => tx.$executeRaw`
        SELECT set_config('synchronous_commit', 'off', true), ${notifyOf(sql`payload`)}
          FROM unnest(${payloads}::text[]) AS payload`,
      );
    }
  } catch (error) {
    log.warn('changes were not published to open pages', errorFields(error));
  } finally {
    publishing = false;
  }
}
