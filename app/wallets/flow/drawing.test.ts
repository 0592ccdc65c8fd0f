import { describe, expect, it } from 'vitest';
import type { SeriesDay } from '#lib/wallets/series.ts';
import { balanceDrawing, flowDrawing } from './drawing.ts';
import { stackDrawing } from './stack-drawing.ts';
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

describe('the drawing of balances with one far above the others', () => {
  const usual = [3n, 4n, 5n, 4n, 3n, 5n].map((balance, n) => day(n + 1, null, balance));
  it('draws it at the edge with its amount, so that the others keep their height', () => {
    const plain = balanceDrawing(usual, { ...words });
    const outlier = balanceDrawing([...usual, day(7, null, 900n)], { ...words });
    expect(plain.beyond).toEqual([]);
    expect(outlier.beyond).toMatchObject([{ text: '900', inside: 1 }]);
    const spread = ({ lines }: typeof plain): number =>
      Math.max(...lines.slice(0, 5).map(({ y1 }) => y1)) -
      Math.min(...lines.slice(0, 5).map(({ y1 }) => y1));
    expect(spread(outlier)).toBeGreaterThan(spread(plain) / 3);
    expect(outlier.lines.every(({ y2 }) => y2 >= 8 && y2 <= 158)).toBe(true);
  });
});

describe('the drawing of stacks', () => {
  const stack = (completed: bigint, pending = 0n) => [
    { look: 'completed' as const, amount: completed },
    { look: 'pending' as const, amount: pending },
  ];
  const drawn = (...stacks: Parameters<typeof stackDrawing>[0][number][]) =>
    stackDrawing(stacks, { ...words, label: 'stack' });

  it('puts the parts upon each other, as high as they are much', () => {
    const { bars, unknown } = drawn(stack(50n, 25n), null, stack(100n));
    expect(bars.map(({ look, height }) => [look, height])).toEqual([
      ['completed', 75],
      ['pending', 37.5],
      ['completed', 150],
    ]);
    expect(bars[1]!.y + bars[1]!.height).toBe(bars[0]!.y);
    expect(unknown).toMatchObject([{ x: '33.333%' }]);
  });

  it('cuts a bar far above the others at its top, with its whole amount', () => {
    const usual = [3n, 4n, 5n, 4n, 3n, 5n, 4n].map((size) => stack(size, 1n));
    const { bars } = drawn(...usual, stack(400n, 500n));
    expect(bars.flatMap(({ cut }) => cut?.text ?? [])).toEqual(['900']);
    expect(bars.every(({ y, height }) => y >= 8 && y + height <= 158.001)).toBe(true);
    expect(bars[0]!.height).toBeGreaterThan(20);
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

  it('has no bar of today when its last day is over', () => {
    const { bars } = flowDrawing([day(1, [1n, 2n], null)], words, { isOver: true });
    expect(bars.map(({ today }) => today)).toEqual([false, false]);
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
