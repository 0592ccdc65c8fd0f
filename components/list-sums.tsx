import type { ReactNode } from 'react';
import { Link } from './ui/link.tsx';

/** One part of a list with its sums. `href`: the list of exactly these rows. */
export type ListSum = { label: string; href: string | null; sums: string[] };

const PART_LINK =
  'inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink ' +
  'pointer-coarse:min-h-11';

/** Shows how many rows a list has, and the sums of each part. `about`: whose sums they are. */
export function ListSums({
  about,
  count,
  parts,
}: {
  about: string;
  count: string;
  parts: readonly ListSum[];
}): ReactNode {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 tabular-nums">
      <span className="sr-only">{about}</span>
      <span>{count}</span>
      {parts.map(({ label, href, sums }) => (
        <span key={label} className="inline-flex flex-wrap items-center gap-x-1.5">
          {href === null ? (
            <span>{label}</span>
          ) : (
            <Link href={href} scroll={false} className={PART_LINK}>
              {label}
            </Link>
          )}
          {sums.map((sum) => (
            <span key={sum} className="font-semibold text-ink">
              {sum}
            </span>
          ))}
        </span>
      ))}
    </p>
  );
}
