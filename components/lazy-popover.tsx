'use client';

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

/**
 * A popover whose contents are drawn when it is opened for the first time, so that a page which
 * never opens it is smaller.
 */
export function LazyPopover({
  id,
  className,
  children,
}: {
  id: string;
  className: string;
  children: ReactNode;
}): ReactNode {
  const popover = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  // A press before the scripts ran has opened it already.
  useEffect(() => {
    if (popover.current!.matches(':popover-open')) setOpened(true);
  }, []);
  return (
    <div
      ref={popover}
      id={id}
      popover="auto"
      className={className}
      onBeforeToggle={() => setOpened(true)}
    >
      {opened && children}
    </div>
  );
}
