/**
 * Chart positions of amounts: round ticks, and positions exact to a hundredth of a percent. Pure.
 */

export type Scale = { low: bigint; high: bigint; marks: bigint[] };

const STEPS = [1n, 2n, 5n];

/**
 * A scale that contains every value, with at most `most` + 1 round ticks, its ends included. Equal
 * values get a band around them, so that a line lies in the middle and not on the edge.
 */
export function scaleOf(values: readonly bigint[], most: number): Scale {
  let lowest = values[0] ?? 0n;
  let highest = lowest;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  if (lowest === highest) {
    const band = abs(lowest) / 10n || 100n;
    lowest -= band;
    highest += band;
  }
  const step = stepFor(highest - lowest, BigInt(most));
  const low = floorTo(lowest, step);
  const high = -floorTo(-highest, step);
  const marks: bigint[] = [];
  for (let mark = low; mark <= high; mark += step) marks.push(mark);
  return { low, high, marks };
}

const CUT_MOST = 2;
const CUT_FACTOR = 4n;
const CUT_LEAST = 6;

/**
 * The amount at which a chart cuts one or two amounts that are at least four times the next one, so
 * that they do not flatten all others; null when no amount is that much larger, or when there are
 * fewer than six.
 */
export function cutAt(amounts: readonly bigint[]): bigint | null {
  const sizes = amounts
    .map(abs)
    .filter((size) => size > 0n)
    .sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  if (sizes.length < CUT_LEAST) return null;
  for (let cut = CUT_MOST; cut > 0; cut -= 1)
    if (sizes[cut - 1]! >= CUT_FACTOR * sizes[cut]!) return (sizes[cut]! * 5n) / 4n;
  return null;
}

/**
 * The distance of a value from the top of the scale, from 0 at the top to 1 at the bottom, as in
 * SVG coordinates.
 */
export function downFrom({ low, high }: Scale, value: bigint): number {
  return high === low ? 0.5 : Number(((high - value) * 10_000n) / (high - low)) / 10_000;
}

/**
 * The step between two ticks: the smallest of 1, 2 and 5 times a power of ten with which `most` - 1
 * steps cover the span. The scale has at most one step more, because its ends are rounded outwards.
 */
function stepFor(span: bigint, most: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = STEPS.find((one) => one * power * (most - 1n) >= span);
    if (step !== undefined) return step * power;
  }
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return rest === 0n ? value : rest < 0n ? value - rest - step : value - rest;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
