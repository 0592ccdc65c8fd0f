'use client';

import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * For rows that a person adds and removes: a removed row takes the focus with it. The focus then
 * goes to the last button inside the element that gets the returned ref, the one that adds a row.
 * `count`: the number of rows.
 */
export function useFocusAfterRemoval<Box extends HTMLElement>(
  count: number,
): RefObject<Box | null> {
  const box = useRef<Box>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && isFocusLost())
      [...(box.current?.querySelectorAll('button') ?? [])].at(-1)?.focus();
    before.current = count;
  }, [count]);
  return box;
}

/** The browser takes the focus from a removed element, and soon from a disabled one. */
function isFocusLost(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || at.matches(':disabled');
}
