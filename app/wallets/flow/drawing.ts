import type { Level } from '#lib/reports/withdrawals/filter.ts';
import { cutAt, downFrom, scaleOf } from '#lib/wallets/scale.ts';
import type { Scale } from '#lib/wallets/scale.ts';
import type { DayFlow, SeriesDay } from '#lib/wallets/series.ts';
import type { DrawnWords } from './words.ts';

/**
 * Geometry of charts of days: a line of balances, and bars of what came and went. Horizontal
 * positions are in percent and vertical ones in pixels, so that a chart fills any width while its
 * text and lines keep their size. Pure.
 */

export const TOP = 8;
export const PLOT = 150;
export const MARKS = 4;
/** The left edge and the width of a bar, as fractions of the width of a day; the rest is a gap. */
export const BAR = { from: 0.16, width: 0.68 };

/** The texts of every drawing. */
export type PlotWords = Pick<DrawnWords, 'money' | 'marks' | 'days' | 'unknown'>;
/** The texts of a drawing of what came and went. */
export type FlowWords = PlotWords & Pick<DrawnWords, 'flowLabel'>;
/** How a bar is filled: a direction of money, or the result of a withdraw request. */
export type BarLook = 'in' | 'out' | Level;

export type Bar = {
  x: string;
  width: string;
  y: number;
  height: number;
  /** Which way the bar points from zero: up or down. */
  side: 'in' | 'out';
  look: BarLook;
  /** The day, or week, is not over. */
  today: boolean;
  /** The amount of a bar that is longer than the plot; it is drawn with a gap. */
  cut: { text: string; y: number } | null;
};
export type Drawing = {
  /** Describes the chart to screen readers. */
  label: string;
  /** Names below the plot: first, middle and last day. */
  days: readonly string[];
  marks: { y: number; text: string; zero: boolean }[];
  /** Days without data, as bands; only wide bands carry words. */
  unknown: { x: string; width: string; words: { x: string; text: string } | null }[];
  lines: { x1: string; y1: number; x2: string; y2: number }[];
  dot: { x: string; y: number } | null;
  /** Points of the line that lie beyond the plot, each with its amount. */
  beyond: { x: string; y: number; text: string; inside: 1 | -1 }[];
  bars: Bar[];
};

/**
 * The balance at the end of each day, as a line; interrupted where it is unknown. A balance far
 * above all others is drawn at the edge, and written there.
 */
export function balanceDrawing(
  series: readonly Pick<SeriesDay, 'balance'>[],
  words: PlotWords & Pick<DrawnWords, 'balanceLabel'>,
): Drawing {
  const known = series.flatMap(({ balance }) => (balance === null ? [] : [balance]));
  const within = clampTo(cutAt(known));
  const scale = scaleOf(known.map(within), MARKS);
  const count = series.length;
  const points = series.map(({ balance }, index) =>
    balance === null ? null : { x: across(index, count), y: down(scale, within(balance)) },
  );
  const lines = points.flatMap((point, index) => {
    const before = points[index - 1] ?? null;
    return before === null || point === null
      ? []
      : [{ x1: before.x, y1: before.y, x2: point.x, y2: point.y }];
  });
  return {
    label: words.balanceLabel,
    days: words.days,
    marks: marksOf(scale, words),
    unknown: bands(
      series.map(({ balance }) => balance === null),
      words,
    ),
    lines,
    dot: points.at(-1) ?? null,
    beyond: series.flatMap(({ balance }, index) =>
      balance === null || within(balance) === balance
        ? []
        : [{ ...points[index]!, text: words.money(balance), inside: balance > 0n ? 1 : -1 }],
    ),
    bars: [],
  };
}

/**
 * Incoming money above the axis, outgoing below. The last bars are marked as incomplete when their
 * day is not over. An amount far above all others is cut, and written at its bar.
 */
export function flowDrawing(
  series: readonly { flow: Pick<DayFlow, 'in' | 'out'> | null }[],
  words: FlowWords,
  { isOver = false }: { isOver?: boolean } = {},
): Drawing {
  const amounts = series.flatMap(({ flow }) => (flow === null ? [] : [flow.in, -flow.out]));
  const within = clampTo(cutAt(amounts));
  const scale = scaleOf([0n, ...amounts.map(within)], MARKS);
  const bar = (amount: bigint, side: Bar['side'], index: number): Bar[] => {
    if (amount === 0n) return [];
    const [zero, end] = [down(scale, 0n), down(scale, within(amount))];
    return [
      {
        x: across(index, series.length, BAR.from),
        width: across(0, series.length, BAR.width),
        today: !isOver && index === series.length - 1,
        side,
        look: side,
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
    unknown: bands(
      series.map(({ flow }) => flow === null),
      words,
    ),
    lines: [],
    dot: null,
    beyond: [],
    bars: series.flatMap(({ flow }, index) => [
      ...bar(flow?.in ?? 0n, 'in', index),
      ...bar(-(flow?.out ?? 0n), 'out', index),
    ]),
  };
}

/** Keeps an amount within `most` on either side of zero. */
export function clampTo(most: bigint | null): (amount: bigint) => bigint {
  return (amount) => {
    if (most === null) return amount;
    if (amount > most) return most;
    return amount < -most ? -most : amount;
  };
}

export function marksOf(scale: Scale, words: Pick<DrawnWords, 'marks'>): Drawing['marks'] {
  const texts = words.marks(scale.marks);
  return scale.marks.map((value, index) => ({
    y: down(scale, value),
    text: texts[index]!,
    zero: value === 0n,
  }));
}

/** Adjacent days without data form one band. */
export function bands(
  areUnknown: readonly boolean[],
  words: Pick<DrawnWords, 'unknown'>,
): Drawing['unknown'] {
  const count = areUnknown.length;
  const runs: { first: number; days: number }[] = [];
  for (const [index, isUnknown] of areUnknown.entries()) {
    if (!isUnknown) continue;
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

export function down(scale: Scale, value: bigint): number {
  return TOP + Math.round(downFrom(scale, value) * PLOT * 10) / 10;
}

/** The middle of a day, or the position `within` it (0 to 1). */
export function across(index: number, count: number, within = 0.5): string {
  return `${Math.round(((index + within) / count) * 1e5) / 1e3}%`;
}
