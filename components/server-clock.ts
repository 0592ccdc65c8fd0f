'use client';

import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/**
 * Returns the server's time in the browser, in milliseconds. `nowIso`: the server's time when the
 * page's data was read. The time advances by a monotonic clock, which a change of the computer's
 * time does not affect. It stands still when `running` is false.
 */
export function useServerClock(nowIso: string, running: boolean): number {
  const start = Date.parse(nowIso);
  const [now, setNow] = useState(start);
  useEffect(() => {
    const readAt = performance.now();
    setNow(start);
    if (!running) return;
    const timer = setInterval(() => setNow(start + performance.now() - readAt), TICK_MS);
    return () => clearInterval(timer);
  }, [start, running]);
  // Before the effect has run, the time of a new `nowIso` is `nowIso` itself.
  return Math.max(now, start);
}

export function secondsUntil(iso: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
}
