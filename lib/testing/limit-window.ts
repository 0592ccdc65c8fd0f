import { setTimeout as pause } from 'node:timers/promises';

/**
 * Rate limits count in windows that begin at multiples of their length since 1970: a test that
 * reaches a limit over the end of a window is refused later than it expects.
 */

/** Later than the database's clock, which is that of this machine. */
const MARGIN_MS = 50;

/** How long a test waits that needs `needsMs` of a window; 0 when the present one lasts as long. */
export function waitForWindow(now: number, windowSeconds: number, needsMs: number): number {
  const windowMs = windowSeconds * 1_000;
  const left = windowMs - (now % windowMs);
  return left < needsMs ? left + MARGIN_MS : 0;
}

export async function windowLasts(windowSeconds: number, needsMs: number): Promise<void> {
  await pause(waitForWindow(Date.now(), windowSeconds, needsMs));
}
