'use client';

import { useEffect, useLayoutEffect } from 'react';
import { forgetTyped, keepTyped, readKept } from './kept-draft.ts';

/**
 * Keeps what was typed while the review is shown, and gives it to `take` after a reload. It is gone
 * when the form is edited again, left or sent. `keptAs`: as in `kept-draft.ts`.
 */
export function useKeptDraft<Typed extends Record<string, string>>(
  keptAs: string,
  { typed, step }: { typed: Typed; step: 'edit' | 'review' },
  take: (found: Partial<Typed>) => void,
): void {
  useLayoutEffect(() => {
    const found = readKept(keptAs, Object.keys(typed));
    forgetTyped(keptAs);
    if (Object.keys(found).length > 0) take(found as Partial<Typed>);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- reads what is kept once, at the start
  }, []);
  useEffect(() => {
    if (step !== 'review') return;
    keepTyped(keptAs, typed);
    return () => forgetTyped(keptAs);
  }, [keptAs, step, typed]);
}
