import type { ReactNode } from 'react';
import { scaleOf } from '#lib/wallets/scale.ts';
import type { SeriesDay } from '#lib/wallets/series.ts';
import { Plot, Told, Unknown, acrossOf, downOf, runsOf } from './plot.tsx';
import type { DrawnWords } from './words.ts';

const MARKS = 4;

/** What lay in the wallet at the end of each day, from point to point; where it is not known there is no line. */
export function BalanceChart({ series, words }: { series: readonly SeriesDay[]; words: DrawnWords }): ReactNode {
  const known = series.flatMap(({ balance }) => (balance === null ? [] : [balance]));
  const scale = scaleOf(known, MARKS);
  const count = series.length;
  return (
    <Plot scale={scale} mark={words.short} label={words.balanceLabel} days={words.days}>
      <Unknown runs={runsOf(series, ({ balance }) => balance === null)} count={count} words={words.unknown} />
      {series.map(({ day, balance }, index) => {
        const before = series[index - 1]?.balance ?? null;
        return before === null || balance === null ? null
          : <line key={day} x1={acrossOf(index - 1, count)} y1={downOf(scale, before)} x2={acrossOf(index, count)} y2={downOf(scale, balance)} strokeWidth={2} strokeLinecap="round" className="stroke-accent" />;
      })}
      {known.length > 0 && <circle cx={acrossOf(count - 1, count)} cy={downOf(scale, known.at(-1)!)} r={3.5} className="fill-surface stroke-accent" strokeWidth={2} />}
      <Told count={count} text={(index) => words.told(series[index]!)} />
    </Plot>
  );
}
