import type { Clocks } from '#lib/movements/claim-rules.ts';

/** The socket is closed at the deadline; the lease must last longer. */
export const SEND_DEADLINE_MS = 30_000;
export const LEASE_MS = 45_000;

/**
 * A request that has not begun within this time of its claim could outlive its lease: a worker that
 * was frozen sends nothing when it wakes.
 */
const SEND_START_LIMIT_MS = LEASE_MS - SEND_DEADLINE_MS - 2_000;

/**
 * Whether a claimed send may still begin. Two clocks, both read before the claim: the monotonic
 * clock stops while a machine is suspended, the wall clock may be set back. Either one can say "too
 * late".
 */
export function mayStillBegin(began: Clocks, now: Clocks): boolean {
  return (
    now.monotonic - began.monotonic < SEND_START_LIMIT_MS &&
    now.wall - began.wall < SEND_START_LIMIT_MS
  );
}
