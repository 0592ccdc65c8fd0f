'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLive } from '#components/live.tsx';
import { setWaiting } from '#components/waiting-count.tsx';
import type { Waiting } from '#components/waiting-count.tsx';

/** Several changes within this time lead to one request. */
const TOGETHER_MS = 1_000;

/**
 * Keeps the menu's counts up to date: reads them again after any change, and when another page is
 * opened. `drawn`: the counts that the server rendered with the page, newer than any read before.
 * `since`: as in `useLive`.
 */
export function WaitingFollower({
  drawn,
  since,
}: {
  drawn: Waiting;
  since: string | null;
}): ReactNode {
  const path = usePathname();
  const opened = useRef(path);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = useEffectEvent(async () => {
    // A tab that is shown again gets `resumed`, and reads then.
    if (document.hidden) return;
    const response = await fetch('/api/waiting').catch(() => null);
    // Without an answer the last known counts stay; the status band says what is wrong.
    if (response?.ok) setWaiting((await response.json()) as Waiting);
  });
  const readSoon = useEffectEvent(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void read(), TOGETHER_MS);
  });
  useLive(() => readSoon(), since);
  useEffect(() => setWaiting(drawn), [drawn]);
  useEffect(() => {
    if (opened.current === path) return;
    opened.current = path;
    readSoon();
  }, [path]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return null;
}
