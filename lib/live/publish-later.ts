import 'server-only';
import { inTransaction } from '#lib/runtime/db.ts';
import { errorFields, log } from '#lib/runtime/log.ts';
import type { Change } from './publish.ts';

const waiting: ({ merchantId: string } & Change)[] = [];
let telling = false;

/**
 * Tells open pages of a notice that is on disk. After its transaction and not in it: PostgreSQL
 * lets one transaction that notifies commit at a time, so a burst would reach the disk one by one.
 * What arrives while pages are being told is told together. A notice that nobody is told of is in
 * the log all the same, and the payout it names has announced itself.
 */
export function publishLater(merchantId: string, change: Change): void {
  waiting.push({ merchantId, ...change });
  if (!telling) void publishWaiting();
}

async function publishWaiting(): Promise<void> {
  telling = true;
  try {
    while (waiting[0] !== undefined) {
      const [{ merchantId }] = waiting;
      const words = waiting.splice(0).map((change) => JSON.stringify(change));
      // Nothing is written, so there is nothing that a flush to disk could save.
      await inTransaction(
        merchantId,
        (tx) => tx.$executeRaw`
        SELECT set_config('synchronous_commit', 'off', true), pg_notify('dashboard', word)
          FROM unnest(${words}::text[]) AS word`,
      );
    }
  } catch (error) {
    log.warn('open pages were not told of notices', errorFields(error));
  } finally {
    telling = false;
  }
}
