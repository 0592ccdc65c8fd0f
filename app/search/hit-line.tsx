import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { ShownHit } from './shown-hits.ts';

/**
 * One row, in the dialog and on the page alike: name and details on the left, amount and state on
 * the right.
 */
export function HitLine({ hit }: { hit: ShownHit }): ReactNode {
  return (
    <>
      <span className={`min-w-0 flex-1 ${hit.under ? 'ml-4 border-l border-hairline pl-3' : ''}`}>
        <span className={`block truncate ${hit.under ? '' : 'font-medium'}`}>{hit.title}</span>
        {hit.detail !== '' && (
          <span className="block truncate font-mono text-mono text-muted">{hit.detail}</span>
        )}
      </span>
      {hit.state !== null && (
        <span className="shrink-0 max-sm:hidden">
          <Pill tone={hit.state.tone}>{hit.state.text}</Pill>
        </span>
      )}
      {(hit.amount !== '' || hit.when !== '') && (
        <span className="shrink-0 text-right tabular-nums">
          <span className="block font-medium">{hit.amount}</span>
          <span className="block text-label text-muted">{hit.when}</span>
        </span>
      )}
    </>
  );
}
