import { cutAt, downFrom, scaleOf } from '#lib/wallets/scale.ts';
import type { Scale } from '#lib/wallets/scale.ts';
import type { SeriesDay } from '#lib/wallets/series.ts';
import type { DrawnWords } from './words.ts';

/**
 * Geometry of the two charts of a wallet's days. Horizontal positions in percent and vertical ones
 * in pixels, so that a chart fills any width while its text and lines keep their size. Pure.
 */

export const TOP = 8;
export const PLOT = 150;
const MARKS = 4;
/** As fractions of a day's width; the rest is a gap. */
const BAR = { from: 0.16, width: 0.68 };

/** The texts of a drawing of what came and went. */
export type FlowWords = Pick<DrawnWords, 'money' | 'marks' | 'days' | 'unknown' | 'flowLabel'>;

export type Bar = {
  x: string;
  width: string;
  y: number;
  height: number;
  side: 'in' | 'out';
  today: boolean;
  /** The amount of a bar that is longer than the plot; it is drawn with a gap. */
  cut: { text: string; y: number } | null;
};
export type Drawing = {
  /** Describes the chart to screen readers. */
  label: string;
  /** First, middle and last day. */
  days: readonly [string, string, string];
  marks: { y: number; text: string; zero: boolean }[];
  /** Days without data, as bands; only wide bands carry words. */
  unknown: { x: string; width: string; words: { x: string; text: string } | null }[];
  lines: { x1: string; y1: number; x2: string; y2: number }[];
  dot: { x: string; y: number } | null;
  bars: Bar[];
};

/** The wallet's balance at the end of each day, as a line; interrupted where it is unknown. */
export function balanceDrawing(series: readonly SeriesDay[], words: DrawnWords): Drawing {
  const known = series.flatMap(({ balance }) => (balance === null ? [] : [balance]));
  const scale = scaleOf(known, MARKS);
  const count = series.length;
  const lines = series.flatMap(({ balance }, index) => {
    const before = series[index - 1]?.balance ?? null;
    return before === null || balance === null
      ? []
      : [
          {
            x1: across(index - 1, count),
            y1: down(scale, before),
            x2: across(index, count),
            y2: down(scale, balance),
          },
        ];
  });
  const last = series.at(-1)?.balance ?? null;
  return {
    label: words.balanceLabel,
    days: words.days,
    marks: marksOf(scale, words),
    unknown: bands(series, ({ balance }) => balance === null, words),
    lines,
    dot: last === null ? null : { x: across(count - 1, count), y: down(scale, last) },
    bars: [],
  };
}

/**
 * Incoming money above the axis, outgoing below. Today's bars are marked as incomplete. An amount
 * far above all others is cut, and written at its bar.
 */
export function flowDrawing(series: readonly SeriesDay[], words: FlowWords): Drawing {
  const amounts = series.flatMap(({ flow }) => (flow === null ? [] : [flow.in, -flow.out]));
  const most = cutAt(amounts);
  const within = (amount: bigint): bigint =>
    most === null ? amount : amount > most ? most : amount < -most ? -most : amount;
  const scale = scaleOf([0n, ...amounts.map(within)], MARKS);
  const bar = (amount: bigint, side: Bar['side'], index: number): Bar[] => {
    if (amount === 0n) return [];
    const [zero, end] = [down(scale, 0n), down(scale, within(amount))];
    return [
      {
        x: across(index, series.length, BAR.from),
        width: across(0, series.length, BAR.width),
        today: index === series.length - 1,
        side,
        y: side === 'in' ? end : zero,
        height: Math.max(1, Math.abs(zero - end)),
        cut: within(amount) === amount ? null : { text: words.money(amount), y: end },
      },
    ];
  };
  return {
    label: words.flowLabel,
    days: words.days,
    marks: marksOf(scale, words),
    unknown: bands(series, ({ flow }) => flow === null, words),
    lines: [],
    dot: null,
    bars: series.flatMap(({ flow }, index) => [
      ...bar(flow?.in ?? 0n, 'in', index),
      ...bar(-(flow?.out ?? 0n), 'out', index),
    ]),
  };
}

function marksOf(scale: Scale, words: Pick<DrawnWords, 'marks'>): Drawing['marks'] {
  const texts = words.marks(scale.marks);
  return scale.marks.map((value, index) => ({
    y: down(scale, value),
    text: texts[index]!,
    zero: value === 0n,
  }));
}

/** Adjacent days without data form one band. */
function bands(
  series: readonly SeriesDay[],
  isUnknown: (day: SeriesDay) => boolean,
  words: Pick<DrawnWords, 'unknown'>,
): Drawing['unknown'] {
  const count = series.length;
  const runs: { first: number; days: number }[] = [];
  for (const [index, day] of series.entries()) {
    if (!isUnknown(day)) continue;
    const last = runs.at(-1);
    if (last && last.first + last.days === index) last.days += 1;
    else runs.push({ first: index, days: 1 });
  }
  return runs.map(({ first, days }) => ({
    x: across(first, count, 0),
    width: across(days, count, 0),
    words:
      days * 4 >= count ? { x: across(first + days / 2, count, 0), text: words.unknown } : null,
  }));
}

function down(scale: Scale, value: bigint): number {
  return TOP + Math.round(downFrom(scale, value) * PLOT * 10) / 10;
}

/** The middle of a day, or the position `within` it (0 to 1). */
function across(index: number, count: number, within = 0.5): string {
  return `${Math.round(((index + within) / count) * 1e5) / 1e3}%`;
}
