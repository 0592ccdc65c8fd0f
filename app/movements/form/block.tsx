'use client';

import { Check } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** Two short sections beside each other, where both fit. */
export function BlockPair({ children }: { children: ReactNode }): ReactNode {
  return <div className="grid gap-3 @xl:grid-cols-2">{children}</div>;
}

/** A section of the form; its mark shows whether it is complete. */
export function Block({
  number,
  title,
  done,
  beside,
  children,
}: {
  number: number | null;
  title: string;
  done: boolean;
  /** Stands in the line of the title. */
  beside?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const t = useTranslations('newPayout.blocks');
  const tone = done ? 'bg-settled-ground text-settled' : 'bg-draft-ground text-draft';
  return (
    <section className="grid content-start gap-2.5 rounded-panel border border-hairline bg-surface px-4 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
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
        {beside}
      </div>
      {children}
    </section>
  );
}
