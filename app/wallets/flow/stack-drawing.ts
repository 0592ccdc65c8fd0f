import { cutAt, scaleOf } from '#lib/wallets/scale.ts';
import { across, BAR, bands, clampTo, down, MARKS, marksOf } from './drawing.ts';
import type { Bar, BarLook, Drawing, PlotWords } from './drawing.ts';

/** The parts of one bar, the lowest first; null when nothing is known of them. */
export type Stack = readonly { look: BarLook; amount: bigint }[] | null;

/**
 * Bars of which each is made of parts. A bar far higher than all others is cut, and its whole
 * amount is written at it. Pure.
 */
export function stackDrawing(
  stacks: readonly Stack[],
  words: PlotWords & { label: string },
): Drawing {
  const sums = stacks.map((stack) => (stack ?? []).reduce((all, { amount }) => all + amount, 0n));
  const within = clampTo(cutAt(sums));
  const scale = scaleOf([0n, ...sums.map(within)], MARKS);
  const barsOf = (stack: Stack, index: number): Bar[] => {
    const sum = sums[index]!;
    let below = 0n;
    const bars = (stack ?? []).flatMap(({ look, amount }): Bar[] => {
      const [from, to] = [within(below), within(below + amount)];
      below += amount;
      if (amount === 0n || (from === to && from > 0n)) return [];
      const y = down(scale, to);
      return [
        {
          x: across(index, stacks.length, BAR.from),
          width: across(0, stacks.length, BAR.width),
          y,
          height: Math.max(1, down(scale, from) - y),
          side: 'in',
          look,
          today: false,
          cut: null,
        },
      ];
    });
    const top = bars.at(-1);
    if (top && within(sum) !== sum) top.cut = { text: words.money(sum), y: top.y };
    return bars;
  };
  return {
    label: words.label,
    days: words.days,
    marks: marksOf(scale, words),
    unknown: bands(
      stacks.map((stack) => stack === null),
      words,
    ),
    lines: [],
    dot: null,
    beyond: [],
    bars: stacks.flatMap(barsOf),
  };
}
