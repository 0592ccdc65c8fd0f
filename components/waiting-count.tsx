'use client';

import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

/** The number of things that wait for a person, by the name of the menu's entry. */
export type Waiting = Readonly<Partial<Record<string, number>>>;

let newest: Waiting | null = null;
const watchers = new Set<() => void>();

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** Sets the present counts; every count in the menu is drawn again. */
export function setWaiting(counts: Waiting): void {
  newest = counts;
  for (const changed of watchers) changed();
}

const SHOWN_MAX = 99;

/** `menu`: at the end of the entry; in the narrow menu smaller, in the corner of the icon. */
const LOOKS = {
  menu:
    'ml-auto min-w-5 rounded-full bg-attention-ground px-1.5 text-center text-label font-semibold ' +
    'text-attention tabular-nums group-data-[sidebar=narrow]/frame:lg:absolute ' +
    'group-data-[sidebar=narrow]/frame:lg:top-0 group-data-[sidebar=narrow]/frame:lg:right-0 ' +
    'group-data-[sidebar=narrow]/frame:lg:min-w-4 group-data-[sidebar=narrow]/frame:lg:px-1 ' +
    'group-data-[sidebar=narrow]/frame:lg:text-[10px]',
  corner:
    'absolute top-0 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] ' +
    'leading-4 font-semibold text-on-accent tabular-nums pointer-coarse:top-1 pointer-coarse:right-1',
};

/**
 * The count of one entry of the menu; nothing while it is zero. `words`: the sentence with `#` in
 * place of the number. The entry's link has this sentence as its description, by `id`.
 */
export function WaitingCount({
  id,
  of,
  drawn,
  words,
  look = 'menu',
}: {
  id: string;
  of: string;
  drawn: Waiting;
  words: string;
  look?: keyof typeof LOOKS;
}): ReactNode {
  const counts = useSyncExternalStore(
    watch,
    () => newest ?? drawn,
    () => drawn,
  );
  const count = counts[of] ?? 0;
  if (count === 0) return null;
  const sentence = words.replace('#', String(count));
  return (
    <>
      <span aria-hidden title={sentence} className={LOOKS[look]}>
        {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      </span>
      <span id={id} hidden>
        {sentence}
      </span>
    </>
  );
}
