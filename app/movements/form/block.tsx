'use client';

import { Check } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** A section of the form; its mark shows whether it is complete. */
export function Block({
  number,
  title,
  done,
  children,
}: {
  number: number | null;
  title: string;
  done: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useTranslations('newPayout.blocks');
  const tone = done ? 'bg-settled-ground text-settled' : 'bg-draft-ground text-draft';
  return (
    <section className="grid gap-2.5 rounded-panel border border-hairline bg-surface px-4 py-2.5">
      <h2 className="flex items-center gap-2 text-section font-semibold">
        {number !== null && (
          <span
            aria-hidden
            className={`grid size-5 place-items-center rounded-full text-label tabular-nums ${tone}`}
          >
            {done ? <Check className="size-3.5" /> : number}
          </span>
        )}
        {title}
        {number !== null && <span className="sr-only">({t(done ? 'done' : 'todo')})</span>}
      </h2>
      {children}
    </section>
  );
}
