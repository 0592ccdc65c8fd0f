import type { ReactNode } from 'react';
import type { SearchWords } from './search-words.ts';

/** What can be searched for, each with a sample. `className`: the gaps around it. */
export function SampleList({
  samples,
  className,
}: {
  samples: SearchWords['empty']['samples'];
  className: string;
}): ReactNode {
  return (
    <dl className={`grid sm:grid-cols-2 ${className}`}>
      {samples.map(({ what, sample }) => (
        <div key={what} className="flex flex-wrap justify-between gap-x-3">
          <dt>{what}</dt>
          <dd className="font-mono text-mono text-muted">{sample}</dd>
        </div>
      ))}
    </dl>
  );
}
