'use client';

import { useSyncExternalStore } from 'react';

let printedAt: string | null = null;

function watch(changed: () => void): () => void {
  const paper = matchMedia('print');
  const note = (isPrinting: boolean): void => {
    printedAt = isPrinting ? (printedAt ?? new Date().toISOString()) : null;
  };
  const look = (event: Event): void => {
    note(event.type === 'beforeprint' || (event.type === 'change' && paper.matches));
    changed();
  };
  note(paper.matches);
  addEventListener('beforeprint', look);
  addEventListener('afterprint', look);
  paper.addEventListener('change', look);
  return () => {
    removeEventListener('beforeprint', look);
    removeEventListener('afterprint', look);
    paper.removeEventListener('change', look);
  };
}

/**
 * Returns the time of printing while the page is rendered for paper, where “today” means nothing;
 * else null.
 */
export function usePrintedAt(): string | null {
  return useSyncExternalStore(
    watch,
    () => printedAt,
    () => null,
  );
}
