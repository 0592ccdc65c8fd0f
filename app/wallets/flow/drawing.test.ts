import { describe, expect, it } from 'vitest';
import type { SeriesDay } from '#lib/wallets/series.ts';
import { balanceDrawing, flowDrawing } from './drawing.ts';
import type { DrawnWords } from './words.ts';

const words = {
  days: ['a', 'b', 'c'],
  unknown: '?',
  balanceLabel: 'balance',
  flowLabel: 'flow',
  money: String,
  marks: (minors: readonly bigint[]) => minors.map(String),
} as unknown as DrawnWords;
const day = (n: number, flow: [bigint, bigint] | null, balance: bigint | null): SeriesDay => ({
  day: `2026-03-0${n}`,
  flow: flow && { in: flow[0], out: flow[1], fees: 0n },
  balance,
});

describe('the drawing of balances', () => {
  it('goes from known day to known day, and says of the others in one band that they are not known', () => {
    const drawing = balanceDrawing(
      [day(1, null, null), day(2, null, null), day(3, null, 100n), day(4, [0n, 0n], 200n)],
      words,
    );
    expect(drawing.unknown).toEqual([{ x: '0%', width: '50%', words: { x: '25%', text: '?' } }]);
    expect(drawing.marks.map(({ text, y }) => [text, y])).toEqual([
      ['100', 158],
      ['150', 83],
      ['200', 8],
    ]);
    expect(drawing.lines).toEqual([{ x1: '62.5%', y1: 158, x2: '87.5%', y2: 8 }]);
    expect(drawing.dot).toEqual({ x: '87.5%', y: 8 });
  });

  it('has no line and no dot while nothing is known', () => {
    expect(balanceDrawing([day(1, [5n, 0n], null), day(2, [0n, 1n], null)], words)).toMatchObject({
      lines: [],
      dot: null,
      unknown: [{ x: '0%', width: '100%' }],
    });
  });
});

describe('the drawing of what came and went', () => {
  it('stands on one line: in above it, out below it, as high as they are much; only today is not over', () => {
    const { bars, marks } = flowDrawing(
      [day(1, [100n, 50n], null), day(2, [0n, 0n], null), day(3, [50n, 100n], null)],
      words,
    );
    const zero = marks.find((mark) => mark.zero)!.y;
    expect(
      bars.map(({ side, today, y, height }) => [
        side,
        today,
        side === 'in' ? y + height : y,
        height,
      ]),
    ).toEqual([
      ['in', false, zero, 75],
      ['out', false, zero, 37.5],
      ['in', true, zero, 37.5],
      ['out', true, zero, 75],
    ]);
  });

  it('draws nothing of a day that is not read, and the least of sums still as something', () => {
    const { bars, unknown } = flowDrawing(
      [day(1, [1n, 0n], null), day(2, null, null), day(3, [10n ** 12n, 0n], null)],
      words,
    );
    expect(bars.map(({ height }) => height >= 1)).toEqual([true, true]);
    expect(unknown).toEqual([{ x: '33.333%', width: '33.333%', words: { x: '50%', text: '?' } }]);
  });

  it('cuts one amount far above the others and writes it, so that the others keep their height', () => {
    const usual = [3n, 4n, 5n, 4n, 3n, 5n, 4n].map((size, n) => day(n + 1, [size, 0n], null));
    const height = (drawing: ReturnType<typeof flowDrawing>): number => drawing.bars[2]!.height;
    const { bars } = flowDrawing(usual, words);
    expect(bars.every(({ cut }) => cut === null)).toBe(true);
    const outlier = flowDrawing([...usual, day(8, [0n, 900n], null)], words);
    expect(outlier.bars.map(({ cut }) => cut?.text)).toEqual([
      ...usual.map(() => undefined),
      '-900',
    ]);
    expect(height(outlier)).toBeGreaterThan(height(flowDrawing(usual, words)) / 3);
    expect(outlier.bars.every(({ y, height: long }) => y >= 8 && y + long <= 158)).toBe(true);
  });
});
