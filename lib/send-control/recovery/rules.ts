import { isYounger } from '#lib/values/younger.ts';

/** When a recovery may end. Times in milliseconds of the database's clock. Pure. */

/** The maximum age of the last scan: an older read does not describe the present. */
const READ_FRESH_MS = 15 * 60_000;

export type RecoveryFacts = {
  scannedAt: number | null;
  listedBy: number;
  problem: string | null;
  now: number;
  unseen: number;
};

export function endRefusal({
  scannedAt,
  listedBy,
  problem,
  now,
  unseen,
}: RecoveryFacts): 'recovery_not_read' | 'recovery_unseen' | null {
  // A request sent just before the database was lost may be listed that late.
  if (
    problem !== null ||
    scannedAt === null ||
    scannedAt < listedBy ||
    !isYounger(scannedAt, READ_FRESH_MS, now)
  )
    return 'recovery_not_read';
  return unseen > 0 ? 'recovery_unseen' : null;
}
