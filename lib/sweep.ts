import 'server-only';
import { inTransaction } from '#lib/db.ts';

/** Forgets what is no longer needed: counters of past windows, silent workers. */
export async function sweep(merchantId: string): Promise<void> {
  await inTransaction(merchantId, async (tx) => {
    await tx.$executeRaw`DELETE FROM rate_limits WHERE window_start < clock_timestamp() - interval '2 days'`;
    await tx.$executeRaw`DELETE FROM worker_heartbeats WHERE at < clock_timestamp() - interval '1 hour'`;
  });
}
