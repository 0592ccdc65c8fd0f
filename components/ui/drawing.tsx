'use client';

import type { ReactNode, SVGProps } from 'react';

/**
 * What a server component draws. Client components, because the server streams their SVG in one
 * piece: what it streams into the middle of an SVG is wrapped in a style attribute, which the
 * content security policy forbids.
 */

const BOX = '0 0 24 24';

/** An icon of one path. */
export function Strokes({
  d,
  className = '',
  ...props
}: SVGProps<SVGSVGElement> & { d: string }): ReactNode {
  return (
    <svg viewBox={BOX} className={`line ${className}`} {...props}>
      <path d={d} />
    </svg>
  );
}

/** The icon of an unknown outcome: a question mark in a dashed circle. */
export function NobodyKnows({ className = '' }: { className?: string }): ReactNode {
  return (
    <svg viewBox={BOX} aria-hidden className={`line ${className}`}>
      <circle cx="12" cy="12" r="10" strokeDasharray="3.1 3.18" />
      <path d="M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01" />
    </svg>
  );
}

/** Bars of the same height. `x` and `width` of a bar are in the units of the SVG. */
export function Bars({
  bars,
  height,
  ...svg
}: SVGProps<SVGSVGElement> & {
  bars: readonly { x?: number | string; width: number | string; rx?: number; className: string }[];
  height: number;
}): ReactNode {
  return (
    <svg aria-hidden height={height} {...svg}>
      {bars.map((bar) => (
        <rect key={bar.x ?? 0} {...bar} height={height} />
      ))}
    </svg>
  );
}
