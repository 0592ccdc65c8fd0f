import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { endRefusal } from './rules.ts';

/**
 * Checks whether people may resume sending after a restore: everything that the provider may still
 * list has been read, and a person has acknowledged every record that the database lacked.
 *
 * @throws Refusal recovery_not_read, recovery_unseen
 */
export async function recoveryMayEnd(tx: Tx): Promise<void> {
  const [row] = await tx.$queryRaw<
    {
      scanned_at: Date | null;
      listed_by: Date;
      problem: string | null;
      now: Date;
      unseen: number;
    }[]
  >`
    SELECT r.scanned_at, r.listed_by, r.problem, clock_timestamp() AS now,
      (SELECT count(*)::int FROM recovered_records f WHERE f.finding <> 'brought_forward'
        AND f.acknowledged_at IS NULL) AS unseen
    FROM recoveries r WHERE r.ended_at IS NULL`;
  if (!row) return;
  const refusal = endRefusal({
    scannedAt: row.scanned_at?.getTime() ?? null,
    listedBy: row.listed_by.getTime(),
    problem: row.problem,
    now: row.now.getTime(),
    unseen: row.unseen,
  });
  if (refusal) throw new Refusal(refusal, { count: row.unseen });
}

/**
 * Ends the open recovery. Call it only after sending was resumed: the database enforces that order.
 */
export async function endRecovery(tx: Tx): Promise<void> {
  await tx.$executeRaw`UPDATE recoveries SET ended_at = clock_timestamp() WHERE ended_at IS NULL`;
}
