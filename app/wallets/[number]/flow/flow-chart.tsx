import type { ReactNode } from 'react';
import { scaleOf } from '#lib/wallets/scale.ts';
import type { SeriesDay } from '#lib/wallets/series.ts';
import { Plot, Told, Unknown, acrossOf, downOf, runsOf } from './plot.tsx';
import type { DrawnWords } from './words.ts';

const MARKS = 4;
/** Of a day's width; the rest is air. */
const BAR = { from: 0.16, width: 0.68 };

/** What came in above the line, what went out below it. Today's bars are hatched: the day is not over. */
export function FlowChart({ series, words }: { series: readonly SeriesDay[]; words: DrawnWords }): ReactNode {
  const count = series.length;
  const scale = scaleOf([0n, ...series.flatMap(({ flow }) => (flow === null ? [] : [flow.in, -flow.out]))], MARKS);
  const zero = downOf(scale, 0n);
  return (
    <Plot scale={scale} mark={words.short} label={words.flowLabel} days={words.days}>
      <defs>
        <pattern id="hatch-in" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" className="fill-accent" /></pattern>
        <pattern id="hatch-out" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" className="fill-control" /></pattern>
      </defs>
      <Unknown runs={runsOf(series, ({ flow }) => flow === null)} count={count} words={words.unknown} />
      {series.map(({ day, flow }, index) => {
        if (flow === null) return null;
        const isToday = index === count - 1;
        const [top, bottom] = [downOf(scale, flow.in), downOf(scale, -flow.out)];
        const place = { x: acrossOf(index, count, BAR.from), width: acrossOf(0, count, BAR.width) };
        return (
          <g key={day}>
            {flow.in > 0n && <rect {...place} y={top} height={Math.max(1, zero - top)} {...(isToday ? { fill: 'url(#hatch-in)', className: 'stroke-accent' } : { className: 'fill-accent' })} />}
            {flow.out > 0n && <rect {...place} y={zero} height={Math.max(1, bottom - zero)} {...(isToday ? { fill: 'url(#hatch-out)', className: 'stroke-control' } : { className: 'fill-control' })} />}
          </g>
        );
      })}
      <line x1="0" x2="100%" y1={zero} y2={zero} className="stroke-control" />
      <Told count={count} text={(index) => words.told(series[index]!)} />
    </Plot>
  );
}
