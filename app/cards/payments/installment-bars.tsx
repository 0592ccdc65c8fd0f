'use client';

import type { ReactNode } from 'react';

/**
 * One bar: its length in percent of the longest, and its amount. `cut`: it is longer than the
 * scale. Without a length there is only the text.
 */
export type Measure = { width: number | null; text: string; cut: boolean };
export type InstallmentBar = {
  key: string;
  name: string;
  sold: Measure;
  commission: Measure;
  /** The number of installments is not known. */
  isUnknown: boolean;
};

const HEIGHT = 12;

/**
 * Sales and commission beside each other, a row for each number of installments. Not a server
 * component, for the reason that `Plot` has.
 */
export function InstallmentBars({
  label,
  heads,
  bars,
}: {
  label: string;
  heads: { sold: string; commission: string };
  bars: readonly InstallmentBar[];
}): ReactNode {
  return (
    <ul aria-label={label} className="grid gap-3">
      {bars.map(({ key, name, sold, commission, isUnknown }) => (
        <li
          key={key}
          className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1 sm:grid-cols-[9rem_minmax(0,3fr)_minmax(0,2fr)]"
        >
          <span className="font-medium">{name}</span>
          <Bar
            head={heads.sold}
            measure={sold}
            fill={isUnknown ? 'fill-unknown-ground stroke-unknown' : 'fill-accent'}
          />
          <Bar head={heads.commission} measure={commission} fill="fill-control" />
        </li>
      ))}
    </ul>
  );
}

function Bar({
  head,
  measure: { width, text, cut },
  fill,
}: {
  head: string;
  measure: Measure;
  fill: string;
}): ReactNode {
  return (
    <div>
      {width !== null && (
        <svg aria-hidden width="100%" height={HEIGHT} className="block">
          <rect width={`${width}%`} height={HEIGHT} rx="2" className={fill} />
          {cut && <rect x="92%" width="3" height={HEIGHT} className="fill-surface" />}
        </svg>
      )}
      <span className="text-label text-muted tabular-nums">
        {head} {text}
      </span>
    </div>
  );
}
