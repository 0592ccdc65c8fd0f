import type { ReactNode } from 'react';
import { Link } from './link.tsx';

const MARK =
  'no-print inline-grid size-6 place-items-center rounded-full border border-hairline text-label ' +
  'font-medium text-muted hover:border-control hover:text-ink pointer-coarse:size-11';

/** A question mark that links to the help on one word; `label` names the word. */
export function HelpLink({ about, label }: { about: string; label: string }): ReactNode {
  return (
    <Link
      href={`/help#${about}`}
      prefetch={false}
      aria-label={label}
      title={label}
      className={MARK}
    >
      ?
    </Link>
  );
}
