'use client';

import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

const FOOT =
  'px-4 pb-4 text-label text-muted data-waiting:invisible noscript:data-waiting:visible sm:px-6 ' +
  'print:data-waiting:visible';

/**
 * The foot of a page. Its position is known only with the page: while the page shows placeholders
 * the foot is hidden, so that it does not visibly move. The server cannot know when a page that it
 * streams is complete, so the foot arrives hidden; without scripts it is visible.
 */
export function PageFoot({ children }: { children: ReactNode }): ReactNode {
  const foot = useRef<HTMLElement>(null);
  useEffect(() => {
    const main = foot.current!.parentElement!.querySelector('main')!;
    const placeholders = main.getElementsByClassName('skeleton');
    const look = (): void => {
      foot.current?.toggleAttribute('data-waiting', placeholders.length > 0);
    };
    // The observer runs before the next paint. It reads a live collection, which needs no selector
    // and no style.
    const observer = new MutationObserver(look);
    observer.observe(main, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, []);
  return (
    <footer ref={foot} data-waiting="" className={FOOT}>
      {children}
    </footer>
  );
}
