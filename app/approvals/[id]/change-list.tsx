import type { ReactNode } from 'react';
import type { Change } from '#lib/approvals/changes.ts';

/** What differs, as old → new. `none`: the word for a fact that was or is missing. */
export function ChangeList({
  changes,
  none,
}: {
  changes: readonly Change[];
  none: string;
}): ReactNode {
  return (
    <ul className="grid gap-1">
      {changes.map(({ label, before, after }) => (
        <li key={label} className="wrap-anywhere">
          <span className="font-medium">{label}:</span> <del>{before === '' ? none : before}</del>
          {' → '}
          <ins className="font-medium no-underline">{after === '' ? none : after}</ins>
        </li>
      ))}
    </ul>
  );
}
