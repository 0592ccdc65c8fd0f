import type { ReactNode } from 'react';
import { downFrom } from '#lib/wallets/scale.ts';
import type { Scale } from '#lib/wallets/scale.ts';

/**
 * A drawing of days made on the server, without a script and without style attributes, which the pages' policy forbids. Across it
 * counts in percent and down in pixels, so that it fills any width while its letters and lines keep their size.
 */

const TOP = 8;
const PLOT = 150;
const HEIGHT = TOP + PLOT + 8;
const MARK_RIGHT = 60;

/** Pixels from the top. */
export function downOf(scale: Scale, value: bigint): number {
  return TOP + Math.round(downFrom(scale, value) * PLOT * 10) / 10;
}

/** The middle of a day, or a place `within` it (0 to 1), in percent of the width. */
export function acrossOf(index: number, count: number, within = 0.5): string {
  return `${Math.round(((index + within) / count) * 1e6) / 1e4}%`;
}

/** Marks on the left, the drawing right of them, and the first, middle and last day below. `label` says it to who does not see it. */
export function Plot({ scale, mark, label, days, children }: { scale: Scale; mark: (value: bigint) => string; label: string; days: readonly [string, string, string]; children: ReactNode }): ReactNode {
  return (
    <div className="grid grid-cols-[4rem_minmax(0,1fr)]">
      <svg aria-hidden height={HEIGHT} className="w-16 fill-muted text-[0.6875rem] tabular-nums">
        {scale.marks.map((value) => <text key={String(value)} x={MARK_RIGHT} y={downOf(scale, value)} dy="0.32em" textAnchor="end">{mark(value)}</text>)}
      </svg>
      <svg role="img" aria-label={label} width="100%" height={HEIGHT} className="overflow-visible">
        {scale.marks.map((value) => <line key={String(value)} x1="0" x2="100%" y1={downOf(scale, value)} y2={downOf(scale, value)} className={value === 0n ? 'stroke-control' : 'stroke-hairline'} />)}
        {children}
      </svg>
      <p className="col-start-2 flex justify-between text-[0.6875rem] text-muted tabular-nums" aria-hidden>{days.map((day) => <span key={day}>{day}</span>)}</p>
    </div>
  );
}

/** Days of which nothing is known, as one band. */
export function Unknown({ runs, count, words }: { runs: readonly { first: number; days: number }[]; count: number; words: string }): ReactNode {
  return runs.map(({ first, days }) => (
    <g key={first}>
      <rect x={acrossOf(first, count, 0)} width={acrossOf(days, count, 0)} y={TOP} height={PLOT} strokeDasharray="3 3" className="fill-unknown-ground stroke-unknown/40"><title>{words}</title></rect>
      {days * 4 >= count && <text x={acrossOf(first + days / 2, count, 0)} y={TOP + PLOT / 2} textAnchor="middle" className="fill-unknown text-[0.6875rem]">{words}</text>}
    </g>
  ));
}

/** What a hand over a day is told. */
export function Told({ count, text }: { count: number; text: (index: number) => string }): ReactNode {
  return Array.from({ length: count }, (_one, index) => (
    <rect key={index} x={acrossOf(index, count, 0)} width={acrossOf(1, count, 0)} y={TOP} height={PLOT} className="fill-transparent"><title>{text(index)}</title></rect>
  ));
}

/** Neighbours of which `isOne` is true, as runs. */
export function runsOf<T>(all: readonly T[], isOne: (one: T) => boolean): { first: number; days: number }[] {
  const runs: { first: number; days: number }[] = [];
  for (const [index, one] of all.entries()) {
    if (!isOne(one)) continue;
    const last = runs.at(-1);
    if (last && last.first + last.days === index) last.days += 1;
    else runs.push({ first: index, days: 1 });
  }
  return runs;
}
