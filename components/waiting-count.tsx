'use client';

import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

/** How many things wait for a person, by the name of the menu's entry. */
export type Waiting = Readonly<Partial<Record<string, number>>>;

let newest: Waiting | null = null;
const watchers = new Set<() => void>();

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** The counts as they are now; every count in the menu is drawn again. */
export function setWaiting(counts: Waiting): void {
  newest = counts;
  for (const changed of watchers) changed();
}

const SHOWN_MAX = 99;

/** In the narrow menu it is smaller, in the corner of the icon. */
const BADGE =
  'ml-auto min-w-5 rounded-full bg-attention-ground px-1.5 text-center text-label font-semibold ' +
  'text-attention tabular-nums group-data-[sidebar=narrow]/frame:lg:absolute ' +
  'group-data-[sidebar=narrow]/frame:lg:top-0 group-data-[sidebar=narrow]/frame:lg:right-0 ' +
  'group-data-[sidebar=narrow]/frame:lg:min-w-4 group-data-[sidebar=narrow]/frame:lg:px-1 ' +
  'group-data-[sidebar=narrow]/frame:lg:text-[10px]';

/**
 * The count of one entry; nothing while it is zero. `words`: the sentence with `#` in place of the
 * number, which `id` gives to the entry's link as its description.
 */
export function WaitingCount({
  id,
  of,
  drawn,
  words,
}: {
  id: string;
  of: string;
  drawn: Waiting;
  words: string;
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
      <span aria-hidden title={sentence} className={BADGE}>
        {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      </span>
      <span id={id} hidden>
        {sentence}
      </span>
    </>
  );
}
