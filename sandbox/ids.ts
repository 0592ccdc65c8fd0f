import { randomInt } from 'node:crypto';

/**
 * Makes 19-digit ids that never repeat: real time in milliseconds, a running number and a random
 * low part.
 */

const FLOOR = 7_000_000_000_000_000_000n;
// 2024-01-01: counted from this day, the time keeps ids within 63 bits for centuries.
const EPOCH_MS = 1_704_067_200_000;
const PER_MS = 1_000_000n;
const STEP_LIMIT = 900;

let lastMs = 0;
let used = 0;

export function newId(): string {
  const nowMs = Math.max(Date.now(), lastMs);
  if (nowMs > lastMs || used > 999_000) {
    lastMs = used > 999_000 && nowMs === lastMs ? nowMs + 1 : nowMs;
    used = 0;
  }
  used += randomInt(1, STEP_LIMIT);
  return (FLOOR + BigInt(lastMs - EPOCH_MS) * PER_MS + BigInt(used)).toString();
}
