import type { Clocks } from '#lib/movements/claim-rules.ts';

/** The socket is given up after the deadline; the lease must outlive it. */
export const SEND_DEADLINE_MS = 30_000;
export const LEASE_MS = 45_000;

/**
 * A request that has not begun by then could outlive its lease: a frozen worker that wakes up sends
 * nothing.
 */
const SEND_START_LIMIT_MS = LEASE_MS - SEND_DEADLINE_MS - 2_000;

/**
 * Whether a claimed send may still begin. Two clocks, read before the claim: the monotonic one does
 * not see a machine that was suspended, the wall clock may be set back. Either may say "too late".
 */
export function mayStillBegin(began: Clocks, now: Clocks): boolean {
  return (
    now.monotonic - began.monotonic < SEND_START_LIMIT_MS &&
    now.wall - began.wall < SEND_START_LIMIT_MS
  );
}
